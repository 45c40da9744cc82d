"""The morale table: scatter, flee or stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.basics.input_checks import check_d10, check_whole_number
from rulebook.data.house_rules import BY_THE_BOOK, Options

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
MORALE_TABLE: tuple[MoraleRow, ...] = (
    MoraleRow(None, 5,    "scatter", "Scatters",
              "The unit breaks up and is out of the battle. The enemy scores it.",
              ("MORALE-02", "MORALE-04", "R-22")),
    MoraleRow(6,    8,    "flee",    "Flees",    'The unit runs 4" at once and gets a flee token.',
              ("MORALE-02", "MORALE-05")),
    MoraleRow(9,    None, "stand",   "Stands",
              "The unit stays. A fleeing unit rallies and acts again next round.",
              ("MORALE-02", "MORALE-06", "R-49")),
)
# fmt: on


def outcome_for_total(total: int) -> Outcome:
    """The row of a total, whatever was on the die."""
    check_whole_number(total, "morale total")
    if total >= STANDS_FROM:
        return "stand"
    return "flee" if total >= FLEES_FROM else "scatter"


def morale_outcome(roll: int, bonus: int, options: Options = BY_THE_BOOK) -> Outcome:
    """The outcome of a die with its bonus: a natural 10 stands, a natural 1 cannot (R-22)."""
    check_d10(roll, "morale roll")
    check_whole_number(bonus, "morale bonus")
    if roll == 10:
        return "stand"
    if roll == 1:
        if options.natural_one_morale == "scatter":
            return "scatter"
        outcome = outcome_for_total(roll + bonus)
        return "flee" if outcome == "stand" else outcome
    return outcome_for_total(roll + bonus)
