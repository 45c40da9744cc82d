"""Steps for rounds and the whole battle: initiative, random events, end of a round, goals, yielding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.core.step_draft import StepDraft, step_kind
from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_d10, check_one_of
from rulebook.battle.activation import decide_first_side, decide_initiative, next_side
from rulebook.battle.attacking_buildings import BUILDING_WOUNDS, VILLAGE
from rulebook.campaign.scoring import CROSSINGS, MOUNDS
from rulebook.data.random_events import EVENT, MUD_NEEDS, REINFORCEMENTS, RETURNS_ON, has_event, round_event


@step_kind("begin")
def begin_battle(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Start the first round with a die for each side, unless the scenario decides (ROUND-01, SCEN-07)."""
    if draft.round:
        raise Refusal("The battle has already begun.", status=409)
    sides = draft.before.sides
    first = draft.terms.row.first_turn
    if first is not None:
        draft.write("begins", first)
        draft.say(f"{draft.before.side_name(first)} goes first, by the scenario.")
    else:
        rolls = body.get("rolls") or {}
        found = decide_initiative(
            {side: check_d10(rolls.get(side), f"initiative roll of side {side}") for side in sides}
        )
        if found.side is None:
            raise Refusal(
                f"{' and '.join(draft.before.side_name(side) for side in found.roll_again)} tie. Roll again.",
                field="rolls",
            )
        results = ", ".join(f"{draft.before.side_name(side)} {rolls[side]}" for side in sides)
        draft.write("begins", found.side)
        draft.say(f"Initiative: {results}. {draft.before.side_name(found.side)} goes first.")
    draft.write("round", 1)


