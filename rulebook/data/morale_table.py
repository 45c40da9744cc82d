"""The morale table: scatter, flee or stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import d10, whole

FLEE_MOVE = 4
STANDS_FROM = 9
FLEES_FROM = 6

Outcome = Literal["scatter", "flee", "stand"]


@dataclass(frozen=True, slots=True)
class MoraleRow:
    low: int | None  # None: no lower end
    high: int | None  # None: no upper end
    key: Outcome
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
MORALE: tuple[MoraleRow, ...] = (
    MoraleRow(None, 5,    "scatter", "Scatters", "The unit breaks up and leaves the battle for good; the enemy scores it.", ("MORALE-02", "MORALE-04", "R-22")),
    MoraleRow(6,    8,    "flee",    "Flees",    'The unit turns and runs 4" at once, under a flee token.', ("MORALE-02", "MORALE-05")),
    MoraleRow(9,    None, "stand",   "Stands",   "The unit keeps its place. A fleeing one rallies and acts again next round.", ("MORALE-02", "MORALE-06", "R-49")),
)
# fmt: on

MORALE_ROW: dict[str, MoraleRow] = {row.key: row for row in MORALE}


def outcome_of(total: int) -> Outcome:
    """The row of a total, whatever was on the die."""
    whole(total, "morale total")
    if total >= STANDS_FROM:
        return "stand"
    return "flee" if total >= FLEES_FROM else "scatter"


def morale_outcome(roll: int, bonus: int, options: Options = BY_THE_BOOK) -> Outcome:
    """The outcome of a die with its bonus: a natural 10 stands, a natural 1 cannot (R-22)."""
    d10(roll, "morale roll")
    whole(bonus, "morale bonus")
    if roll == 10:
        return "stand"
    if roll == 1:
        if options.natural_one_morale == "scatter":
            return "scatter"
        outcome = outcome_of(roll + bonus)
        return "flee" if outcome == "stand" else outcome
    return outcome_of(roll + bonus)
