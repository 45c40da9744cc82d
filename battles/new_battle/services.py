"""How a battle begins: with the declaration in a campaign, or on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction

from battles.models import KEEP, Battle
from battles.standing import result_line, settled
from battles.telling.many import LETTERS, MOST_SIDES, SCENARIO_KEY
from battles.watching import KIND
from campaign import door as campaign_door
from campaign import reading
from campaign.annals.state import OpenBattle, State
from campaign.door import Written
from campaign.models import Campaign
from log import door
from musters.reading import army_json
from people import passes
from people.models import Pass, Person
from people.names import clean_name
from people.who import Who
from refusal import Refusal
from rulebook.army import Army
from rulebook.options import Options
from rulebook.scenarios import scenario_of


def register() -> None:
    campaign_door.afterwards("battle_declared", declared)
    campaign_door.afterwards("result", resulted)
    campaign_door.afterwards("battle_called_off", called_off)


# --- in a campaign ---------------------------------------------------------------------------------------------------


def declared(written: Written) -> None:
    """The chronicle has written a declaration: the battle gets its page, in the same transaction."""
    line = written.line
    said = line.effects[0]
    open_battle = OpenBattle(
        said["battle"], said["attacker"], said["defender"], said["target"], line.number, said["scenario"]
    )
    _make(written.campaign, open_battle, line.body.get("in_force", {}).get("options", {}), line.actor_id)


def resulted(written: Written) -> None:
    """The chronicle has written a result: its battle is confirmed. One never declared gets its page when somebody asks."""
    line, body = written.line, written.line.body
    battle = Battle.objects.filter(campaign=written.campaign, number=body.get("battle")).open().first()
    if battle is None:
        return
    report = body.get("report") or {}
    if report.get("side_a") and report["side_a"] != battle.sides[0]["kingdom"]:
        one, two = battle.sides
        battle.sides = [{**two, "side": "A"}, {**one, "side": "B"}]
    Battle.objects.filter(pk=battle.pk).update(
        stage=Battle.Stage.CONFIRMED, entry=line.number, result=body, played_on=line.played_on, sides=battle.sides,
        scenario=report.get("scenario") or body.get("scenario") or battle.scenario,
    )  # fmt: skip
    written.pen.beside(battle.log_id).line("confirmed", actor=line.actor_id, body={"entry": line.number})


def called_off(written: Written) -> None:
    line = written.line
    battle = Battle.objects.filter(campaign=written.campaign, number=line.body["battle"]).first()
    if battle is not None:
        Battle.objects.filter(pk=battle.pk).update(stage=Battle.Stage.CALLED_OFF)
        written.pen.beside(battle.log_id).line("called_off", actor=line.actor_id)


def of_campaign(campaign: Campaign, number: int, state: State | None = None) -> Battle | None:
    """The battle with this number; one declared before battles had pages of their own gets its page now."""
    found = Battle.objects.filter(campaign=campaign, number=number).first()
    if found is not None:
        found.campaign = campaign  # as read, with the state that may come with it
        return found
    state = state or reading.state_of(campaign)
    if number in state.battles:
        with transaction.atomic():
            return _make(campaign, state.battles[number], state.options, None)
    line = result_line(campaign, number)
    if line is None:
        return None
    entry, body, _ = line
    with transaction.atomic():
        told = OpenBattle(number, body["attacker"], _defender(body), body["target"], entry, body.get("scenario"))
        return settled(_make(campaign, told, body.get("in_force", {}).get("options", {}), None), state)


def _defender(body: dict[str, Any]) -> str:
    return str(body.get("defender") or body["target"].rpartition(".")[0])


def _make(campaign: Campaign, told: OpenBattle, options: dict[str, Any], actor: int | None) -> Battle:
    siege = told.target.endswith(".castle")
    sides = [
        {"side": side, "kingdom": kingdom, "name": None, "person": None, "army": None}
        for side, kingdom in (("A", told.attacker), ("B", told.defender))
    ]
    key = f"campaign:{campaign.pk}/{told.number}"
    try:
        with transaction.atomic():
            log = door.open_log(
                KIND, lambda pen: pen.line("opened", actor=actor, body={"target": told.target, "entry": told.line})
            )
            return Battle.objects.create(
                campaign=campaign, number=told.number, target=told.target, log=log, siege=siege, sides=sides, options=options,
                scenario="siege" if siege else told.scenario or "", made_by_id=actor, founding_key=key,
            )  # fmt: skip
    except IntegrityError:  # two phones opened it at the same moment
        return Battle.objects.get(founding_key=key)


# --- on its own ------------------------------------------------------------------------------------------------------


def alone(
    who: Who,
    *,
    key: str,
    scenario: str,
    names: Sequence[str],
    armies: Sequence[Army | None] = (),
    people: Sequence[Person | None] = (),
    options: dict[str, Any] | None = None,
) -> Battle:
    """A battle outside any campaign: names are enough, armies may come along. The same key makes it once."""
    door.must_be_key(key)
    founding_key = f"{who.ref}/{key}"
    if before := Battle.objects.filter(founding_key=founding_key).first():
        return before
    if scenario:
        scenario_of(scenario)
    if not 2 <= len(names) <= MOST_SIDES:
        raise Refusal(f"A battle has 2 to {MOST_SIDES} sides.", field="names")
    if len(names) > 2 and scenario != SCENARIO_KEY:
        raise Refusal("More than two armies meet in a Pitched Battle only.", field="scenario")
    Options.from_differences(options or {})
    cleaned = [clean_name(name, "name of the army") for name in names]
    if len({name.casefold() for name in cleaned}) < len(cleaned):
        raise Refusal("Two armies have the same name. Give each its own.", field="names")
    sides = []
    for at, name in enumerate(cleaned):
        army = armies[at] if at < len(armies) else None
        person = people[at] if at < len(people) else None
        sides.append(
            {"side": LETTERS[at], "kingdom": None, "name": name, "person": person.pk if person else None,
             "army": army_json(army) if army else None}
        )  # fmt: skip
    ready = bool(armies) and len(cleaned) == 2 and all(side["army"] for side in sides)
    actor = who.person.pk if who.person else None
    try:
        with transaction.atomic():
            log = door.open_log(KIND, lambda pen: pen.line("opened", actor=actor))
            battle = Battle.objects.create(
                log=log, scenario=scenario, siege=scenario == "siege", sides=sides, options=options or {}, made_by_id=actor,
                founding_key=founding_key, stage=Battle.Stage.MUSTERED if ready else Battle.Stage.DECLARED,
            )  # fmt: skip
            battle.people.set({person for person in people if person is not None})
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Battle.objects.get(founding_key=founding_key)
    return battle


def keep_pass(battle: Battle, who: Who) -> Pass:
    """The link by which other phones come in, and by which somebody without a log-in keeps the battle."""
    held = Pass.objects.open().filter(kind=KEEP, target=battle.pk).first()
    return held or passes.make(KEEP, battle.pk, by=who, lasts=None, uses=None)
