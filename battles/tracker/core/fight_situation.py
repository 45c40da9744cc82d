"""Build the rulebook's situation for an attack from the tracker's state and the ticks of a form."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, get_args

from battles.tracker.core.fight import AttackKind, Situation
from battles.tracker.core.state import BattleTerms, TrackedUnit, TrackerState, is_first_to_act
from battles.tracker.core.steps.registry import Inches
from dataclass_json import Text, Whole
from refusal import Refusal
from rulebook.battle.actions import can_shoot
from rulebook.battle.combat import Building, BuildingAttack, can_attack_building
from rulebook.battle.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.unit_in_play import KingStatus, Place, UnitInPlay, king_status_at
from rulebook.checks import check_count, check_one_of
from rulebook.data.battlefield import MESSENGER
from rulebook.data.heroes import HERO_REACH
from rulebook.data.tracks import SetAblaze
from rulebook.siege.assault import Bombardment
from rulebook.siege.castle import adjacent_pieces, piece_of

ATTACK_KINDS: tuple[str, ...] = get_args(AttackKind)
# Singular and plural.
ATTACK_VERBS = {
    "shoot": ("shoots at", "shoot at"),
    "charge": ("charges", "charge"),
    "strike": ("strikes", "strike"),
    "cast": ("casts a spell at", "cast a spell at"),
    "rally": ("tries to rally", "try to rally"),
    "torch": ("sets fire to", "set fire to"),
    "bombard": ("fires at", "fire at"),
    "nerve": ("tests morale", "test morale"),
}
FAR, NEAR = 12.0, 6.0
MAX_BUILDINGS = 4  # where the scenario has none, as with one attack outside a battle

BEARER_TICKS = ("bearer", "bearer_2", "bearer_3")


def attack_verb(how: str, unit: UnitInPlay) -> str:
    return ATTACK_VERBS[how][unit.unit.many]


Terrain = Annotated[str, Text("The terrain", 40)]
Flankers = Annotated[int, Whole("The number of flanking units", 0, 20)]


@dataclass(frozen=True, slots=True)
class Ticks:
    """What the players see on the table, or nothing where they did not say. The tracker fills in what it knows."""

    still: bool | None = None
    far: bool | None = None
    inches: Inches | None = None
    king_near: bool | None = None
    target_king_near: bool | None = None
    bearer: bool | None = None
    bearer_2: bool | None = None
    bearer_3: bool | None = None
    target_bearer: bool | None = None
    target_bearer_2: bool | None = None
    target_bearer_3: bool | None = None
    enemy_inside: bool | None = None
    flanked: Flankers | None = None
    target_flanked: Flankers | None = None
    at: Terrain | None = None
    extra_tall: bool | None = None
    target_at: Terrain | None = None
    target_extra_tall: bool | None = None
    king: KingStatus | None = None
    target_king: KingStatus | None = None

    def over(self, filled_in: Ticks) -> Ticks:
        """These ticks, and where nothing was said those filled in."""
        given = {one.name: value for one in fields(self) if (value := getattr(self, one.name)) is not None}
        return replace(filled_in, **given)


NO_TICKS = Ticks()


def prefill_ticks(
    tracker: TrackerState, terms: BattleTerms, how: str, attacker: TrackedUnit, target: TrackedUnit | None
) -> Ticks:
    """The ticks the tracker can fill in by itself."""
    ticks = Ticks(at=attacker.at.terrain, extra_tall=attacker.at.extra_tall)
    if how in ("shoot", "bombard"):
        ticks = replace(ticks, still=not attacker.moved)
    if target is not None:
        ticks = replace(
            ticks,
            target_at=target.at.terrain,
            target_extra_tall=target.at.extra_tall,
            target_flanked=len([one for one in tracker.contacts(target.id) if one != attacker.id]),
            flanked=len([one for one in tracker.contacts(attacker.id) if one != target.id]),
        )
    return ticks


def king_whereabouts(tracker: TrackerState, unit: TrackedUnit, near: bool) -> KingStatus | None:
    """Where the unit's King is. Only the players know whether he is near."""
    if unit.now.key == "king":
        return None
    king = tracker.king(unit.side)
    if king is None:
        return None
    inches = float(HERO_REACH if near else HERO_REACH + 1)
    status = king_status_at(inches, fleeing=king.fleeing, gone=not king.here)
    return None if status == "far" else status  # far is what nothing said means


@dataclass(frozen=True, slots=True)
class _SeenPlace:
    """The ticks of one of the two units."""

    at: str | None
    extra_tall: bool | None
    flanked: int | None
    king: KingStatus | None
    king_near: bool
    bearers: int


