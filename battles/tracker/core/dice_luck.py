"""Dice luck: successes of each side compared with the expected number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from battles.tracker.core.logged_steps import LoggedStep
from rulebook.odds.distribution import chance_to_roll


@dataclass(frozen=True, slots=True)
class Luck:
    side: str
    dice: int
    successes: int
    expected: Fraction

    @property
    def over(self) -> Fraction:
        return self.successes - self.expected


def measure_luck(steps: Iterable[LoggedStep]) -> tuple[Luck, ...]:
    """The luck of each side over all dice of these steps."""
    sums: dict[str, tuple[int, int, Fraction]] = {}
    for step in steps:
        for group in step.dice:
            thrown, good, hoped = sums.get(group.side, (0, 0, Fraction(0)))
            for needed, face in zip(group.needed, group.faces, strict=True):
                if needed <= 1:
                    continue  # a roll that cannot fail
                thrown += 1
                good += face >= needed
                hoped += chance_to_roll(needed)
            sums[group.side] = (thrown, good, hoped)
    return tuple(Luck(side, *sums[side]) for side in sorted(sums) if sums[side][0])
