"""The odds of many dice together: how lucky a total or a number of successes was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb

from rulebook.odds.distribution import add_ways, binomial


def chance_of_at_least(total: int, dice: int) -> Fraction:
    """The exact chance that this many d10 total this much or more."""
    return 1 - chance_of_at_most(total - 1, dice)


def chance_of_at_most(total: int, dice: int) -> Fraction:
    """The exact chance of this total or less, by inclusion and exclusion of dice above 10."""
    if total < dice:
        return Fraction(0)
    ways = sum(
        (-1) ** over * comb(dice, over) * comb(total - 10 * over, dice) for over in range((total - dice) // 10 + 1)
    )
    return Fraction(ways, 10**dice)


def chance_of_successes(number: int, chances: Sequence[Fraction]) -> Fraction:
    """The exact chance of this many successes or more. Equal chances are grouped, for speed."""
    ways, every = [1], 1
    for chance, times in Counter(chances).items():
        ways = add_ways(ways, binomial(times, chance.numerator, chance.denominator))
        every *= chance.denominator**times
    return Fraction(sum(ways[number:]), every)
