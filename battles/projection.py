"""A battle's stage according to the chronicle: declared, called off, confirmed, or reopened by a struck entry."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.approvals.services import subject_of
from campaign.chronicle.entries import index_corrections
from campaign.chronicle.state import State
from campaign.models import Approval, Campaign
from log.models import Entry
from musters.core.army_json import army_to_json
from musters.selectors import armies_for

Stage = Battle.Stage


def project_stage(battle: Battle, state: State | None = None) -> Battle:
    """Bring the battle in line with its campaign, if the chronicle has changed since.

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
        # The log grew between the two reads: the old state stored under the new version would never be corrected.
        state = campaign_selectors.state_of(campaign)
    changed: dict[str, Any] = {"chronicle_version": campaign.log.version}
    if battle.number in state.battles:
        changed |= _changes_if_open(battle, campaign)
    else:
        changed |= _changes_if_closed(battle, campaign)
    Battle.objects.filter(pk=battle.pk).update(**changed)
    for name, value in changed.items():
        setattr(battle, name, value)
    return battle


def _changes_if_open(battle: Battle, campaign: Campaign) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    is_reported = (
        Approval.objects.open().filter(campaign=campaign, subject=subject_of("", battle.target, battle.number)).exists()
    )
    if battle.is_over:  # the entry that closed it was struck
        back = Stage.ON_THE_TABLE if battle.snapshot else Stage.DECLARED
        changed |= {"stage": back, "entry": None, "result": None}
    if is_reported:
        changed["stage"] = Stage.REPORTED
    elif battle.stage == Stage.REPORTED:  # the report was withdrawn
        changed["stage"] = Stage.ON_THE_TABLE if battle.snapshot else Stage.DECLARED
    armies = armies_for(campaign, battle.number or 0)
    sides = [
        {**side, "army": army_to_json(armies[side["kingdom"]]) if side["kingdom"] in armies else None}
        for side in battle.sides[:2]  # further armies come from the report
    ]
    if sides != battle.sides:
        changed["sides"] = sides
    if all(side["army"] for side in sides) and changed.get("stage", battle.stage) == Stage.DECLARED:
        changed["stage"] = Stage.MUSTERED
    return changed


def _changes_if_closed(battle: Battle, campaign: Campaign) -> dict[str, Any]:
    entry = find_result_entry(campaign, battle.number or 0)
    if entry is None:
        return {"stage": Stage.CALLED_OFF, "entry": None}
    number, body, played_on = entry
    scenario = (body.get("report") or {}).get("scenario") or body.get("scenario") or battle.scenario
    return {
        "stage": Stage.CONFIRMED,
        "entry": number,
        "result": body,
        "played_on": played_on,
        "scenario": scenario,
        "sides": _sides_as_reported(battle, body),
    }


def extra_side(letter: str, kingdom: str) -> dict[str, Any]:
    """A further side of a campaign battle, known only by its kingdom."""
    return {"side": letter, "kingdom": kingdom, "name": None, "person": None, "army": None}


def _sides_as_reported(battle: Battle, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The sides in the report's order, with any further armies."""
    side_a = (body.get("report") or {}).get("side_a")
    if body.get("many"):
        kingdoms = body["many"]["kingdoms"]
        had = {side["kingdom"]: side for side in battle.sides}
        return [{**had.get(key, extra_side(letter, key)), "side": letter} for letter, key in sorted(kingdoms.items())]
    if side_a is None or len(battle.sides) != 2 or battle.sides[0]["kingdom"] == side_a:
        return battle.sides
    return battle.swapped_sides()


def find_result_entry(campaign: Campaign, battle: int) -> tuple[int, dict[str, Any], Any] | None:
    """Number, body (as corrected) and date played of the entry with this battle's result."""
    rows = Entry.objects.filter(log=campaign.log_id, act="result", body__battle=battle).order_by("-number")
    found = list(rows.values_list("number", "body", "played_on"))
    if not found:
        return None
    stand = index_corrections(campaign_selectors.corrections_of(campaign))
    for number, body, played_on in found:
        if number not in stand.struck:
            return number, stand.bodies.get(number, body), played_on
    return None


def find_called_off_entry(campaign: Campaign, battle: int) -> int | None:
    """The entry that called this battle off. Striking it reopens the battle."""
    rows = Entry.objects.filter(log=campaign.log_id, act="battle_called_off", body__battle=battle)
    return rows.order_by("-number").values_list("number", flat=True).first()


def project_open_battles(campaigns: Any) -> None:
    """Update the stage of every open battle of these campaigns, for lists."""
    rows = Battle.objects.filter(campaign__in=campaigns).select_related("campaign__log", "campaign__snapshot").open()
    states: dict[int, State] = {}
    for battle in rows:
        assert battle.campaign is not None
        if battle.chronicle_version != battle.campaign.log.version:
            if battle.campaign_id not in states:
                states[battle.campaign_id] = campaign_selectors.saved_or_folded_state(battle.campaign)
            project_stage(battle, states[battle.campaign_id])
