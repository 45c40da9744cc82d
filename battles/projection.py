"""Where a battle stands, compared with the chronicle: declared, called off, confirmed, or open again because its line was struck."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from campaign import reading
from campaign.annals.lines import standing
from campaign.annals.state import State
from campaign.models import Campaign, Petition
from campaign.petitions import subject_of
from log.models import Entry
from musters.reading import armies_for, army_json

Stage = Battle.Stage


def settled(battle: Battle, state: State | None = None) -> Battle:
    """The battle brought in line with its campaign: a projection, written only when the chronicle has moved.

    ``state`` is that of ``battle.campaign`` as it was read with the battle.
    """
    if battle.campaign_id is None or battle.number is None:
        return battle
    seen = battle.campaign.log.version if battle.campaign and state else None
    campaign = Campaign.objects.select_related("log").get(pk=battle.campaign_id)
    battle.campaign = campaign
    if battle.chronicle_version == campaign.log.version:
        return battle
    if state is None or campaign.log.version != seen:
        # Written between the two looks: the state of before under the version of now would never be put right.
        state = reading.state_of(campaign)
    changed: dict[str, Any] = {"chronicle_version": campaign.log.version}
    if battle.number in state.battles:
        changed |= _open(battle, campaign)
    else:
        changed |= _closed(battle, campaign)
    Battle.objects.filter(pk=battle.pk).update(**changed)
    for name, value in changed.items():
        setattr(battle, name, value)
    return battle


def _open(battle: Battle, campaign: Campaign) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    waits = (
        Petition.objects.open().filter(campaign=campaign, subject=subject_of("", battle.target, battle.number)).exists()
    )
    if battle.is_over:  # the line that closed it was struck
        back = Stage.ON_THE_TABLE if battle.snapshot else Stage.DECLARED
        changed |= {"stage": back, "entry": None, "result": None}
    if waits:
        changed["stage"] = Stage.REPORTED
    elif battle.stage == Stage.REPORTED:  # the report was taken back
        changed["stage"] = Stage.ON_THE_TABLE if battle.snapshot else Stage.DECLARED
    armies = armies_for(campaign, battle.number or 0)
    sides = [
        {**side, "army": army_json(armies[side["kingdom"]]) if side["kingdom"] in armies else None}
        for side in battle.sides[:2]  # whoever fought beside them was told by the report
    ]
    if sides != battle.sides:
        changed["sides"] = sides
    if all(side["army"] for side in sides) and changed.get("stage", battle.stage) == Stage.DECLARED:
        changed["stage"] = Stage.MUSTERED
    return changed


def _closed(battle: Battle, campaign: Campaign) -> dict[str, Any]:
    line = result_line(campaign, battle.number or 0)
    if line is None:
        return {"stage": Stage.CALLED_OFF, "entry": None}
    number, body, played_on = line
    scenario = (body.get("report") or {}).get("scenario") or body.get("scenario") or battle.scenario
    return {
        "stage": Stage.CONFIRMED,
        "entry": number,
        "result": body,
        "played_on": played_on,
        "scenario": scenario,
        "sides": _as_told(battle, body),
    }


def beside(letter: str, kingdom: str) -> dict[str, Any]:
    """A further side of a battle of a campaign: its kingdom alone is known of it."""
    return {"side": letter, "kingdom": kingdom, "name": None, "person": None, "army": None}


def _as_told(battle: Battle, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Side A as the report has it; and whoever fought beside the two."""
    side_a = (body.get("report") or {}).get("side_a")
    if body.get("many"):
        told = body["many"]["kingdoms"]
        had = {side["kingdom"]: side for side in battle.sides}
        return [{**had.get(key, beside(letter, key)), "side": letter} for letter, key in sorted(told.items())]
    if side_a is None or len(battle.sides) != 2 or battle.sides[0]["kingdom"] == side_a:
        return battle.sides
    one, two = battle.sides
    return [{**two, "side": "A"}, {**one, "side": "B"}]


def result_line(campaign: Campaign, battle: int) -> tuple[int, dict[str, Any], Any] | None:
    """The line that tells how this battle ended, as corrected since: its number, its body, the day played."""
    rows = Entry.objects.filter(log=campaign.log_id, act="result", body__battle=battle).order_by("-number")
    found = list(rows.values_list("number", "body", "played_on"))
    if not found:
        return None
    stand = standing(reading.corrections_of(campaign))
    for number, body, played_on in found:
        if number not in stand.struck:
            return number, stand.bodies.get(number, body), played_on
    return None


def called_off_line(campaign: Campaign, battle: int) -> int | None:
    """The line by which this battle was called off: struck, the battle is open again."""
    rows = Entry.objects.filter(log=campaign.log_id, act="battle_called_off", body__battle=battle)
    return rows.order_by("-number").values_list("number", flat=True).first()


def settle_open(campaigns: Any) -> None:
    """Every battle of these campaigns that the chronicle may have moved on, for lists."""
    rows = Battle.objects.filter(campaign__in=campaigns).select_related("campaign__log", "campaign__snapshot").open()
    states: dict[int, State] = {}
    for battle in rows:
        assert battle.campaign is not None
        if battle.chronicle_version != battle.campaign.log.version:
            if battle.campaign_id not in states:
                states[battle.campaign_id] = reading.kept_or_folded(battle.campaign)
            settled(battle, states[battle.campaign_id])
