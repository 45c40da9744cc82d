"""The solo opponent: the distances the tracker needs, and what the next unit does."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

import dataclass_json
from battles.tracker.core.state import AttackKind, TrackedUnit, TrackerState
from battles.tracker.core.steps.tracker_step import Inches, Number, StepDraft, TrackerStep, UnitId, register_step
from dataclass_json import STORED, Count, Text
from refusal import Refusal
from rulebook.battle.assault import Bombardment, can_bombard
from rulebook.battle.castle import PIECES, piece_of
from rulebook.battle.dice import shooting_pools
from rulebook.data.heroes import HERO_REACH
from rulebook.input_checks import check_d10
from rulebook.solo_opponent import Decision, SeenUnit, SoloUnit, decide_turn, solo_row

PIECE_BY_NAME = {piece.name: piece.key for piece in PIECES}

# The attack that carries out each action.
LEADS_TO: dict[str, AttackKind] = {"shoot": "shoot", "charge": "charge", "attack": "strike", "rally": "rally"}


def units_needing_distances(tracker: TrackerState) -> tuple[TrackedUnit, ...]:
    """Units whose nearest enemy the players must enter: still to act, not fleeing, not in melee."""
    if tracker.solo is None:
        return ()
    return tuple(
        unit
        for unit in tracker.units_here(tracker.solo)
        if not unit.acted and not unit.fleeing and not tracker.contacts(unit.id)
    )


MaybeUnit = Annotated[str, Text("The unit", 40, empty=True)]  # an empty text: there is none


@dataclass(frozen=True, slots=True)
class Distances:
    """What the players see from one unit: its nearest enemy, how far away, and whether it is visible and reachable."""

    enemy: MaybeUnit | None = None
    inches: Inches | None = None
    sees: bool | None = None
    reach: bool | None = None
    friend: MaybeUnit | None = None
    friend_inches: Inches | None = None
    piece: Annotated[str, Text("The castle piece", 40, empty=True)] | None = None  # nearest wall a Cat-non sees
    piece_inches: Inches | None = None

    def over(self, before: "Distances") -> "Distances":
        given = {part.name: value for part in fields(self) if (value := getattr(self, part.name)) is not None}
        return replace(before, **given)


def remembered_distances(tracker: TrackerState, unit: str) -> Distances:
    """The distances entered for this unit last time."""
    return dataclass_json.read(Distances, tracker.cells.get(f"seen/{unit}") or {}, STORED)


def solo_units(tracker: TrackerState, distances: Mapping[str, Distances]) -> tuple[SoloUnit, ...]:
    if tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=409)
    units = []
    for unit in tracker.units_here(tracker.solo):
        engaged = tracker.contacts(unit.id)
        seen = distances.get(unit.id) or Distances()
        nearest: tuple[SeenUnit, ...] = ()
        enemy = None
        if seen.enemy:
            enemy = tracker.unit(seen.enemy)
            if enemy.side == unit.side or not enemy.here:
                raise Refusal(f"{tracker.full_name(enemy.id)} is not an enemy in this battle.", field="enemy")
            nearest = (SeenUnit(tracker.full_name(enemy.id), seen.inches or 0.0),)
        sees = seen.sees is not False and bool(nearest)
        shooter = bool(shooting_pools(unit.now))
        open_target = enemy is not None and not tracker.contacts(enemy.id)
        close = bool(nearest) and nearest[0].inches <= unit.row.move and seen.reach is not False
        friends: tuple[SeenUnit, ...] = ()
        if seen.friend:
            friend = tracker.unit(seen.friend)
            friends = (SeenUnit(tracker.full_name(friend.id), min(seen.friend_inches or 0.0, HERO_REACH)),)
        units_in_sight = nearest if sees and shooter and open_target and not engaged else ()
        units.append(
            SoloUnit(
                tracker.full_name(unit.id),
                unit.now.key,
                unit.now.living_hero,
                activated=unit.acted,
                fleeing=unit.fleeing,
                engaged=bool(engaged) and not unit.fleeing,
                can_shoot=shooter,
                fixed=unit.fixed,
                targets=_walls_in_sight(tracker, unit, seen) if unit.row.siege_only else units_in_sight,
                chargeable=nearest if close and not engaged else (),
                enemies=nearest,
                visible=nearest if sees else (),
                friends=friends,
            )
        )
    return tuple(units)


def _walls_in_sight(tracker: TrackerState, gun: TrackedUnit, seen: Distances) -> tuple[SeenUnit, ...]:
    """The castle piece a Cat-non fires at: the nearest it sees that still stands (SOLO-03, UNIT-26)."""
    if not seen.piece or not tracker.has_castle:
        return ()
    piece = piece_of(seen.piece)
    inches = seen.piece_inches or 0.0
    shot = Bombardment(gun.now, piece.key, inches, engaged=bool(tracker.contacts(gun.id)))
    return (SeenUnit(piece.name, inches),) if can_bombard(tracker.castle(), shot) else ()


def standing_walls(tracker: TrackerState) -> tuple[tuple[str, str], ...]:
    """The pieces a Cat-non can still fire at, with their names."""
    if not tracker.has_castle:
        return ()
    return tuple((state.key, state.piece.name) for state in tracker.castle().pieces if state.standing_wall)


@dataclass(frozen=True, slots=True)
class HeroAdvice:
    """The power the unit's hero uses first, and on whom."""

    hero: str
    on: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class SoloDecision:
    """What the solo opponent does next, or which of several units or targets the players must choose."""

    round: int
    roll: int
    row: str
    unit: str | None
    does: str | None
    target: str | None
    tied: tuple[str, ...] = ()
    tie: str | None = None
    reasons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    hero: HeroAdvice | None = None
    piece: str | None = None  # the wall that a Cat-non fires at

    @classmethod
    def from_cell(cls, cell: Mapping[str, Any]) -> "SoloDecision":
        return dataclass_json.read(cls, cell, STORED)

    def to_cell(self) -> Mapping[str, object]:
        cell = {part.name: dataclass_json.write(getattr(self, part.name)) for part in fields(self)}
        return {name: value for name, value in cell.items() if name not in ("hero", "piece") or value}


