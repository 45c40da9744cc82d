"""Odds ready to draw: shares of a bar, and each group of dice with the marks behind it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.marks import Tally
from rulebook.odds.spread import Distribution
from rulebook.throws import THROWER_NAMES, Throw
from rulebook.told import signed


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of a bar: what, how many in a hundred, and which of the four shades."""

    label: str
    percent: int
    shade: int
    exact: str

    @property
    def said(self) -> str:
        """What fits into its share of the bar."""
        return self.exact if self.percent >= 22 else str(self.percent) if self.percent >= 9 else ""


@dataclass(frozen=True, slots=True)
class Hand:
    name: str
    dice: int
    needed: int
    rerolls: bool
    marks: tuple[tuple[str, str], ...]  # A, D or a number, and what it is
    sum: str


def percent(chance: Fraction) -> str:
    """62.4 %, but never 0 or 100 for what is only nearly so."""
    value = float(chance * 100)
    if 0 < value < 0.05:
        return "< 0.1 %"
    if 99.95 < value < 100:
        return "> 99.9 %"
    return f"{value:.1f} %"


def lost_bars(spread: Distribution, most: int) -> tuple[Bar, ...]:
    """Models lost as a bar; darker is more."""
    bars = []
    shown = [(number, chance) for number, chance in enumerate(spread.chances) if chance]
    for number, chance in shown:
        shade = 1 if number == 0 else 4 if number == most else 2 if number <= (most + 1) // 2 else 3
        label = "none" if number == 0 else "all" if number == most else str(number)
        bars.append(Bar(label, round(chance * 100), shade, percent(chance)))
    return tuple(bar for bar in bars if bar.percent)


def hand_of(throw: Throw) -> Hand:
    tally = throw.tally
    return Hand(THROWER_NAMES[throw.whose], throw.dice, tally.needed, throw.rerolls, marks_of(tally), sum_of(tally))


def marks_of(tally: Tally) -> tuple[tuple[str, str], ...]:
    return tuple(
        (held.mark.kind if held.mark.kind != "flat" else signed(held.worth), held.mark.name) for held in tally.applied
    )


def sum_of(tally: Tally) -> str:
    said = f"Quality {signed(tally.quality)}"
    if tally.step:
        said += f", marks {signed(tally.step)}"
    if tally.flat:
        said += f", flat {signed(tally.flat)}"
    return f"{said}, against {tally.against}."
