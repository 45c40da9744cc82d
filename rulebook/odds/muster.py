"""Exact muster odds: every row of the table, heroes, weapons and models, for each loyalty.

Counted in whole numbers over powers of ten; a Fraction is made only of the result.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from operator import add
from typing import NamedTuple

from rulebook.data.heroes import HEROES, MUSICIAN_FROM
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import MusterCall, effective_loyalty, lesser_units, muster_row, rebel_bonus, rebel_unit
from rulebook.data.units import UNIT, weapon_for_roll
from rulebook.input_checks import FACES, check_count
from rulebook.muster.army import HOUSES
from rulebook.odds.distribution import Distribution, chance_to_roll, hits_then_saves

KING = UNIT["king"]


@dataclass(frozen=True, slots=True)
class RowOdds:
    """One row of the muster table at one loyalty."""

    unit: str | None
    name: str
    chance: Fraction
    at_least: Fraction  # this row or a better one, so the unit can be had


@dataclass(frozen=True, slots=True)
class HouseOdds:
    """What one loyal house sends, taken as it falls."""

    loyalty: int
    rows: tuple[RowOdds, ...]
    nobody: Fraction
    hero: Fraction
    models: Fraction  # expected, unit taken as rolled
    most_models: Fraction  # expected, when the King always takes the largest unit he may


@dataclass(frozen=True, slots=True)
class ArmyOdds:
    """What a whole call brings: the King's unit and the houses that still answer."""

    loyalty: int
    houses: int
    house: HouseOdds
    models: Mapping[int, Fraction]
    units: Mapping[int, Fraction]
    heroes: Mapping[int, Fraction]
    any_hero: Fraction
    any_fealty_lost: Fraction
    a_given_hero: Fraction  # that one particular hero of the ten is in the army
    repeat: Fraction  # that some hero comes twice
    expected_models: Fraction
    expected_units: Fraction
    expected_heroes: Fraction


def hero_chance(unit_key: str) -> Fraction:
    needed = UNIT[unit_key].hero_on
    return Fraction(0) if needed is None else Fraction(11 - needed, 10)


def weapon_chances(unit_key: str) -> dict[str | None, Fraction]:
    """What the weapon die brings; units without such a die have no weapon for certain."""
    unit = UNIT[unit_key]
    if not unit.rolls_for_weapon:
        return {None: Fraction(1)}
    faces: Counter[str | None] = Counter(weapon_for_roll(unit, face) for face in FACES)
    return {weapon: Fraction(number, 10) for weapon, number in faces.items()}


MUSICIAN_CHANCE = chance_to_roll(MUSICIAN_FROM)


def house_odds(loyalty: int = 0, options: Options = BY_THE_BOOK) -> HouseOdds:
    counted = effective_loyalty(loyalty, options)
    faces: Counter[str | None] = Counter(muster_row(face + counted).unit for face in FACES)
    rows: list[RowOdds] = []
    better = 0
    for row in reversed(_table()):
        better += faces[row]
        name = UNIT[row].name if row else "Nobody"
        rows.append(RowOdds(row, name, Fraction(faces[row], 10), Fraction(better, 10)))
    models = sum(UNIT[unit].models * number for unit, number in faces.items() if unit)
    most = sum(_most(unit, options) * number for unit, number in faces.items() if unit)
    hero = sum((hero_chance(unit) * number for unit, number in faces.items() if unit), Fraction(0)) / 10
    return HouseOdds(
        loyalty, tuple(reversed(rows)), Fraction(faces[None], 10), hero, Fraction(models, 10), Fraction(most, 10)
    )


@cache
def _table() -> tuple[str | None, ...]:
    return tuple(dict.fromkeys(muster_row(total).unit for total in range(11)))


def _most(unit: str, options: Options) -> int:
    return max(UNIT[key].models for key in (unit, *lesser_units(unit, options)))


class _Size(NamedTuple):
    """Of what a house sends, or of an army."""

    models: int
    units: int
    heroes: int


def _house_ways(counted: int) -> dict[_Size, int]:
    """Ways in 100, its own die and the one for its hero: at loyalty 0 one model without a hero, a Battle Cat, in 10."""
    ways: Counter[_Size] = Counter()
    for face in FACES:
        unit = muster_row(face + counted).unit
        if unit is None:
            ways[_Size(0, 0, 0)] += 10
            continue
        needed = UNIT[unit].hero_on
        with_hero = 0 if needed is None else 11 - needed
        ways[_Size(UNIT[unit].models, 1, 1)] += with_hero
        ways[_Size(UNIT[unit].models, 1, 0)] += 10 - with_hero
    return {size: number for size, number in ways.items() if number}


@cache
def _army_ways(counted: int, houses: int) -> tuple[tuple[_Size, int], ...]:
    """Ways in 10 x 100 ** houses."""
    king_hero = 11 - (KING.hero_on or 11)
    ways = {_Size(KING.models, 1, 1): king_hero, _Size(KING.models, 1, 0): 10 - king_hero}
    house = _house_ways(counted)
    for _ in range(houses):
        grown: Counter[_Size] = Counter()
        for army, number in ways.items():
            for sent, ways_here in house.items():
                grown[_Size(*map(add, army, sent))] += number * ways_here
        ways = dict(grown)
    return tuple(ways.items())