@dataclass(frozen=True, slots=True)
class SoloDie:
    """The die that was rolled for the next activation. ``tie`` decides the roll-offs."""

    roll: int
    tie: int


@register_step("solo_die")
class RollSoloDie(TrackerStep):
    """The solo opponent's die, before anything is measured."""

    roll: Number
    second: Number = 1

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        side = draft.before.solo
        if side is None:
            raise Refusal("This battle has no solo opponent.", status=409)
        roll = check_d10(self.roll, "solo roll")
        tie = check_d10(self.second, "roll-off")
        draft.write("solo_die", [draft.round, roll, tie])
        draft.say(f"{draft.before.side_name(side)} rolls a {roll}: {solo_row(roll).name}.")


def pending_die(tracker: TrackerState) -> SoloDie | None:
    """The die that no unit has acted on yet."""
    cell = tracker.cells.get("solo_die")
    return SoloDie(cell[1], cell[2]) if cell and cell[0] == tracker.round else None


@register_step("solo")
class DecideSoloTurn(TrackerStep):
    """One roll for the solo opponent: which unit acts, what it does, and why. Ties need a roll-off."""

    roll: Number
    seen: Annotated[Mapping[UnitId, Distances], Count("Units", 30)] = field(default_factory=dict)
    unit: UnitId | None = None
    at: UnitId | None = None

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        tracker = draft.before
        roll = check_d10(self.roll, "solo roll")
        known = {
            unit.id: self.seen.get(unit.id, Distances()).over(remembered_distances(tracker, unit.id))
            for unit in units_needing_distances(tracker)
        }
        decision = decide_turn(
            solo_units(tracker, known),
            roll,
            unit=_full_name(tracker, self.unit),
            target=_full_name(tracker, self.at),
        )
        by_name = {tracker.full_name(key): key for key in tracker.unit_ids()}
        for key, seen in known.items():
            if seen != Distances():
                draft.write(f"seen/{key}", dataclass_json.write(seen))
        if tracker.cells.get("solo_die"):
            draft.write("solo_die", None)
        draft.write("solo_now", _decision(tracker, decision, by_name, roll).to_cell())
        for reason in decision.reasons:
            draft.say(reason)


def _full_name(tracker: TrackerState, key: str | None) -> str | None:
    return tracker.full_name(tracker.unit(key).id) if key else None


def _decision(tracker: TrackerState, decision: Decision, by_name: Mapping[str, str], roll: int) -> SoloDecision:
    unit = by_name.get(decision.unit or "")
    target = by_name.get(decision.target or "")
    if decision.does is not None and decision.does.key == "attack" and unit:
        target = next(iter(tracker.contacts(unit)), None)
    hero = decision.hero
    return SoloDecision(
        tracker.round,
        roll,
        decision.row.name if decision.row else "",
        unit,
        decision.does.key if decision.does else None,
        target,
        tuple(by_name[name] for name in decision.tied),
        decision.tie,
        tuple(decision.reasons),
        tuple(decision.rules),
        HeroAdvice(hero.hero, tuple(by_name[name] for name in hero.on), hero.text) if hero else None,
        PIECE_BY_NAME.get(decision.target or ""),
    )


def pending_decision(tracker: TrackerState) -> SoloDecision | None:
    """The decision that is not carried out yet."""
    cell = tracker.cells.get("solo_now")
    if not cell or cell["round"] != tracker.round:
        return None
    unit = cell.get("unit")
    if unit and (tracker.unit(unit).acted or not tracker.unit(unit).here):
        return None
    return SoloDecision.from_cell(cell)
