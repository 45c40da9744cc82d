"""Steps as the log keeps them: folding them, and finding what rests on what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from battles.tracker.table import Cells, Table
from refusal import Refusal

TAKE_BACK = "taken_back"
LAID = "laid"  # without armies there is no table, so everything rests on it


@dataclass(frozen=True, slots=True)
class Step:
    """One line. ``writes`` is what it made of the cells, ``reads`` what it looked at when it was judged."""

    number: int
    kind: str
    body: Mapping[str, Any]
    writes: Mapping[str, Any]
    reads: frozenset[str] = frozenset()

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(self.body.get("said", ()))

    @property
    def told(self) -> tuple[str, ...]:
        """What it said; where it only brought dice, the dice."""
        if self.said:
            return self.said
        dice = [f"{group['what']}: {', '.join(map(str, group['faces']))}." for group in self.body.get("dice", ())]
        return tuple(f"Dice, {words}" for words in dice)


def step_of(number: int, kind: str, body: Mapping[str, Any], effects: Sequence[Mapping[str, Any]]) -> Step:
    writes = {str(effect["cell"]): effect["now"] for effect in effects}
    return Step(number, kind, body, writes, frozenset(body.get("reads", ())))


def struck(steps: Iterable[Step]) -> set[int]:
    """Numbers of the steps that do not count any more. A taking back that was itself taken back strikes nothing."""
    gone: set[int] = set()
    for step in reversed(list(steps)):
        if step.kind == TAKE_BACK and step.number not in gone:
            gone |= set(step.body["steps"])
    return gone


def counting(steps: Sequence[Step]) -> list[Step]:
    gone = struck(steps)
    return [step for step in steps if step.number not in gone and step.kind != TAKE_BACK]


def fold(steps: Iterable[Step], cells: Cells | None = None) -> Cells:
    """Where the table stands after these steps."""
    state: Cells = dict(cells or {})
    for step in steps:
        lay(state, step.writes)
    return state


def lay(cells: Cells, writes: Mapping[str, Any]) -> None:
    for cell, now in writes.items():
        if now is None:
            cells.pop(cell, None)
        else:
            cells[cell] = now


def resting_on(steps: Sequence[Step], number: int) -> tuple[int, ...]:
    """The step itself and every later one that rests on it: it looked at a cell that would now be otherwise.

    A step that wrote a cell without looking at it ("set it as it stands") stands by itself, and what follows it stands.
    """
    live = counting(steps)
    chosen = next((step for step in live if step.number == number), None)
    if chosen is None:
        raise Refusal("This step does not count any more, so there is nothing to take back.", status=409)
    if chosen.kind == LAID:
        return tuple(step.number for step in live if step.number >= number)
    doubtful = set(chosen.writes)
    going = [number]
    for step in live:
        if step.number <= number:
            continue
        if doubtful & step.reads:
            going.append(step.number)
            doubtful |= set(step.writes)
        else:
            doubtful -= set(step.writes)
    return tuple(going)


def last_restorable(steps: Sequence[Step]) -> Step | None:
    """The taking back that can be undone: only while nothing was done after it."""
    last = steps[-1] if steps else None
    return last if last is not None and last.kind == TAKE_BACK else None


def table_of(steps: Sequence[Step]) -> Table:
    return Table(fold(counting(steps)))
