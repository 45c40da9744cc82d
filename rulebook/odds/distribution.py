"""Distributions as whole numbers of ways over a total; Fractions only on demand."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from refusal import Refusal
from rulebook.battle.modifiers import EASIEST, HARDEST
from rulebook.input_checks import check_count, quote_value

# Far more than any unit throws (200 shots of a Cat-non), and still quick.
MAX_DICE = 400


@dataclass(frozen=True, slots=True)
class Distribution:
    """How likely each number is, from 0 up: ``ways[n]`` of ``total``."""

    ways: tuple[int, ...]
    total: int

    def chance(self, value: int) -> Fraction:
        return Fraction(self.ways[value], self.total) if 0 <= value < len(self.ways) else Fraction(0)

    def at_least(self, value: int) -> Fraction:
        return Fraction(sum(self.ways[max(value, 0) :]), self.total)

    @property
    def chances(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(ways, self.total) for ways in self.ways)

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(value * ways for value, ways in enumerate(self.ways)), self.total)


def chance_to_roll(face: int) -> Fraction:
    """The chance of a die that succeeds from this face on: 2 to 10, because a 1 always fails and a 10 never does."""
    return Fraction(11 - check_count(face, "number needed", least=EASIEST, most=HARDEST), 10)


def binomial(dice: int, good: int, total: int) -> list[int]:
    """Ways to succeed 0 to ``dice`` times, each with ``good`` ways of ``total``; over ``total ** dice``."""
    bad = total - good
    return [comb(dice, hits) * good**hits * bad ** (dice - hits) for hits in range(dice + 1)]


def add_ways(one: list[int], other: list[int]) -> list[int]:
    """The sum of two independent numbers."""
    if len(one) == 1:
        return [one[0] * ways for ways in other]
    both = [0] * (len(one) + len(other) - 1)
    for left, ways in enumerate(one):
        for right, others in enumerate(other):
            both[left + right] += ways * others
    return both


def hits_then_saves(dice: int, hit: Fraction, save: Fraction = Fraction(0)) -> Distribution:
    """Unsaved hits of some dice that each hit with one chance and are each saved with another."""
    check_count(dice, "number of dice", most=MAX_DICE)
    for what, chance in (("chance to hit", hit), ("chance to save", save)):
        if not isinstance(chance, (Fraction, int)) or not 0 <= chance <= 1:
            raise Refusal(f"The {what} is {quote_value(chance)}. Give a fraction from 0 to 1.", field=what)
    wounds = Fraction(hit) * (1 - save)
    return Distribution(tuple(binomial(dice, wounds.numerator, wounds.denominator)), wounds.denominator**dice)


def make_distribution(ways: Iterable[int], total: int) -> Distribution:
    """A distribution without the empty values at its upper end."""
    kept = list(ways)
    while len(kept) > 1 and kept[-1] == 0:
        kept.pop()
    return Distribution(tuple(kept), total)
