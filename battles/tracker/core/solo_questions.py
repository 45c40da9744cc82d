"""The solo opponent's turn as one question after another: the die first, then only what its row has to know.

The rulebook takes a table measured unit by unit. Here the players point at units instead, and what they pointed at is
put as the distances that make the rulebook come to the same answer. Roll-offs are decided by the die's second number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from battles.tracker.core.state import TrackedUnit, TrackerState
from battles.tracker.core.steps.solo_turn import (
    DecideSoloTurn,
    Distances,
    SoloDie,
    pending_decision,
    pending_die,
    standing_walls,
    units_needing_distances,
)
from dataclass_json import PageOnly, stored_as
from rulebook.battle.dice import shooting_pools
from rulebook.solo_opponent import SOLO_TABLE, solo_row

NONE = "none"
# The names of all answers.
ANSWERS = ("shooter", "shot_at", "wall", "charger", "charged", "movers", "toward", "friend")
FAR, NEAR = 99.0, 1.0
NOTHING_SEEN = Distances("", FAR, False, False, "", None, "", None)


@dataclass(frozen=True, slots=True)
class Choice:
    api_name = "SoloQuestionChoice"

    value: str
    name: str
    icon: PageOnly[str]


@dataclass(frozen=True, slots=True)
class SoloQuestion:
    key: Annotated[str, "the parameter that answers it"]
    title: str = field(metadata=stored_as("text"))
    row: PageOnly[str]  # "Charge"
    hint: str
    choices: tuple[Choice, ...]
    none: Annotated[str, "the answer “none” in words; empty if one has to be chosen"]
    many: Annotated[bool, "several can be chosen"] = False


@dataclass(frozen=True, slots=True)
class SoloTurn:
    """Where its turn has got to: the die, and the next question or the decision."""

    die: SoloDie
    next: SoloQuestion | DecideSoloTurn
    is_pending: bool = False  # decided by another client, and not carried out yet


def have_all_acted(tracker: TrackerState) -> bool:
    return all(unit.acted for unit in tracker.units_here(tracker.solo or ""))


def current_turn(tracker: TrackerState, answers: Mapping[str, Sequence[str]]) -> SoloTurn | None:
    """None: its die is not rolled yet, or all its units have acted."""
    die, pending = pending_die(tracker), pending_decision(tracker)
    if die is None and pending is not None:
        unit = pending.unit or pending.tied[0]
        step = DecideSoloTurn(pending.roll, {}, unit, pending.target)
        return SoloTurn(SoloDie(pending.roll, 1), step, is_pending=True)
    if die is None or have_all_acted(tracker):
        return None
    return SoloTurn(die, next_question(tracker, die, answers))


@dataclass(frozen=True, slots=True)
class _Turn:
    tracker: TrackerState
    die: SoloDie
    answers: Mapping[str, Sequence[str]]

    @property
    def free(self) -> tuple[TrackedUnit, ...]:
        return units_needing_distances(self.tracker)

    @property
    def enemies(self) -> tuple[TrackedUnit, ...]:
        sides = [side for side in self.tracker.sides if side != self.tracker.solo]
        return tuple(unit for side in sides for unit in self.tracker.units_here(side))

    def answer(self, key: str) -> str | None:
        given = self.answers.get(key)
        return given[0] if given else None

    def pick(self, units: Sequence[TrackedUnit]) -> TrackedUnit:
        """The winner of a roll-off."""
        return units[self.die.tie % len(units)]


@dataclass(frozen=True, slots=True)
class _Found:
    unit: TrackedUnit
    seen: Distances


def next_question(
    tracker: TrackerState, die: SoloDie, answers: Mapping[str, Sequence[str]]
) -> SoloQuestion | DecideSoloTurn:
    """What has to be asked next, or the decision that follows from the answers."""
    turn = _Turn(tracker, die, answers)
    activated = _walk_the_table(turn)
    if isinstance(activated, SoloQuestion):
        return activated
    friend = _friend(turn, activated.unit)
    if isinstance(friend, SoloQuestion):
        return friend
    seen = {unit.id: NOTHING_SEEN for unit in turn.free}
    if activated.unit.id in seen:
        seen[activated.unit.id] = Distances(
            activated.seen.enemy,
            activated.seen.inches,
            activated.seen.sees,
            activated.seen.reach,
            friend,
            NEAR if friend else None,
            activated.seen.piece,
            activated.seen.piece_inches,
        )
    return DecideSoloTurn(die.roll, seen, activated.unit.id)


def _walk_the_table(turn: _Turn) -> SoloQuestion | _Found:
    first = SOLO_TABLE.index(solo_row(turn.die.roll))
    passed: set[str] = set()
    for row in SOLO_TABLE[first:] + SOLO_TABLE[:first]:
        if row.key == "shoot":
            activated = _shooter(turn)
        elif row.key == "charge":
            activated = _charger(turn, can_see="shoot" not in passed)
        elif row.key == "attack":
            fighting = [unit for unit in _to_act(turn) if turn.tracker.contacts(unit.id) and not unit.fleeing]
            activated = _Found(turn.pick(fighting), Distances()) if fighting else None
        else:
            activated = _mover(turn, nobody_attacks={"shoot", "charge"} <= passed)
        if activated is not None:
            return activated
        passed.add(row.key)
    return _move(turn, turn.pick(turn.free or _to_act(turn)))


def _to_act(turn: _Turn) -> list[TrackedUnit]:
    return [unit for unit in turn.tracker.units_here(turn.tracker.solo or "") if not unit.acted]


def _shooter(turn: _Turn) -> SoloQuestion | _Found | None:
    walls = standing_walls(turn.tracker)
    able = [unit for unit in turn.free if (walls if unit.row.siege_only else shooting_pools(unit.now))]
    unit = _choose(
        turn, "shooter", able, "Shoot", "Which of its units has the nearest target in sight?", "None sees one"
    )
    if not isinstance(unit, TrackedUnit):
        return unit
    if unit.row.siege_only:
        pieces = tuple(Choice(key, name, "c-castle") for key, name in walls)
        question = SoloQuestion(
            "wall", f"Which wall is nearest in sight of its {unit.name}?", "Shoot", "", pieces, "None in sight"
        )
        piece = _answered(turn, question)
        if isinstance(piece, SoloQuestion):
            return piece
        return _Found(unit, Distances("", FAR, False, False, piece=piece, piece_inches=NEAR)) if piece else None
    targets = [enemy for enemy in turn.enemies if not turn.tracker.contacts(enemy.id)]
    enemy = _choose_enemy(turn, "shot_at", targets, unit, "Shoot", "None in sight", "in sight of")
    return _Found(unit, Distances(enemy, NEAR, True, False)) if isinstance(enemy, str) else enemy


def _charger(turn: _Turn, *, can_see: bool) -> SoloQuestion | _Found | None:
    able = [unit for unit in turn.free if not unit.fixed and not unit.row.siege_only]
    unit = _choose(
        turn, "charger", able, "Charge", "Which of its units is nearest to one of yours?", "None is in reach"
    )
    if not isinstance(unit, TrackedUnit):
        return unit
    none = f"None within {unit.row.move}″"
    enemy = _choose_enemy(turn, "charged", turn.enemies, unit, "Charge", none, "nearest to")
    sees = can_see or not shooting_pools(unit.now)
    return _Found(unit, Distances(enemy, NEAR, sees, True)) if isinstance(enemy, str) else enemy


def _mover(turn: _Turn, *, nobody_attacks: bool) -> SoloQuestion | _Found | None:
    movers: Sequence[TrackedUnit] = turn.free
    if movers and not nobody_attacks:
        question = SoloQuestion(
            "movers",
            "Which of its units can neither shoot nor charge?",
            "Move or rally",
            "Tap all of them. One of these moves.",
            tuple(_choice(unit) for unit in movers),
            "All can shoot or charge",
            many=True,
        )
        given = turn.answers.get("movers")
        if not given:
            return question
        movers = [unit for unit in movers if unit.id in given]
    if movers:
        return _move(turn, turn.pick(movers))
    fleeing = [unit for unit in _to_act(turn) if unit.fleeing]
    return _Found(turn.pick(fleeing), Distances()) if fleeing else None


def _move(turn: _Turn, unit: TrackedUnit) -> SoloQuestion | _Found:
    if unit.fixed or unit.fleeing or turn.tracker.contacts(unit.id):
        return _Found(unit, NOTHING_SEEN)
    enemy = _choose_enemy(turn, "toward", turn.enemies, unit, "Move", "", "nearest to")
    return enemy if isinstance(enemy, SoloQuestion) else _Found(unit, Distances(enemy or "", FAR, False, False))


def _friend(turn: _Turn, unit: TrackedUnit) -> SoloQuestion | str | None:
    """Whom a Cleric or a Princess turns to first."""
    if unit.now.living_hero not in ("cleric", "princess") or unit.power_used or unit.fleeing:
        return None
    friends = [friend for friend in turn.tracker.units_here(unit.side) if friend.id != unit.id]
    question = SoloQuestion(
        "friend",
        f"Which of its other units is nearest to its {unit.name}?",
        f"Its {unit.now.living_hero.title()} first",
        "Within 8″.",
        tuple(map(_choice, friends)),
        "None within 8″",
    )
    return _answered(turn, question) if friends else None


def _choose(
    turn: _Turn, key: str, units: Sequence[TrackedUnit], row: str, title: str, none: str
) -> SoloQuestion | TrackedUnit | None:
    """One of its units; with only one there is nothing to ask."""
    if len(units) <= 1:
        return units[0] if units else None
    given = _answered(turn, SoloQuestion(key, title, row, "", tuple(_choice(unit) for unit in units), none))
    return next(unit for unit in units if unit.id == given) if isinstance(given, str) else given


def _choose_enemy(
    turn: _Turn, key: str, enemies: Sequence[TrackedUnit], unit: TrackedUnit, row: str, none: str, how: str
) -> SoloQuestion | str | None:
    title = f"Which of your units is {'nearest ' if how.startswith('in') else ''}{how} its {unit.name}?"
    if not enemies:
        return None
    return _answered(turn, SoloQuestion(key, title, row, "", tuple(_choice(enemy) for enemy in enemies), none))


def _answered(turn: _Turn, question: SoloQuestion) -> SoloQuestion | str | None:
    """The answer, None for "none of them", or the question if it is open."""
    given = turn.answer(question.key)
    if given == NONE and question.none:
        return None
    return given if given in {choice.value for choice in question.choices} else question


def _choice(unit: TrackedUnit) -> Choice:
    return Choice(unit.id, unit.name, f"c-{unit.now.key}")
