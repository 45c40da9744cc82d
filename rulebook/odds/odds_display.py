"""Odds ready to draw: bars, and each group of dice with its modifiers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from dataclass_json import PageOnly
from rulebook.battle.dice import THROWER_NAMES, AttackDice
from rulebook.battle.modifiers import Tally
from rulebook.odds.distribution import Distribution
from text import format_signed


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of a bar: what, how many in a hundred, and which of the four shades."""

    label: str
    percent: int
    shade: int
    exact: str

    @property
    def short_label(self) -> str:
        """What fits into its share of the bar."""
        return self.exact if self.percent >= 22 else str(self.percent) if self.percent >= 9 else ""


@dataclass(frozen=True, slots=True)
class DiceGroup:
    api_name = "Roll"

    name: Annotated[str, "whose dice"]
    dice: int
    needed: Annotated[int, "the lowest face that hits"]
    rerolls: Annotated[bool, "misses are re-rolled once"]
    marks: PageOnly[tuple[tuple[str, str], ...]]  # A, D or a number, and what it is
    sum: PageOnly[str]


def format_percent(chance: Fraction) -> str:
    """62.4 %, but never 0 or 100 for what is only nearly so. Number and sign stay on one line."""
    value = float(chance * 100)
    if 0 < value < 0.05:
        return "<\u00a00.1\u00a0%"
    if 99.95 < value < 100:
        return ">\u00a099.9\u00a0%"
    return f"{value:.1f}\u00a0%"


def models_lost_bars(spread: Distribution, most: int) -> tuple[Bar, ...]:
    """Models lost as a bar; darker is more."""
    bars = []
    shown = [(number, chance) for number, chance in enumerate(spread.chances) if chance]
    for number, chance in shown:
        shade = 1 if number == 0 else 4 if number == most else 2 if number <= (most + 1) // 2 else 3
        label = "none" if number == 0 else "all" if number == most else str(number)
        bars.append(Bar(label, round(chance * 100), shade, format_percent(chance)))
    return tuple(bar for bar in bars if bar.percent)


def dice_group(throw: AttackDice) -> DiceGroup:
    tally = throw.tally
    return DiceGroup(
        THROWER_NAMES[throw.whose], throw.dice, tally.needed, throw.rerolls, modifier_labels(tally), modifier_sum(tally)
    )


def modifier_labels(tally: Tally) -> tuple[tuple[str, str], ...]:
    return tuple(
        (held.modifier.kind if held.modifier.kind != "flat" else format_signed(held.worth), held.modifier.name)
        for held in tally.applied
    )


def modifier_sum(tally: Tally) -> str:
    parts = f"Quality {format_signed(tally.quality)}"
    if tally.step:
        parts += f", [A]/[D] {format_signed(tally.step)}"
    if tally.flat:
        parts += f", flat {format_signed(tally.flat)}"
    return f"{parts}, against {tally.against}."
