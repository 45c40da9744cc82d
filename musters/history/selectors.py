"""What each house of a kingdom sent over the years, its heroes, and its luck against exact expectation."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from campaign.annals.state import Kingdom, State
from heraldry import Arms
from log.models import Entry
from musters import may
from musters.annals import TAKEN
from musters.models import Muster
from musters.rolls.code import recipe_of
from people.who import Who
from refusal import Refusal
from rulebook.army import HOUSES, MusteredUnit
from rulebook.heroes import HERO
from rulebook.muster import Muster as Mustering
from rulebook.odds.muster import house_odds
from rulebook.rolls import listed

MOST = 200  # musters; older ones are counted no more


@dataclass(frozen=True, slots=True)
class Sent:
    """What came from one house for one battle."""

    battle: int
    on: dt.date
    url: str
    unit: str  # key of the row, or "nobody"
    name: str
    hero: str
    roll: int | None
    loyalty: int


@dataclass(frozen=True, slots=True)
class Luck:
    """What fell against what was due, with the exact chance of falling as far from it, on the same side."""

    what: str
    fell: Fraction
    due: Fraction
    chance: Fraction
    said: str


@dataclass(frozen=True, slots=True)
class HouseHistory:
    number: int
    name: str
    arms: Arms
    lost: bool
    sent: tuple[Sent, ...]
    heroes: tuple[str, ...]
    luck: tuple[Luck, ...]


@dataclass(frozen=True, slots=True)
class HistorySheet:
    kingdom: str
    name: str
    arms: Arms
    musters: int
    king_heroes: tuple[str, ...]
    houses: tuple[HouseHistory, ...]
    luck: tuple[Luck, ...]  # of all houses together


@lru_cache(maxsize=2048)
def _muster(code: str) -> Mustering:
    """A code never changes its meaning, so it is read once."""
    return recipe_of(code).muster


@dataclass(frozen=True, slots=True)
class _Past:
    battle: int
    on: dt.date
    url: str
    muster: Mustering


def history_sheet(campaign_id: int, log_id: int, state: State, realm: Kingdom, who: Who) -> HistorySheet:
    past = _past(campaign_id, log_id, state, realm, who)
    houses = tuple([_house(number, realm, past) for number in HOUSES])
    king = tuple([HERO[unit.hero].name for one in past for unit in one.muster.units if unit.slot.origin == "king" and unit.hero])  # fmt: skip
    return HistorySheet(realm.id, realm.name, Arms.from_dict(realm.arms), len(past), king, houses, _luck(HOUSES, past))


def _past(campaign_id: int, log_id: int, state: State, realm: Kingdom, who: Who) -> list[_Past]:
    """Musters of this site, and those that came with a chronicle from elsewhere: two queries."""
    rows = Muster.objects.filter(campaign=campaign_id, kingdom=realm.id).taken().order_by("-battle")[:MOST]
    found, entries = [], set()
    for row in rows:
        entries.add(row.entry)
        if not may.hidden_from(state, row, who):
            day = row.taken_at.date() if row.taken_at else dt.date.min
            found.append(_Past(row.battle, day, row.get_absolute_url(), _muster(row.army_code)))
    lines = Entry.objects.filter(log=log_id, act=TAKEN).exclude(number__in=entries).order_by("-number")[:MOST]
    for line in lines:
        body = line.body
        if (
            body.get("kingdom") == realm.id
            and isinstance(body.get("code"), str)
            and isinstance(body.get("battle"), int)
        ):
            try:
                found.append(_Past(line.body["battle"], line.played_on, "", _muster(line.body["code"])))
            except Refusal:  # written under rules this site does not play
                continue
    return sorted(found, key=lambda one: one.battle, reverse=True)[:MOST]


def _house(number: int, realm: Kingdom, past: list[_Past]) -> HouseHistory:
    house = realm.houses[number - 1]
    sent = tuple([row for one in past if (row := _sent(number, one))])
    heroes = tuple([row.hero for row in sent if row.hero])
    return HouseHistory(
        number, house.name, Arms.from_dict(house.arms), house.lost, sent, heroes, _luck((number,), past)
    )


def _unit(number: int, one: _Past) -> MusteredUnit | None:
    return next((u for u in one.muster.units if u.slot.origin == "house" and u.slot.number == number), None)


def _roll(number: int, one: _Past) -> int | None:
    """The muster roll that counted, or nothing where the house was not called."""
    for step in reversed(one.muster.steps):
        if step.kind == "muster" and step.slot.origin == "house" and step.slot.number == number:
            return int(step.answer.value)
    return None


def _sent(number: int, one: _Past) -> Sent | None:
    roll, unit = _roll(number, one), _unit(number, one)
    if roll is None:
        return Sent(one.battle, one.on, one.url, "nobody", "silent: fealty was lost before", "", None, one.muster.call.loyalty)  # fmt: skip
    hero = HERO[unit.hero].name if unit and unit.hero else ""
    name = unit.name if unit else "nobody; fealty was lost"
    return Sent(one.battle, one.on, one.url, unit.unit if unit else "nobody", name, hero, roll, one.muster.call.loyalty)


# --- luck ---------------------------------------------------------------------------------------------------------------


def _luck(numbers: Sequence[int], past: list[_Past]) -> tuple[Luck, ...]:
    """Dice against their mean, heroes and models against what this loyalty promised. Only where a house rolled."""
    rolled = [(number, one, roll) for one in past for number in numbers if (roll := _roll(number, one)) is not None]
    if not rolled:
        return ()
    odds = [house_odds(one.muster.call.loyalty, one.muster.call.options) for _, one, _ in rolled]
    total = sum(roll for _, _, roll in rolled)
    count = len(rolled)
    units = [unit for number, one, _ in rolled if (unit := _unit(number, one))]
    heroes = sum(unit.hero is not None for unit in units)
    models = sum(unit.models for unit in units)
    chances = [one.hero for one in odds]
    return (
        _told("Muster roll, on average", Fraction(total, count), Fraction(11, 2), at_least(total, count), at_most(total, count)),
        _told("Heroes", Fraction(heroes), sum(chances, Fraction(0)), heroes_at_least(heroes, chances), 1 - heroes_at_least(heroes + 1, chances)),
        Luck("Models", Fraction(models), sum((o.models for o in odds), Fraction(0)), Fraction(0), ""),
    )  # fmt: skip


def _told(what: str, fell: Fraction, due: Fraction, at_least: Fraction, at_most: Fraction) -> Luck:
    """Above what was due: how often it would be as much or more; below it: as little or less."""
    chance, words, luck = (
        (at_least, "as much or more", "lucky") if fell >= due else (at_most, "as little or less", "unlucky")
    )
    percent = float(chance) * 100
    said = f"{words} in {'less than 1' if percent < 1 else f'{percent:.0f}'} % of cases"
    return Luck(what, fell, due, chance, f"{said}: {luck}" if chance < Fraction(1, 20) else said)


def at_least(total: int, dice: int) -> Fraction:
    """The exact chance that so many d10 show this total or more."""
    return 1 - at_most(total - 1, dice)


def at_most(total: int, dice: int) -> Fraction:
    """The exact chance of this total or less, by counting in and out the ways in which a die would show more than 10."""
    if total < dice:
        return Fraction(0)
    ways = sum(
        (-1) ** over * comb(dice, over) * comb(total - 10 * over, dice) for over in range((total - dice) // 10 + 1)
    )
    return Fraction(ways, 10**dice)


def heroes_at_least(number: int, chances: Sequence[Fraction]) -> Fraction:
    """The exact chance of so many heroes or more, where each muster had a chance of its own.

    Musters at the same loyalty are counted together, in whole numbers, so that a long war costs little.
    """
    ways, every = [1], 1
    for chance, times in Counter(chances).items():
        hit, whole = chance.numerator, chance.denominator
        group = [comb(times, k) * hit**k * (whole - hit) ** (times - k) for k in range(times + 1)]
        grown = [0] * (len(ways) + times)
        for had, here in enumerate(ways):
            for more, there in enumerate(group):
                grown[had + more] += here * there
        ways, every = grown, every * whole**times
    return Fraction(sum(ways[number:]), every)


def heroes_said(heroes: tuple[str, ...]) -> str:
    """The Wizard twice, the Ranger."""
    counted = {name: heroes.count(name) for name in heroes}
    return listed([name if times == 1 else f"{name} ({times} times)" for name, times in counted.items()])