def _seen_places(ticks: Ticks) -> tuple[_SeenPlace, _SeenPlace]:
    # One tick for each standard, so that several can add up under the house rule.
    bearers = (ticks.bearer, ticks.bearer_2, ticks.bearer_3)
    target_bearers = (ticks.target_bearer, ticks.target_bearer_2, ticks.target_bearer_3)
    return (
        _SeenPlace(
            ticks.at, ticks.extra_tall, ticks.flanked, ticks.king, bool(ticks.king_near), sum(map(bool, bearers))
        ),
        _SeenPlace(
            ticks.target_at,
            ticks.target_extra_tall,
            ticks.target_flanked,
            ticks.target_king,
            bool(ticks.target_king_near),
            sum(map(bool, target_bearers)),
        ),
    )


def _place(tracker: TrackerState, unit: TrackedUnit, seen: _SeenPlace, fighting: str | None) -> Place:
    place = tracker.place_of(unit, fighting)
    if place.piece is None and not unit.at.castle:
        terrain = seen.at or place.terrain
        tall = (place.extra_tall if seen.extra_tall is None else seen.extra_tall) and terrain == "mound"
        place = Place(terrain, extra_tall=tall)
    return replace(
        place,
        flanked=place.flanked
        if seen.flanked is None
        else check_count(seen.flanked, "number of flanking units", most=20),
        king=seen.king or king_whereabouts(tracker, unit, seen.king_near),
        bearers=seen.bearers,
    )


def build_situation(
    tracker: TrackerState,
    terms: BattleTerms,
    how: str,
    attacker: TrackedUnit,
    target: TrackedUnit | None,
    given: Ticks = NO_TICKS,
    *,
    building: int | None = None,
    piece: str | None = None,
) -> Situation:
    """The situation as the rulebook sees it. Refuses what is impossible."""
    check_one_of(how, ATTACK_KINDS, "attack")
    if tracker.event == MESSENGER and how != "nerve" and is_first_to_act(tracker, attacker.side):
        # The first unit of its army to act gets the Messenger (EVENT-09).
        attacker = replace(attacker, now=replace(attacker.now, first_activated=True))
    ticks = given.over(prefill_ticks(tracker, terms, how, attacker, target))
    mine, theirs = _seen_places(ticks)
    event = tracker.event
    at = _place(tracker, attacker, mine, target.id if target else None)
    if how == "rally":
        return Rally(attacker.now, replace(at, flanked=0), event)
    if how == "nerve":
        return Morale(attacker.now, None, replace(at, flanked=0), 0, event)
    distance = ticks.inches if ticks.inches is not None else FAR if ticks.far else NEAR
    engaged = bool(tracker.contacts(attacker.id))
    if how == "torch":
        track = terms.row.track(SetAblaze)
        number = check_count(building, "building", least=1, most=track.most if track else MAX_BUILDINGS)
        wounds = int(tracker.get(f"building/{number}", 0))
        house, inside = Building(f"Building {number}", wounds), bool(ticks.enemy_inside)
        fire = BuildingAttack(attacker.now, house, at, True, event, engaged, inside)
        can_attack_building(fire, terms.options).require("building")
        return fire
    if how == "bombard":
        if not tracker.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        wall = piece_of(piece).key
        return Bombardment(attacker.now, wall, distance, replace(at, flanked=0), not ticks.still, engaged, event)
    if target is None:
        raise Refusal("Choose a target.", field="target")
    if target.side == attacker.side:
        raise Refusal("The target is a friendly unit. Choose an enemy.", field="target")
    there = _place(tracker, target, theirs, attacker.id)
    adjacent = at.on_wall and there.on_wall and _are_adjacent(attacker, target)
    target_engaged = bool(tracker.contacts(target.id))
    if how == "shoot":
        can_shoot(
            attacker.now,
            at=at,
            target_at=there,
            engaged=engaged,
            target_engaged=target_engaged,
            moved=not ticks.still,
            options=terms.options,
        ).require("target")
        return Shooting(attacker.now, target.now, distance, at, there, not ticks.still, adjacent, event)
    if how == "cast":
        return Casting(
            attacker.now,
            target.now,
            at,
            there,
            # Enemies on the next piece of a wall flank, but are not in melee until one attacks the other.
            engaged or bool(at.flanked and not at.on_wall),
            target_engaged or bool(there.flanked and not there.on_wall),
            target.acted,
            event,
        )
    return Melee(attacker.now, target.now, at, there, how == "charge", False, adjacent, event)


def _are_adjacent(one: TrackedUnit, two: TrackedUnit) -> bool:
    return one.at.castle is not None and two.at.castle in adjacent_pieces(one.at.castle)


def attacked_object(piece: str | None, building: int | None) -> str:
    if piece:
        return f"the {piece_of(piece).name}"
    return f"building {building}" if building else ""
