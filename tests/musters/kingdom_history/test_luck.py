"""Luck: exact chances, and generated armies against the exact distribution."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from chance import Dice
from musters.core.auto_roll import QUICK_ARMY_WORDS, WORDS, draw_words, roll_army
from musters.kingdom_history import list_heroes
from rulebook.data.muster_table import MusterCall
from rulebook.odds.muster import army_odds, house_odds
from rulebook.odds.rolls import chance_of_at_least, chance_of_successes
from tests.rulebook.odds.test_muster_odds import CHI_SQUARE


def test_chance_of_a_total_matches_enumeration():
    for total in (2, 9, 11, 20):
        ways = sum(a + b >= total for a, b in product(range(1, 11), repeat=2))
        assert chance_of_at_least(total, 2) == Fraction(ways, 100)
    assert chance_of_at_least(3, 3) == 1
    assert chance_of_at_least(31, 3) == 0
    assert chance_of_at_least(5 * 800, 800) > Fraction(99, 100), "a long war is counted as exactly"


def test_chance_of_successes_matches_enumeration():
    chances = [Fraction(1, 2), Fraction(1, 3), Fraction(0)]
    assert chance_of_successes(0, chances) == 1
    assert chance_of_successes(1, chances) == 1 - Fraction(1, 2) * Fraction(2, 3)
    assert chance_of_successes(2, chances) == Fraction(1, 6)
    assert chance_of_successes(3, chances) == 0
    assert chance_of_successes(2, [Fraction(1, 2)] * 2 + [Fraction(1, 3)] * 2) == Fraction(5, 9)


def test_heroes_of_a_house_are_counted():
    assert list_heroes(("Wizard", "Ranger", "Wizard")) == "Wizard (2 times) and Ranger"


def chi_square(counted: Counter, expected: dict, total: int) -> tuple[float, int]:
    """Merges cells with an expected count below five."""
    cells = {key: float(chance) * total for key, chance in expected.items() if chance}
    large = {key: due for key, due in cells.items() if due >= 5}
    rest = sum(due for key, due in cells.items() if key not in large)
    value = sum((counted[key] - due) ** 2 / due for key, due in large.items())
    if rest:
        value += (sum(counted.values()) - sum(counted[key] for key in large) - rest) ** 2 / rest
    return value, len(large) + bool(rest) - 1


def rolled(loyalty: int, armies: int) -> tuple[Counter, Counter, Counter]:
    """Armies as the site makes them: draws and seals words, rolls the dice and musters."""
    dice = Dice(f"fixed seed {loyalty}")
    units: Counter = Counter()
    models: Counter = Counter()
    heroes: Counter = Counter()
    for _ in range(armies):
        army = roll_army(MusterCall(loyalty), draw_words(dice))
        sent = {unit.slot.number: unit.unit for unit in army.units if unit.slot.origin == "house"}
        for house in (1, 2, 3, 4):
            units[sent.get(house)] += 1
        models[army.models] += 1
        heroes[len(army.heroes)] += 1
    return units, models, heroes


def check(loyalty: int, armies: int) -> None:
    units, models, heroes = rolled(loyalty, armies)
    exact = army_odds(MusterCall(loyalty))
    rows = {row.unit: row.chance for row in house_odds(loyalty).rows}
    # Three of 256 words are 16.8 million armies. Of a million drawn some come twice, which spreads the counts a little
    # wider than fresh dice would: by 6 in 100.
    wider = 1 + armies / len(WORDS) ** QUICK_ARMY_WORDS
    for counted, expected in ((units, rows), (models, exact.models), (heroes, exact.heroes)):
        value, freedom = chi_square(counted, expected, sum(counted.values()))
        assert value / wider < CHI_SQUARE[freedom], (loyalty, value, counted)


@pytest.mark.parametrize("loyalty", [-3, 0, 3])
def test_twenty_thousand_generated_musters_match_the_exact_distribution(loyalty):
    check(loyalty, 20_000)


@pytest.mark.soak
@pytest.mark.parametrize("loyalty", [-3, 0, 3])
def test_a_million_generated_musters_match_the_exact_distribution(loyalty):
    check(loyalty, 1_000_000)
