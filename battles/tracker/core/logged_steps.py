"""Steps as stored in the log: folding them into a state, and finding which steps depend on which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from battles.tracker.core.state import Cells
from battles.tracker.core.steps.step_reads_and_writes import RolledGroup
from refusal import Refusal

UNDO = "taken_back"
SET_UP = "laid"  # every other step depends on it


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One entry of the log: the cells it wrote, and the cells it read when it was judged."""

    number: int
    kind: str
    writes: Mapping[str, Any]
    reads: frozenset[str] = frozenset()
    sentences: tuple[str, ...] = ()
    dice: tuple[RolledGroup, ...] = ()
    round: int = 0
    undoes: tuple[int, ...] = ()  # numbers of the steps that an undo takes back
    tap: int = 0  # number of the first step of the tap it belongs to: itself, or the one that rolled it too

    @property
    def sentences_or_dice(self) -> tuple[str, ...]:
        """Its sentences, or its dice if it has none."""
        if self.sentences:
            return self.sentences
        return tuple(f"Dice ({group.what}): {', '.join(map(str, group.faces))}." for group in self.dice)


def undone_numbers(steps: Iterable[LoggedStep]) -> set[int]:
    """Numbers of the undone steps. An undo that was itself undone has no effect."""
    gone: set[int] = set()
    for step in reversed(list(steps)):
        if step.kind == UNDO and step.number not in gone:
            gone |= set(step.undoes)
    return gone


def active_steps(steps: Sequence[LoggedStep]) -> list[LoggedStep]:
    gone = undone_numbers(steps)
    return [step for step in steps if step.number not in gone and step.kind != UNDO]


def fold_steps(steps: Iterable[LoggedStep], cells: Cells | None = None) -> Cells:
    """The state after these steps."""
    state: Cells = dict(cells or {})
    for step in steps:
        apply_writes(state, step.writes)
    return state


def apply_writes(cells: Cells, writes: Mapping[str, Any]) -> None:
    for cell, now in writes.items():
        if now is None:
            cells.pop(cell, None)
        else:
            cells[cell] = now


def find_dependent_steps(steps: Sequence[LoggedStep], number: int) -> tuple[int, ...]:
    """The step and every later one that depends on it because it read a cell that would change.

    A step that wrote a cell without reading it, such as "Fix the tracker", does not depend on earlier steps. What the
    tap of the step rolled or did too goes with it.
    """
    live = active_steps(steps)
    chosen = next((step for step in live if step.number == number), None)
    if chosen is None:
        raise Refusal("This step is already undone.", status=409)
    if chosen.kind == SET_UP:
        return tuple(step.number for step in live if step.number >= number)
    doubtful = set(chosen.writes)
    going = [number]
    for step in live:
        if step.number <= number:
            continue
        if step.tap == number or doubtful & step.reads:
            going.append(step.number)
            doubtful |= set(step.writes)
        else:
            doubtful -= set(step.writes)
    return tuple(going)


def find_last_undo(steps: Sequence[LoggedStep]) -> LoggedStep | None:
    """The undo that can be redone: only the latest step."""
    last = steps[-1] if steps else None
    return last if last is not None and last.kind == UNDO else None
