"""Moves, charges and ground: how far, through what, and who may stand where."""

from __future__ import annotations

from collections.abc import Iterable

from refusal import Refusal
from rulebook.answers import Answer, no, yes
from rulebook.events import event_of, may_move, moves_allowed
from rulebook.inplay import Place, UnitInPlay
from rulebook.rolls import count, inches
from rulebook.terrain import refuse_to_enter, terrain_of


def reach(unit: UnitInPlay, event: str | None = None) -> int:
    """Inches a unit may move this activation; twice its move after a speech if it is the first of its army."""
    now = None if event is None else event_of(event)
    return unit.unit.move * moves_allowed(now, first_of_its_army=unit.first_activated)


def may_go(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit may move so far. ``crossed`` are the kinds of terrain it would enter before the end of its way."""
    far = inches(distance, "distance")
    if unit.fleeing:
        return no("The unit is fleeing: it runs its own way and chooses no move.", "FLEE-02")
    if engaged:
        return no("The unit is in melee and can only attack.", "ROUND-06")
    if not may_move(None if event is None else event_of(event), mud_roll):
        return no(f"The ground holds the unit fast: 3 is needed and {mud_roll} was rolled.", "EVENT-04", "R-91")
    for key in crossed:
        ground = terrain_of(key)
        if not ground.enterable:
            return no(f"{ground.name} cannot be crossed.", *ground.rules)
        if ground.stops:
            return no(f"{ground.name} ends the move of a unit that enters it.", "MOVE-03", *ground.rules)
    most = reach(unit, event)
    if far > most:
        return no(f'{unit.unit.name}: {most}" is the most, and this is {far:g}".', "MOVE-01")
    return yes(f'{far:g}" is within the {most}" of {unit.unit.name}.', "MOVE-01")


def may_charge(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit can charge an enemy that far away: a charge is a move into contact, with a move's limits."""
    way = may_go(unit, distance, engaged=engaged, crossed=crossed, event=event, mud_roll=mud_roll)
    if not way:
        return no(way.reason, "MOVE-05", *way.rules)
    return yes("The unit can move into contact and attack.", "MOVE-05", *way.rules)


def may_pass(other: str, bases_away: float, *, charging: bool = False) -> Answer:
    """Whether a move may come so close to another unit; ``other`` is friend or enemy."""
    gap = inches(bases_away, "gap in bases")
    if other == "friend":
        return yes("One's own units may be moved through.", "MOVE-04")
    if other != "enemy":
        raise Refusal(f"The other unit is {other!r}; it is friend or enemy.", field="other")
    if charging:
        return yes("The unit goes in to fight.", "MOVE-04", "MOVE-05")
    if gap < 1:
        return no("A unit keeps one base away from the enemy unless it goes in to fight.", "MOVE-04")
    return yes("It keeps its distance from the enemy.", "MOVE-04")


def stays_together(gaps_in_bases: Iterable[float]) -> Answer:
    """Whether models keep together; each gap is the distance of a model to its nearest comrade, in bases."""
    if any(inches(gap, "gap in bases") > 1 for gap in gaps_in_bases):
        return no("A model is more than a base away from its comrades.", "MOVE-02", "UNIT-01")
    return yes("Every model is within a base of another.", "MOVE-02", "UNIT-01")


def stops_in(key: str) -> Answer:
    """Whether entering such a piece ends the move."""
    ground = terrain_of(key)
    if ground.stops:
        return yes(f"{ground.name} ends the move of a unit that enters it.", "MOVE-03", *ground.rules)
    return no(f"{ground.name} does not end a move.", *ground.rules)


def may_occupy(unit: UnitInPlay, place: Place, *, occupied: bool = False) -> Answer:
    """Whether a unit can stand in this piece. The courtyard is no piece, so several units find room there."""
    try:
        refuse_to_enter(unit.unit, place.ground, on_wall=place.on_wall, occupied=occupied and not place.in_courtyard)
    except Refusal as refusal:
        return no(refusal.sentence, "TERRAIN-14" if place.on_wall and unit.unit.mounted else "TERRAIN-04")
    return yes(f"The unit can stand in {place.ground.name.lower()}.", *place.ground.rules)


def occupies(models_wholly_inside: int) -> Answer:
    """Whether a unit occupies a piece: one model wholly inside takes all the others in."""
    if count(models_wholly_inside, "number of models wholly inside"):
        return yes("A model is wholly inside, so the whole unit is moved in and occupies the piece.", "TERRAIN-02")
    return no("No model is wholly inside: the unit halts at the rim.", "TERRAIN-03")
