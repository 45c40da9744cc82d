"""Exact odds of a muster: against enumeration, against rolled armies, and what loyalty is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from rulebook.data.heroes import HEROES
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MUSTER_TABLE, MusterCall, muster_row, rebel_unit
from rulebook.data.units import UNIT, UNITS
from rulebook.muster.roll_muster import muster_army
from rulebook.odds.muster import (
    MUSICIAN_CHANCE,
    army_odds,
    hero_chance,
    house_odds,
    one_more_loyalty,
    rebel_odds,
    weapon_chances,
)

FACES = range(1, 11)

# Upper 0.1 % points of chi-square by degrees of freedom, from the usual tables.
CHI_SQUARE = {
    1: 10.83,
    2: 13.82,
    3: 16.27,
    4: 18.47,
    5: 20.52,
    6: 22.46,
    7: 24.32,
    8: 26.12,
    9: 27.88,
    10: 29.59,
    11: 31.26,
    12: 32.91,
    13: 34.53,
    14: 36.12,
    15: 37.70,
    16: 39.25,
    17: 40.79,
    18: 42.31,
    19: 43.82,
    20: 45.31,
    21: 46.80,
    22: 48.27,
    23: 49.73,
}


MODELS = [
    # loyalty, models per house as rolled, when the largest unit allowed is taken
    (-3, Fraction(30, 10), Fraction(30, 10)),
    (-1, Fraction(34, 10), Fraction(40, 10)),
    (0, Fraction(36, 10), Fraction(45, 10)),
    (1, Fraction(35, 10), Fraction(47, 10)),
    (2, Fraction(33, 10), Fraction(48, 10)),
    (3, Fraction(31, 10), Fraction(49, 10)),
    (9, Fraction(20, 10), Fraction(50, 10)),
]


@pytest.mark.parametrize(("loyalty", "models", "most"), MODELS)
def test_expected_models_fall_with_loyalty_unless_a_lesser_unit_is_taken(loyalty, models, most) -> None:
    house = house_odds(loyalty)
    assert house.models == models
    assert house.most_models == most


@pytest.mark.parametrize("loyalty", range(-12, 13))
def test_muster_table_odds_count_the_faces_per_loyalty(loyalty: int) -> None:
    house = house_odds(loyalty)
    counted = Counter(muster_row(face + loyalty).unit for face in FACES)
    assert {row.unit: row.chance for row in house.rows} == {
        row.unit: Fraction(counted[row.unit], 10) for row in MUSTER_TABLE
    }
    assert sum(row.chance for row in house.rows) == 1
    assert house.rows[0].at_least == 1


@given(st.integers(-15, 15))
def test_higher_loyalty_is_better_row_by_row(loyalty: int) -> None:
    """Stochastic order: the chance of this row or a better one never falls."""
    before, after = house_odds(loyalty), house_odds(loyalty + 1)
    for row, better in zip(before.rows, after.rows, strict=True):
        assert better.at_least >= row.at_least


def test_loyalty_limit_limits_the_odds() -> None:
    capped = Options(loyalty_cap=2)
    assert house_odds(7, capped).rows == house_odds(2).rows
    assert army_odds(MusterCall(-9, options=capped)).models == army_odds(MusterCall(-2)).models


def brute_force(loyalty: int, houses: int) -> Iterator[tuple[int, int, int, int]]:
    """Every way the dice can fall, by the table alone: models, units, heroes, weight."""
    for king, *rolls in product(FACES, repeat=1 + 2 * houses):
        models, units, heroes = 3, 1, int(king >= 8)
        for face, chance in zip(rolls[::2], rolls[1::2], strict=True):
            unit = muster_row(face + loyalty).unit
            if unit:
                models += UNIT[unit].models
                units += 1
                heroes += int(
                    {"field_mice": 10, "bow_mice": 8, "mice_at_arms": 1, "rat_riders": 8}.get(unit, 11) <= chance
                )
        yield models, units, heroes, 1


@pytest.mark.parametrize(("loyalty", "houses"), [(0, 0), (0, 1), (-3, 1), (3, 1), (0, 2), (-2, 2)])
def test_army_odds_match_a_full_enumeration(loyalty: int, houses: int) -> None:
    lost = tuple(range(1, 5 - houses))
    odds = army_odds(MusterCall(loyalty, lost))
    every = 10 ** (1 + 2 * houses)
    models, units, heroes = Counter(), Counter(), Counter()
    for m, u, h, weight in brute_force(loyalty, houses):
        models[m] += weight
        units[u] += weight
        heroes[h] += weight
    assert odds.models == {value: Fraction(number, every) for value, number in models.items()}
    assert odds.units == {value: Fraction(number, every) for value, number in units.items()}
    assert odds.heroes == {value: Fraction(number, every) for value, number in heroes.items()}
    assert odds.any_hero == 1 - Fraction(heroes[0], every)


@pytest.mark.parametrize("loyalty", [-12, -4, -1, 0, 2, 11])
def test_parts_of_army_odds_are_consistent(loyalty: int) -> None:
    odds = army_odds(MusterCall(loyalty))
    for chances in (odds.models, odds.units, odds.heroes):
        assert sum(chances.values()) == 1
    assert odds.expected_models == 3 + 4 * odds.house.models
    assert odds.expected_units == 1 + 4 * (1 - odds.house.nobody)
    assert odds.expected_heroes == Fraction(3, 10) + 4 * odds.house.hero
    assert odds.any_hero == 1 - Fraction(7, 10) * (1 - odds.house.hero) ** 4
    assert odds.any_fealty_lost == 1 - (1 - odds.house.nobody) ** 4


def test_a_first_battles_army_is_likely_to_have_a_hero() -> None:
    odds = army_odds()
    assert odds.any_hero == Fraction(90928, 100000)
    assert odds.expected_models == Fraction(174, 10)
    assert (min(odds.models), max(odds.models)) == (7, 23)


def test_given_hero_is_rarer_than_any_hero_and_likelier_without_repeats() -> None:
    free, forced = army_odds(), army_odds(MusterCall(options=Options(unique_heroes="forced")))
    assert free.a_given_hero < forced.a_given_hero
    assert forced.a_given_hero == forced.expected_heroes / 10
    # By the free reading each hero die is its own: the unit has this very hero with a tenth of the chance of one.
    assert free.a_given_hero == 1 - (1 - Fraction(3, 100)) * (1 - free.house.hero / 10) ** 4


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.key)
def test_hero_and_weapon_chances_count_the_faces(unit) -> None:
    expected = {"field_mice": 1, "bow_mice": 3, "mice_at_arms": 10, "rat_riders": 3, "king": 3}.get(unit.key, 0)
    assert hero_chance(unit.key) == Fraction(expected, 10)
    assert sum(weapon_chances(unit.key).values()) == 1
    if unit.key == "battle_cat":
        assert weapon_chances(unit.key) == {
            None: Fraction(7, 10),
            "spear": Fraction(2, 10),
            "spear_and_shield": Fraction(1, 10),
        }
    assert Fraction(2, 10) == MUSICIAN_CHANCE


@pytest.mark.parametrize(
    "options", [Options(), Options(rebel_zero="none"), Options(rebel_loyalty=True)], ids=["book", "zero", "loyalty"]
)
@pytest.mark.parametrize("number", [1, 2, 5])
def test_rebel_odds_count_the_faces(number: int, options: Options) -> None:
    """REBEL-02"""
    bonus = (-2 if number == 1 else -3) + (4 if options.rebel_loyalty else 0)
    counted = Counter(rebel_unit(face, bonus, options) for face in FACES)
    assert rebel_odds(number, 4, options) == {unit: Fraction(ways, 10) for unit, ways in counted.items()}


def test_benefit_of_one_more_loyalty_is_shown_with_its_cost() -> None:
    lines = one_more_loyalty(0).lines
    assert "Models from one house, taken as rolled: 3.6 now, 3.5 then." in lines
    assert "Chance that a house offers Rat Riders or better: 30.0 % now, 40.0 % then." in lines
    assert "fewer models" in lines[-1]
    rising = one_more_loyalty(-4).lines
    assert "Chance that a house loses fealty: 40.0 % now, 30.0 % then." in rising
    assert not any("fewer models" in line for line in rising)


# --- generated musters against the exact odds ---------------------------------------------------------------


def chi_square(seen: Counter, chances: Mapping[object, Fraction], number: int) -> tuple[float, int]:
    """The statistic and its degrees of freedom; rare results are counted together."""
    rare_seen, rare_expected, total, cells = 0, 0.0, 0.0, 0
    for result, chance in chances.items():
        expected = float(chance) * number
        if expected < 5:
            rare_seen += seen[result]
            rare_expected += expected
            continue
        total += (seen[result] - expected) ** 2 / expected
        cells += 1
    if rare_expected >= 5:
        total += (rare_seen - rare_expected) ** 2 / rare_expected
        cells += 1
    else:
        assert rare_seen <= 30
    return total, cells - 1


def musters_fit(loyalty: int, number: int, seed: int) -> None:
    random = Random(seed)
    odds = army_odds(MusterCall(loyalty))
    units, models, heroes, identities, weapons, musicians = (
        Counter(),
        Counter(),
        Counter(),
        Counter(),
        Counter(),
        Counter(),
    )
    call = MusterCall(loyalty)

    def roll() -> int:
        return random.randint(1, 10)

    for _ in range(number):
        army = muster_army(call, roll)
        units.update(unit.unit for unit in army.units[1:])
        units[None] += len(army.lost)
        models[army.models] += 1
        heroes[len(army.heroes)] += 1
        for unit in army.units:
            if unit.hero:
                identities["standard_bearer" if unit.hero == "musician" else unit.hero] += 1
            if unit.hero in ("musician", "standard_bearer"):
                musicians[unit.hero] += 1
            if unit.unit == "battle_cat":
                weapons[unit.weapon] += 1
    tests = [
        (units, {row.unit: row.chance for row in odds.house.rows}, 4 * number),
        (models, odds.models, number),
        (heroes, odds.heroes, number),
        (identities, dict.fromkeys((hero.key for hero in HEROES), Fraction(1, 10)), sum(identities.values())),
        (musicians, {"musician": MUSICIAN_CHANCE, "standard_bearer": 1 - MUSICIAN_CHANCE}, sum(musicians.values())),
    ]
    if weapons:
        tests.append((weapons, weapon_chances("battle_cat"), sum(weapons.values())))
    for seen, chances, total in tests:
        assert set(seen) <= set(chances)
        statistic, freedom = chi_square(seen, chances, total)
        assert statistic < CHI_SQUARE[freedom], (seen, statistic, freedom)


@pytest.mark.parametrize("loyalty", [-3, 0, 3])
def test_rolled_musters_fit_the_exact_odds(loyalty: int) -> None:
    musters_fit(loyalty, 20_000, seed=1919 + loyalty)


@pytest.mark.soak
@pytest.mark.parametrize("loyalty", [-3, 0, 3])
def test_a_million_rolled_musters_fit_the_exact_odds(loyalty: int) -> None:
    musters_fit(loyalty, 1_000_000, seed=77 + loyalty)