@step_kind("event")
def roll_event(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Roll for the random event, with a second die on 8 or more (EVENT-02)."""
    draft.require_begun()
    roll = check_d10(body.get("roll"), "event roll")
    second = body.get("second")
    found = round_event(roll, second if has_event(roll) else None, draft.terms.options)
    draft.write("event", [draft.round, found.key if found else None])
    draft.say(f"Event roll {roll}: {f'{found.name}. {found.text}' if found else 'no event this round.'}")


@step_kind("event_is")
def set_event(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set the event that was rolled on the table."""
    draft.require_begun()
    key = body.get("event") or None
    if key is not None:
        check_one_of(key, EVENT, "event")
    draft.write("event", [draft.round, key])
    draft.say(f"This round: {EVENT[key].name}." if key else "No event this round.")


@step_kind("reinforced")
def roll_reinforcements(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """A d10 for a unit with losses; on a 10 one model returns (EVENT-10, R-92)."""
    if draft.before.event != REINFORCEMENTS:
        raise Refusal("There are no reinforcements this round.", status=409)
    unit = draft.unit(body.get("unit"), noted=("left",))
    last_round = draft.read(f"{unit.id}/reinforced")
    if last_round == draft.round:
        raise Refusal(draft.with_verb(unit, "has", "have") + " already rolled for reinforcements.", status=409)
    if unit.lost == 0:
        raise Refusal(draft.with_verb(unit, "has", "have") + " not lost any models.", status=409)
    roll = check_d10(body.get("roll"), "reinforcement roll")
    draft.write(f"{unit.id}/reinforced", draft.round)
    if roll == RETURNS_ON:
        left = dict(draft.read(f"{unit.id}/left"))
        left["models"] += 1
        draft.write(f"{unit.id}/left", left)
        draft.say(f"{draft.full_name(unit.id)}: a 10, one model returns.")
    else:
        draft.say(f"{draft.full_name(unit.id)}: {roll}, no model returns.")


@step_kind("mud")
def roll_mud(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Roll before a unit moves in mud (EVENT-04)."""
    unit = draft.unit(body.get("unit"), noted=())
    roll = check_d10(body.get("roll"), "mud roll")
    stuck = roll < MUD_NEEDS
    draft.write(f"{unit.id}/mud", [draft.round, roll])
    draft.say(f"{draft.full_name(unit.id)} in the mud: {roll}, {'stuck' if stuck else 'can move'}.")


@step_kind("round_over")
def end_round(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """End the round and clear the tokens. ``held``: mounds held now, where they score."""
    draft.require_begun()
    number = draft.round
    if body.get("of") not in (None, number):
        raise Refusal(f"Round {body['of']} is already over.", status=409)
    if fights := draft.before.fights():
        names = " and ".join(draft.full_name(key) for key in fights)
        raise Refusal(f"Unfinished attack: {names}. Finish rolling or cancel the attack.", status=409)
    if draft.terms.scenario == "hold_the_hills":
        set_mounds_held(draft, {"held": body.get("held") or {}, "round": number})
    most = draft.terms.row.rounds
    if most is not None and number >= most:
        draft.write("over", number)
        draft.say(f"Round {number} was the last. The battle is over.")
        return
    begins = decide_first_side(
        number + 1, draft.before.sides, draft.before.cells["begins"], draft.terms.options, body.get("rolls")
    )
    draft.write("round", number + 1)
    draft.write("begins_now", [number + 1, begins.side] if begins.side else None)
    opens = f"{draft.before.side_name(begins.side)} goes first in round {number + 1}." if begins.side else begins.reason
    draft.say(f"Round {number} is over. {opens}")


@step_kind("held")
def set_mounds_held(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set the mounds held at the end of a round (SCEN-09, R-62)."""
    if draft.terms.scenario != "hold_the_hills":
        raise Refusal(f"There are no tall mounds to hold in {draft.terms.row.name}.", field="held")
    number = check_count(body.get("round"), "round", least=1)
    held = _read_held(draft, body.get("held") or {}, "mounds", MOUNDS)
    draft.write(f"held/{number}", held)
    draft.say(f"Mounds held in round {number}: {_held_text(draft, held)}.")


@step_kind("crossings")
def set_crossings_held(draft: StepDraft, body: Mapping[str, Any]) -> None:
    if draft.terms.scenario != "secure_the_crossing":
        raise Refusal(f"There are no crossings in {draft.terms.row.name}.", field="held")
    held = _read_held(draft, body.get("held") or {}, "crossings", CROSSINGS)
    draft.write("crossings", held)
    draft.say(f"Crossings held: {_held_text(draft, held)}.")


@step_kind("holder")
def set_holder(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set who holds the fortress or the castle."""
    if draft.terms.scenario not in ("take_the_fortress", "siege"):
        raise Refusal(f"There is no fortress to hold in {draft.terms.row.name}.", field="side")
    side = body.get("side") or ""
    if side:
        check_one_of(side, draft.before.sides, "side")
    draft.write("holder", side)
    where = "the fortress" if draft.terms.scenario == "take_the_fortress" else "the castle"
    draft.say(f"{draft.before.side_name(side)} holds {where}." if side else f"Nobody holds {where}.")


@step_kind("building")
def set_building_wounds(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set a building's wounds; at two it is ablaze (SCEN-10)."""
    if draft.terms.scenario != "chevauchee":
        raise Refusal(f"There are no buildings to burn in {draft.terms.row.name}.", field="building")
    number = check_count(body.get("building"), "building", least=1, most=VILLAGE)
    wounds = check_count(body.get("wounds"), "wounds of the building", most=BUILDING_WOUNDS)
    draft.write(f"building/{number}", wounds)
    now = "is ablaze" if wounds == BUILDING_WOUNDS else f"has {wounds} of {BUILDING_WOUNDS} wounds"
    draft.say(f"Building {number} {now}.")


@step_kind("yielded")
def yield_battle(draft: StepDraft, body: Mapping[str, Any]) -> None:
    side = check_one_of(body.get("side"), draft.before.sides, "side")
    draft.write(f"yielded/{side}", True)
    draft.say(f"{draft.before.side_name(side)} yields.")


@step_kind("stopped")
def stop_battle(draft: StepDraft, body: Mapping[str, Any]) -> None:
    draft.write("stopped", bool(body.get("stopped", True)))
    draft.say("The battle ends as a draw." if body.get("stopped", True) else "The battle continues.")


@step_kind("put_away")
def pause_battle(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Pause the battle, or continue it."""
    draft.write("away", bool(body.get("away", True)))
    number = draft.round
    draft.say(f"Paused in round {number}." if body.get("away", True) else f"Round {number} continues.")


@step_kind("spent")
def set_vp_spent(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set the total VP a side has spent in this battle."""
    side = check_one_of(body.get("side"), draft.before.sides, "side")
    vp = check_count(body.get("vp"), "VP spent", most=999)
    draft.write(f"spent/{side}", vp)
    draft.say(f"{draft.before.side_name(side)} has spent {vp} VP in this battle.")


def _read_held(draft: StepDraft, given: Mapping[str, Any], what: str, most: int) -> dict[str, int]:
    found = {side: check_count(given.get(side, 0), f"{what} of side {side}", most=most) for side in draft.before.sides}
    if sum(found.values()) > most:
        raise Refusal(f"There are only {most} {what}, but you entered {sum(found.values())}.", field="held")
    return found


def _held_text(draft: StepDraft, held: Mapping[str, int]) -> str:
    return ", ".join(f"{draft.before.side_name(side)} {number}" for side, number in held.items())


# --- whose turn it is: worked out from the tokens, never stored ----------------------------------------------------


def side_order(tracker: TrackerState) -> tuple[str, ...]:
    """The sides in turn order for this round."""
    sides = tracker.sides
    now = tracker.cells.get("begins_now")
    begins = now[1] if now and now[0] == tracker.round else tracker.cells.get("begins")
    if begins not in sides:
        return sides
    at = sides.index(begins)
    return sides[at:] + sides[:at]


def side_to_act(tracker: TrackerState) -> str | None:
    """The side to act next; None if every unit has acted."""
    if not tracker.round:
        return None
    last = tracker.cells.get("last")
    waiting = {side: sum(not unit.acted for unit in tracker.units_here(side)) for side in tracker.sides}
    return next_side(side_order(tracker), last[1] if last and last[0] == tracker.round else None, waiting)


def rolls_initiative_each_round(tracker: TrackerState, terms: BattleTerms) -> bool:
    """House rule: roll initiative every round (R-48)."""
    return terms.options.initiative == "each_round"