def army_odds(call: MusterCall | None = None) -> ArmyOdds:
    """The whole army of a call: houses lost before do not answer; siege extras and rebels are left out."""
    call = MusterCall() if call is None else call
    houses = len(HOUSES) - len(call.lost)
    every = 10 * 100**houses
    by: tuple[Counter[int], Counter[int], Counter[int]] = (Counter(), Counter(), Counter())
    # Beyond these every face gives the same row, so the memory of the answers stays small whatever is asked.
    for size, number in _army_ways(max(-10, min(9, call.effective_loyalty)), houses):
        for counter, value in zip(by, size, strict=True):
            counter[value] += number
    models, units, heroes = ({value: Fraction(number, every) for value, number in sorted(c.items())} for c in by)
    house = house_odds(call.loyalty, call.options)
    return ArmyOdds(
        loyalty=call.loyalty,
        houses=houses,
        house=house,
        models=models,
        units=units,
        heroes=heroes,
        any_hero=1 - heroes.get(0, Fraction(0)),
        any_fealty_lost=lost_houses_odds(call).at_least(1),
        a_given_hero=_given_hero(heroes, call.options),
        repeat=sum((chance * _some_repeat(number) for number, chance in heroes.items()), Fraction(0)),
        expected_models=_mean(models),
        expected_units=_mean(units),
        expected_heroes=_mean(heroes),
    )


def lost_houses_odds(call: MusterCall | None = None, musters: int = 1) -> Distribution:
    """How many of the houses still loyal lose their fealty in so many musters like this, if none is won back."""
    call = MusterCall() if call is None else call
    check_count(musters, "number of musters", least=1, most=100)
    stays = (1 - house_odds(call.loyalty, call.options).nobody) ** musters
    return hits_then_saves(len(HOUSES) - len(call.lost), 1 - stays)


def _mean(chances: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def _given_hero(heroes: Mapping[int, Fraction], options: Options) -> Fraction:
    """With repeats kept each hero die is free; where repeats are rolled again, the heroes are all different."""
    if options.unique_heroes == "forced":
        return _mean(heroes) / len(HEROES)
    return sum((chance * (1 - Fraction(9, 10) ** number) for number, chance in heroes.items()), Fraction(0))


def _some_repeat(number: int) -> Fraction:
    different = Fraction(1)
    for already in range(number):
        different *= Fraction(len(HEROES) - already, len(HEROES))
    return 1 - different


def rebel_odds(number: int, loyalty: int = 0, options: Options = BY_THE_BOOK) -> dict[str | None, Fraction]:
    check_count(number, "number of the rebel roll", least=1)
    bonus = rebel_bonus(number, effective_loyalty(loyalty, options), options)
    faces: Counter[str | None] = Counter(rebel_unit(face, bonus, options) for face in FACES)
    return {unit: Fraction(faces[unit], 10) for unit in _table() if faces[unit]}


@dataclass(frozen=True, slots=True)
class OneMoreLoyalty:
    before: ArmyOdds
    after: ArmyOdds
    lines: tuple[str, ...]


def one_more_loyalty(loyalty: int = 0, options: Options = BY_THE_BOOK) -> OneMoreLoyalty:
    """Loyalty and loyalty + 1 side by side. Rows only improve; models need not."""
    before = army_odds(MusterCall(loyalty, options=options))
    after = army_odds(MusterCall(loyalty + 1, options=options))
    lines = [
        _compare_line("Chance that a house loses fealty", before.house.nobody, after.house.nobody, percent=True),
        _compare_line("Chance that a house's unit has a hero", before.house.hero, after.house.hero, percent=True),
        _compare_line("Chance of at least one hero in the army", before.any_hero, after.any_hero, percent=True),
        _compare_line("Models from one house, taken as rolled", before.house.models, after.house.models),
        _compare_line("Models if you always take the largest unit", before.house.most_models, after.house.most_models),
        _compare_line(
            "Chance that a house offers Rat Riders or better",
            _offers(before.house, "rat_riders"),
            _offers(after.house, "rat_riders"),
            percent=True,
        ),
    ]
    if after.house.models < before.house.models:
        lines.append(
            "Better rows are smaller units, so one more loyalty means fewer models unless the King takes a lesser unit."
        )
    return OneMoreLoyalty(before, after, tuple(lines))


def _offers(house: HouseOdds, unit: str) -> Fraction:
    return next(row.at_least for row in house.rows if row.unit == unit)


def _compare_line(what: str, before: Fraction, after: Fraction, *, percent: bool = False) -> str:
    def say(value: Fraction) -> str:
        return f"{float(value * 100):.1f} %" if percent else f"{float(value):.1f}"

    if before == after:
        return f"{what}: {say(before)}, unchanged."
    return f"{what}: {say(before)} now, {say(after)} then."
