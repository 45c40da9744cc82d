"""The course of the battle: initiative, random events, the end of a round, goals held, yielding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.draft import Draft, step
from battles.tracker.table import Table, Terms
from refusal import Refusal
from rulebook.activation import begins_round, initiative, next_side
from rulebook.burning import BUILDING_WOUNDS, VILLAGE
from rulebook.events import EVENT, MUD_NEEDS, REINFORCEMENTS, RETURNS_ON, event_rolled, event_strikes, round_event
from rulebook.rolls import count, d10, one_of
from rulebook.scoring import CROSSINGS, MOUNDS


@step("begin")
def begin(draft: Draft, body: Mapping[str, Any]) -> None:
    """The first round: a die for each side, unless the scenario says who begins (ROUND-01, SCEN-07)."""
    if draft.round:
        raise Refusal("The battle has begun already.", status=409)
    sides = draft.before.sides
    first = draft.terms.row.first_turn
    if first is not None:
        draft.put("begins", first)
        draft.say(f"{draft.before.side_name(first)} begins, as the scenario has it.")
    else:
        rolls = body.get("rolls") or {}
        found = initiative({side: d10(rolls.get(side), f"initiative roll of side {side}") for side in sides})
        if found.side is None:
            raise Refusal(
                f"{' and '.join(draft.before.side_name(side) for side in found.roll_again)} are level. Roll again.",
                field="rolls",
            )
        said = ", ".join(f"{draft.before.side_name(side)} {rolls[side]}" for side in sides)
        draft.put("begins", found.side)
        draft.say(f"Initiative: {said}. {draft.before.side_name(found.side)} begins.")
    draft.put("round", 1)


@step("event")
def event(draft: Draft, body: Mapping[str, Any]) -> None:
    """The round's die, and a second one on 8 or more (EVENT-02)."""
    draft.begun()
    roll = d10(body.get("roll"), "event roll")
    second = body.get("second")
    found = round_event(roll, second if event_strikes(roll) else None, draft.terms.options)
    draft.put("event", [draft.round, found.key if found else None])
    draft.say(f"Event die {roll}: {f'{found.name}. {found.text}' if found else 'nothing happens this round.'}")


@step("event_is")
def event_is(draft: Draft, body: Mapping[str, Any]) -> None:
    """The event the table has rolled by itself."""
    draft.begun()
    key = body.get("event") or None
    if key is not None:
        one_of(key, EVENT, "event")
    draft.put("event", [draft.round, key])
    draft.say(f"This round: {EVENT[key].name}." if key else "No event this round.")


@step("reinforced")
def reinforced(draft: Draft, body: Mapping[str, Any]) -> None:
    """A d10 for a unit with losses; on a 10 one model returns (EVENT-10, R-92)."""
    if draft.before.event != REINFORCEMENTS:
        raise Refusal("There are no reinforcements this round.", status=409)
    unit = draft.unit(body.get("unit"), noted=("left",))
    told = draft.look(f"{unit.id}/reinforced")
    if told == draft.round:
        raise Refusal(draft.does(unit, "has", "have") + " rolled for reinforcements already.", status=409)
    if unit.lost == 0:
        raise Refusal(draft.does(unit, "has", "have") + " lost no model.", status=409)
    roll = d10(body.get("roll"), "reinforcement roll")
    draft.put(f"{unit.id}/reinforced", draft.round)
    if roll == RETURNS_ON:
        left = dict(draft.look(f"{unit.id}/left"))
        left["models"] += 1
        draft.put(f"{unit.id}/left", left)
        draft.say(f"{draft.called(unit.id)}: a 10, one model returns.")
    else:
        draft.say(f"{draft.called(unit.id)}: {roll}, nobody returns.")


@step("mud")
def mud(draft: Draft, body: Mapping[str, Any]) -> None:
    """The die before a unit moves in mud (EVENT-04)."""
    unit = draft.unit(body.get("unit"), noted=())
    roll = d10(body.get("roll"), "mud roll")
    stuck = roll < MUD_NEEDS
    draft.put(f"{unit.id}/mud", [draft.round, roll])
    draft.say(f"{draft.called(unit.id)} in the mud: {roll}, {'it is stuck' if stuck else 'it may move'}.")


@step("round_over")
def round_over(draft: Draft, body: Mapping[str, Any]) -> None:
    """The tokens come off and the next round begins. ``held`` is who holds the mounds now, where that is scored."""
    draft.begun()
    number = draft.round
    if body.get("of") not in (None, number):
        raise Refusal(f"Round {body['of']} is over already.", status=409)
    if fights := draft.before.fights():
        names = " and ".join(draft.called(key) for key in fights)
        raise Refusal(f"A fight is under way: {names}. Roll on, or leave it out.", status=409)
    if draft.terms.scenario == "hold_the_hills":
        held(draft, {"held": body.get("held") or {}, "round": number})
    most = draft.terms.row.rounds
    if most is not None and number >= most:
        draft.put("over", number)
        draft.say(f"Round {number} was the last. The battle is decided.")
        return
    begins = begins_round(
        number + 1, draft.before.sides, draft.before.cells["begins"], draft.terms.options, body.get("rolls")
    )
    draft.put("round", number + 1)
    draft.put("begins_now", [number + 1, begins.side] if begins.side else None)
    draft.say(f"Round {number} is over. {'' if begins.side is None else draft.before.side_name(begins.side) + ' begins '}{f'round {number + 1}.' if begins.side else begins.reason}")  # fmt: skip


