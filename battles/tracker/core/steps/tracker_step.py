"""One step of the tracker, and its draft while it is judged.

A kind of step is a frozen dataclass: its fields are what somebody entered, ``judge`` applies it to a draft. The draft
notes every cell the step reads and holds back what it writes until the step is accepted. For example
``MarkMoved("A3").judge(draft)`` in round 2 reads ``A3/gone`` … and writes ``A3/moved = 2``. A later step that
read ``A3/moved`` depends on it: undoing the first undoes the second.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeVar, dataclass_transform

from battles.tracker.core.state import (
    BattleTerms,
    Cells,
    Departure,
    Strength,
    TrackedUnit,
    TrackerState,
    is_first_to_act,
    melee_cell,
)
from dataclass_json import Count, Text, Whole, keyed
from refusal import Refusal
from rulebook.battle.actions import can_activate
from rulebook.battle.assault import end_melee
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.input_checks import look_up

OFFER = "offer"  # a re-roll that can be bought: the cells as they were before the roll was resolved


@dataclass(frozen=True, slots=True)
class RolledGroup:
    """Dice rolled together, with the face each of them needed."""

    what: str
    side: str
    needed: tuple[int, ...]
    faces: tuple[int, ...]
    again: bool = False  # a bought re-roll


@dataclass(slots=True)
class StepDraft:
    """What a step reads and writes. ``before`` is the state without recording, for what the step does not depend on."""

    before: TrackerState
    terms: BattleTerms
    reads: set[str] = field(default_factory=set)
    writes: Cells = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)
    dice: list[RolledGroup] = field(default_factory=list)
    tracker: TrackerState = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = TrackerState(self.before.cells, self.read, self.peek)

    def read(self, cell: str) -> Any:
        if cell in self.writes:
            return self.writes[cell]
        self.reads.add(cell)
        return self.before.cells.get(cell)

    def peek(self, cell: str) -> Any:
        """Read a cell without depending on it."""
        return self.writes[cell] if cell in self.writes else self.before.cells.get(cell)

    def write(self, cell: str, now: Any) -> None:
        self.writes[cell] = now

    def rewind(self, cells: Mapping[str, Any]) -> None:
        """Judge the step as if these cells had their former values ; it writes them too."""
        self.before = self.before.rewound(cells)
        self.writes.update(cells)
        self.tracker = TrackerState(self.before.cells, self.read, self.peek)

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)

    # --- what most steps need --------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        return self.tracker.round

    def unit(self, key: object, what: str = "unit", noted: tuple[str, ...] | None = None) -> TrackedUnit:
        """A unit still in the battle. ``noted``: the cells of it the step depends on; None means all."""
        unit = self.tracker.unit(key, None if noted is None else ("gone", *noted))
        if not unit.here:
            raise Refusal(self.with_verb(unit, "is", "are") + " no longer in the battle.", field=what, status=409)
        return unit

    def full_name(self, key: str) -> str:
        return self.before.full_name(key)

    def with_verb(self, unit: TrackedUnit, one: str, many: str) -> str:
        """The unit with its verb: a King flees, Hoppers flee."""
        return f"{self.full_name(unit.id)} {many if unit.row.many else one}"

    def require_begun(self) -> None:
        if self.round == 0:
            raise Refusal("The battle has not begun. Roll for initiative first.", status=409)

    def require_not_acted(self, unit: TrackedUnit) -> None:
        if not can_activate(activated=unit.acted):
            raise Refusal(self.with_verb(unit, "has", "have") + " already acted this round.", status=409)

    def write_strength(self, unit: TrackedUnit, now: UnitInPlay) -> None:
        """Write what is left of a unit, and whether it is fleeing."""
        self.write(f"{unit.id}/left", Strength.of(now).to_cell())
        if now.fleeing != unit.fleeing:
            self.write(f"{unit.id}/flees", now.fleeing)
            if now.fleeing:
                self.end_melees(unit.id)

    def remove(self, unit: TrackedUnit, how: Literal["removed", "escaped"], why: str) -> None:
        """Remove a unit and end its melees."""
        self.write(f"{unit.id}/gone", Departure(how, why, self.round).to_cell())
        self.end_melees(unit.id)
        if unit.now.ladybug and how == "removed":
            self.write(f"ladybug/{unit.side}", unit.id)
            self.say(f"{self.full_name(unit.id)} had a Ladybug. It flies to a friendly unit within 8″ or is lost.")

    def end_melees(self, key: str) -> None:
        """End all melees of a unit."""
        for other in self.before.contacts(key):
            self.write(melee_cell(key, other), None)
        if self.before.has_castle:
            castle = self.before.castle()
            for wall, unit in set(castle.poured) - set(end_melee(castle, key).poured):
                self.write(f"poured/{wall}:{unit}", None)

    def mark_acted(self, unit: TrackedUnit) -> None:
        """End the unit's activation. The first unit of its army is remembered for the round."""
        now = self.round
        if now == 0:
            return
        side = unit.side
        if is_first_to_act(self.before, side):
            self.write(f"first/{side}", [now, unit.id])
            self.write(f"{unit.id}/first", now)
        self.write(f"{unit.id}/acted", now)
        self.write("last", [now, side])


# ── Kinds of step ────────────────────────────────────────────────────────────────────────────────────────


MAX_NUMBER = 10**9
MAX_KEY = 40
MAX_INCHES = 100

UnitId = Annotated[str, Text("The unit", MAX_KEY)]
SideId = Annotated[str, Text("The side", MAX_KEY)]
PieceKey = Annotated[str, Text("The castle piece", MAX_KEY)]
Number = Annotated[int, Whole("The number", -MAX_NUMBER, MAX_NUMBER)]
Inches = Annotated[float, Whole("The distance", 0, MAX_INCHES)]
RollsBySide = Annotated[Mapping[SideId, Number], Count("Rolls", 8)]
CountBySide = Annotated[Mapping[SideId, Number], Count("Sides", 8)]


@dataclass(frozen=True, slots=True)
class TrackerStep:
    """One step. ``before_set_up``: it is allowed only before the tracker is set up, and no other step is."""

    kind: ClassVar[str]
    before_set_up: ClassVar[bool] = False

    def judge(self, draft: StepDraft) -> None:
        """Write what the step changes into the draft, or raise a Refusal."""


S = TypeVar("S", bound=TrackerStep)
_kinds: dict[str, type[TrackerStep]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def register_step(kind: str) -> Callable[[type[S]], type[S]]:
    """Make a frozen dataclass of a step, which is sent and logged as this kind."""
    return keyed(kind, _kinds, kind=kind)


def get_step(kind: object) -> type[TrackerStep]:
    try:
        return look_up(kind, _kinds, "step")
    except Refusal as refusal:
        raise Refusal(refusal.sentence, field="kind") from None


def step_kinds() -> tuple[str, ...]:
    return tuple(_kinds)
