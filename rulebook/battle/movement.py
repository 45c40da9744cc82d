"""Moves, charges and terrain: how far, through what, and who can stop where."""

from __future__ import annotations

from collections.abc import Iterable

from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_inches
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.random_events import MUD_NEEDS, allows_move, event_of, move_count
from rulebook.data.terrain import check_can_enter, terrain_of


def moves_allowed(unit: UnitInPlay, event: str | None = None) -> int:
    """How many moves its activation has: two after a speech for the first unit of its army (EVENT-07, R-97)."""
    now = None if event is None else event_of(event)
    return move_count(now, first_of_its_army=unit.first_activated)


def can_move_again(unit: UnitInPlay, moves_made: int, event: str | None = None) -> Answer:
    """Whether a unit has another move in this activation. Each is a move of its own, with a move's limits."""
    if check_count(moves_made, "number of moves made") >= moves_allowed(unit, event):
        return no("The unit has already moved this activation.", "ROUND-05")
    if moves_made:
        return yes("The speech gives it a second move. What stopped the first does not stop this one.", "R-97")
    return yes("The unit has not moved yet.", "ROUND-05")


def can_move(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit may move so far in one move. ``crossed``: kinds of terrain it would enter before its end."""
    far = check_inches(distance, "distance")
    if unit.fleeing:
        return no("The unit is fleeing and cannot choose its move.", "FLEE-02")
    if engaged:
        return no("The unit is in melee and can only attack.", "ROUND-06")
    try:
        free = allows_move(None if event is None else event_of(event), mud_roll)
    except Refusal as refusal:  # in mud, and nobody has rolled yet
        return no(refusal.sentence, "EVENT-04")
    if not free:
        return no(f"The unit is stuck: it needs {MUD_NEEDS}+ and rolled {mud_roll}.", "EVENT-04", "R-91")
    for key in crossed:
        ground = terrain_of(key)
        if not ground.enterable:
            return no(f"{ground.name} cannot be crossed.", *ground.rules)
        stop = ends_move(key)
        if stop:
            return no(stop.reason, *stop.rules)
    most = unit.unit.move
    if far > most:
        return no(f'{unit.unit.name} can move {most}", not {far:g}".', "MOVE-01")
    return yes(f'{far:g}" is within the {most}" that {unit.unit.name} can move.', "MOVE-01")


def can_charge(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit can charge an enemy that far away: a charge is a move into contact, with a move's limits."""
    way = can_move(unit, distance, engaged=engaged, crossed=crossed, event=event, mud_roll=mud_roll)
    if not way:
        return no(way.reason, "MOVE-05", *way.rules)
    return yes("The unit can move into contact and attack.", "MOVE-05", *way.rules)


def can_pass(other: str, bases_away: float, *, charging: bool = False) -> Answer:
    """Whether a move may come so close to another unit; ``other`` is friend or enemy."""
    gap = check_inches(bases_away, "gap in bases")
    if other == "friend":
        return yes("You can move through your own units.", "MOVE-04")
    if other != "enemy":
        raise Refusal(f"The other unit is {other!r}; it is friend or enemy.", field="other")
    if charging:
        return yes("The unit is charging.", "MOVE-04", "MOVE-05")
    if gap < 1:
        return no("A unit stays one base away from enemies unless it charges.", "MOVE-04")
    return yes("It stays far enough from the enemy.", "MOVE-04")


def is_together(gaps_in_bases: Iterable[float]) -> Answer:
    """Whether models keep together; each gap is the distance of a model to its nearest comrade, in bases."""
    if any(check_inches(gap, "gap in bases") > 1 for gap in gaps_in_bases):
        return no("A model is more than one base away from the others.", "MOVE-02", "UNIT-01")
    return yes("Every model is within one base of another.", "MOVE-02", "UNIT-01")


def ends_move(key: str) -> Answer:
    """Whether entering such a piece ends the move."""
    ground = terrain_of(key)
    if ground.stops:
        return yes(f"{ground.name} ends the move of a unit that enters it.", "MOVE-03", *ground.rules)
    return no(f"{ground.name} does not end a move.", *ground.rules)


def can_occupy(unit: UnitInPlay, place: Place, *, occupied: bool = False) -> Answer:
    """Whether a unit can stand in this piece. The courtyard is not a piece, so it has room for several units."""
    try:
        check_can_enter(unit.unit, place.ground, on_wall=place.on_wall, occupied=occupied and not place.in_courtyard)
    except Refusal as refusal:
        return no(refusal.sentence, "TERRAIN-14" if place.on_wall and unit.unit.mounted else "TERRAIN-04")
    return yes(f"The unit can stand in {place.ground.name.lower()}.", *place.ground.rules)


def is_occupying(models_wholly_inside: int) -> Answer:
    """Whether a unit occupies a piece: one model wholly inside takes all the others in."""
    if check_count(models_wholly_inside, "number of models wholly inside"):
        return yes("One model is wholly inside, so the whole unit moves in and occupies the piece.", "TERRAIN-02")
    return no("No model is wholly inside, so the unit stops at the edge.", "TERRAIN-03")