@step("held")
def held(draft: Draft, body: Mapping[str, Any]) -> None:
    """Mounds at the end of a round, told anew (SCEN-09, R-62)."""
    if draft.terms.scenario != "hold_the_hills":
        raise Refusal(f"There are no tall mounds to hold in {draft.terms.row.name}.", field="held")
    number = count(body.get("round"), "round", least=1)
    told = _shared(draft, body.get("held") or {}, "mounds", MOUNDS)
    draft.put(f"held/{number}", told)
    draft.say(f"Mounds in round {number}: {_said(draft, told)}.")


@step("crossings")
def crossings(draft: Draft, body: Mapping[str, Any]) -> None:
    if draft.terms.scenario != "secure_the_crossing":
        raise Refusal(f"There are no crossings in {draft.terms.row.name}.", field="held")
    told = _shared(draft, body.get("held") or {}, "crossings", CROSSINGS)
    draft.put("crossings", told)
    draft.say(f"Crossings held: {_said(draft, told)}.")


@step("holder")
def holder(draft: Draft, body: Mapping[str, Any]) -> None:
    """Who occupies the fortress, or is alone in the castle."""
    if draft.terms.scenario not in ("take_the_fortress", "siege"):
        raise Refusal(f"There is no fortress to hold in {draft.terms.row.name}.", field="side")
    side = body.get("side") or ""
    if side:
        one_of(side, draft.before.sides, "side")
    draft.put("holder", side)
    where = "the fortress" if draft.terms.scenario == "take_the_fortress" else "the castle"
    draft.say(f"{draft.before.side_name(side)} holds {where}." if side else f"Nobody holds {where}.")


@step("building")
def building(draft: Draft, body: Mapping[str, Any]) -> None:
    """A building's wounds as they are; two and it is ablaze (SCEN-10)."""
    if draft.terms.scenario != "chevauchee":
        raise Refusal(f"No buildings burn in {draft.terms.row.name}.", field="building")
    number = count(body.get("building"), "building", least=1, most=VILLAGE)
    wounds = count(body.get("wounds"), "wounds of the building", most=BUILDING_WOUNDS)
    draft.put(f"building/{number}", wounds)
    draft.say(f"Building {number} {'is ablaze' if wounds == BUILDING_WOUNDS else f'has {wounds} of {BUILDING_WOUNDS} wounds'}.")  # fmt: skip


@step("yielded")
def yielded(draft: Draft, body: Mapping[str, Any]) -> None:
    side = one_of(body.get("side"), draft.before.sides, "side")
    draft.put(f"yielded/{side}", True)
    draft.say(f"{draft.before.side_name(side)} yields.")


@step("stopped")
def stopped(draft: Draft, body: Mapping[str, Any]) -> None:
    draft.put("stopped", bool(body.get("stopped", True)))
    draft.say("The battle is left undecided." if body.get("stopped", True) else "The battle goes on.")


@step("put_away")
def put_away(draft: Draft, body: Mapping[str, Any]) -> None:
    """The table is cleared for tonight; the tracker keeps how everything stood."""
    draft.put("away", bool(body.get("away", True)))
    number = draft.round
    draft.say(
        f"Put away in round {number}. Everything is kept as it stands."
        if body.get("away", True)
        else f"Set up again: round {number} goes on."
    )


@step("spent")
def spent(draft: Draft, body: Mapping[str, Any]) -> None:
    """VP spent during the battle, as the table tells it: the whole number, not one more."""
    side = one_of(body.get("side"), draft.before.sides, "side")
    vp = count(body.get("vp"), "VP spent", most=999)
    draft.put(f"spent/{side}", vp)
    draft.say(f"{draft.before.side_name(side)} has spent {vp} VP in this battle.")


def _shared(draft: Draft, told: Mapping[str, Any], what: str, most: int) -> dict[str, int]:
    found = {side: count(told.get(side, 0), f"{what} of side {side}", most=most) for side in draft.before.sides}
    if sum(found.values()) > most:
        raise Refusal(f"There are {most} {what}, and {sum(found.values())} are said to be held.", field="held")
    return found


def _said(draft: Draft, told: Mapping[str, int]) -> str:
    return ", ".join(f"{draft.before.side_name(side)} {number}" for side, number in told.items())


# --- whose turn it is: read from the tokens, never stored ----------------------------------------------------------


def order(table: Table) -> tuple[str, ...]:
    """The sides with the one that begins this round first."""
    sides = table.sides
    now = table.cells.get("begins_now")
    begins = now[1] if now and now[0] == table.round else table.cells.get("begins")
    if begins not in sides:
        return sides
    at = sides.index(begins)
    return sides[at:] + sides[:at]


def turn(table: Table) -> str | None:
    """Who activates next; None when every unit has acted."""
    if not table.round:
        return None
    last = table.cells.get("last")
    waiting = {side: sum(not unit.acted for unit in table.here(side)) for side in table.sides}
    return next_side(order(table), last[1] if last and last[0] == table.round else None, waiting)


def needs_initiative(table: Table, terms: Terms) -> bool:
    """House rule: the initiative is rolled anew each round (R-48)."""
    return terms.options.initiative == "each_round"


def event_of_roll(roll: int) -> str:
    return event_rolled(roll).key
