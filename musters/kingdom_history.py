"""What each house of a kingdom sent in past battles, its heroes and its luck."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from django.http import Http404

from campaign.chronicle.state import Kingdom, State
from campaign.models import Campaign
from dataclass_json import PageOnly
from heraldry import Arms
from log.models import Entry
from musters import permissions
from musters.chronicle_acts import TAKEN
from musters.core.army_code import decode_army
from musters.models import Muster
from people.requester import Who
from refusal import Refusal
from rulebook.data.heroes import HERO
from rulebook.muster.army import HOUSES, MusteredUnit
from rulebook.muster.roll_muster import Muster as Mustering
from rulebook.odds.muster import house_odds
from rulebook.odds.rolls import chance_of_at_least, chance_of_at_most, chance_of_successes
from text import join_list

MAX_MUSTERS = 200  # older musters do not count


@dataclass(frozen=True, slots=True)
class SentUnit:
    """What one house sent for one battle."""

    api_name = "PastUnit"

    battle: int
    on: dt.date
    url: PageOnly[str]
    unit: str  # key of the row, or "nobody"
    name: str
    hero: str
    roll: int | None
    loyalty: int


@dataclass(frozen=True, slots=True)
class Luck:
    """An actual and an expected value, with the exact chance of such a result or a more extreme one."""

    api_name = "MusterLuck"

    what: str
    actual: PageOnly[Fraction]
    expected: PageOnly[Fraction]
    chance: PageOnly[Fraction]
    sentence: str


@dataclass(frozen=True, slots=True)
class HouseHistory:
    number: int
    name: str
    arms: PageOnly[Arms]
    lost: bool
    sent: tuple[SentUnit, ...]
    heroes: PageOnly[tuple[str, ...]]
    luck: tuple[Luck, ...]


@dataclass(frozen=True, slots=True)
class HistoryDisplay:
    api_name = "MusterHistory"

    kingdom: str
    name: str
    arms: PageOnly[Arms]
    musters: int
    king_heroes: PageOnly[tuple[str, ...]]
    houses: tuple[HouseHistory, ...]
    luck: tuple[Luck, ...]  # of all houses together


@lru_cache(maxsize=2048)
def _decode_muster(code: str) -> Mustering:
    """Cached: a code never changes its meaning."""
    return decode_army(code).muster


@dataclass(frozen=True, slots=True)
class _PastMuster:
    battle: int
    on: dt.date
    url: str
    muster: Mustering


def history_display(campaign: Campaign, kingdom: str, who: Who) -> HistoryDisplay:
    state = permissions.state_of(campaign)
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None:
        raise Http404
    musters = _past_musters(campaign, state, this_kingdom, who)
    houses = tuple([_house(number, this_kingdom, musters) for number in HOUSES])
    king = tuple(
        HERO[unit.hero].name
        for past in musters
        for unit in past.muster.units
        if unit.slot.origin == "king" and unit.hero
    )
    return HistoryDisplay(
        this_kingdom.id,
        this_kingdom.name,
        Arms.from_dict(this_kingdom.arms),
        len(musters),
        king,
        houses,
        _luck(HOUSES, musters),
    )


def _past_musters(campaign: Campaign, state: State, kingdom: Kingdom, who: Who) -> list[_PastMuster]:
    """Musters of this site, and those of an imported chronicle: two queries."""
    rows = Muster.objects.filter(campaign=campaign, kingdom=kingdom.id).taken().order_by("-battle")[:MAX_MUSTERS]
    past, numbers = [], set()
    for row in rows:
        numbers.add(row.entry)
        if not permissions.is_hidden_from(state, row, who):
            day = row.taken_at.date() if row.taken_at else dt.date.min
            past.append(_PastMuster(row.battle, day, row.get_absolute_url(), _decode_muster(row.army_code)))
    imported = (
        Entry.objects.filter(log=campaign.log_id, act=TAKEN)
        .exclude(number__in=numbers)
        .order_by("-number")[:MAX_MUSTERS]
    )
    for entry in imported:
        body = entry.body
        if (
            body.get("kingdom") == kingdom.id
            and isinstance(body.get("code"), str)
            and isinstance(body.get("battle"), int)
        ):
            try:
                past.append(_PastMuster(entry.body["battle"], entry.played_on, "", _decode_muster(entry.body["code"])))
            except Refusal:  # other rules version
                continue
    return sorted(past, key=lambda muster: muster.battle, reverse=True)[:MAX_MUSTERS]


def _house(number: int, kingdom: Kingdom, musters: list[_PastMuster]) -> HouseHistory:
    house = kingdom.houses[number - 1]
    sent = tuple([_sent(number, past) for past in musters])
    heroes = tuple([row.hero for row in sent if row.hero])
    return HouseHistory(
        number, house.name, Arms.from_dict(house.arms), house.lost, sent, heroes, _luck((number,), musters)
    )


def _unit(number: int, past: _PastMuster) -> MusteredUnit | None:
    return next((u for u in past.muster.units if u.slot.origin == "house" and u.slot.number == number), None)


def _roll(number: int, past: _PastMuster) -> int | None:
    """The muster roll that counted, or None if the house was not called."""
    for step in reversed(past.muster.steps):
        if step.kind == "muster" and step.slot.origin == "house" and step.slot.number == number:
            return int(step.answer.value)
    return None


def _sent(number: int, past: _PastMuster) -> SentUnit:
    roll, unit = _roll(number, past), _unit(number, past)
    key, name, hero = "nobody", "nobody: fealty lost", ""
    if unit:
        key, name, hero = unit.unit, unit.name, HERO[unit.hero].name if unit.hero else ""
    elif roll is None:
        name = "nobody: fealty already lost"
    return SentUnit(past.battle, past.on, past.url, key, name, hero, roll, past.muster.call.loyalty)


# --- luck -----------------------------------------------------------------------------------------


def _luck(numbers: Sequence[int], musters: list[_PastMuster]) -> tuple[Luck, ...]:
    """Rolls, heroes and models beside their expectation, for houses that rolled."""
    pairs = [(number, past) for past in musters for number in numbers]
    rolled = [(number, past, roll) for number, past in pairs if (roll := _roll(number, past)) is not None]
    if not rolled:
        return ()
    odds = [house_odds(past.muster.call.loyalty, past.muster.call.options) for _, past, _ in rolled]
    total = sum(roll for _, _, roll in rolled)
    count = len(rolled)
    units = [unit for number, past, _ in rolled if (unit := _unit(number, past))]
    heroes = sum(unit.hero is not None for unit in units)
    models = sum(unit.models for unit in units)
    chances = [house.hero for house in odds]
    return (
        _luck_row(
            "Average muster roll",
            Fraction(total, count),
            Fraction(11, 2),
            chance_of_at_least(total, count),
            chance_of_at_most(total, count),
        ),
        _luck_row(
            "Heroes",
            Fraction(heroes),
            sum(chances, Fraction(0)),
            chance_of_successes(heroes, chances),
            1 - chance_of_successes(heroes + 1, chances),
        ),
        Luck("Models", Fraction(models), sum((house.models for house in odds), Fraction(0)), Fraction(0), ""),
    )


def _luck_row(what: str, actual: Fraction, expected: Fraction, at_least: Fraction, at_most: Fraction) -> Luck:
    chance, words, luck = (
        (at_least, "this high or higher", "lucky") if actual >= expected else (at_most, "this low or lower", "unlucky")
    )
    percent = float(chance) * 100
    sentence = f"{words} {'less than 1' if percent < 1 else f'{percent:.0f}'} % of the time"
    return Luck(what, actual, expected, chance, f"{sentence}: {luck}" if chance < Fraction(1, 20) else sentence)


def list_heroes(heroes: tuple[str, ...]) -> str:
    """For example: Wizard (2 times) and Ranger."""
    counted = {name: heroes.count(name) for name in heroes}
    return join_list([name if times == 1 else f"{name} ({times} times)" for name, times in counted.items()])
