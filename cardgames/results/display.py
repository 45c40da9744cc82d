"""Results of card games ready to draw: a row of the list, and who won how often."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.engine.finished_game import describe_ending
from cardgames.games import SHELF
from cardgames.models import Result, ResultSeat
from cardgames.tables import load_from_log
from people.name_validation import inline_name
from people.requester import Who
from text import join_list

MAX_RECORDS = 5


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One player of a result."""

    name: str
    role: str
    points: int | None  # None in a game without points
    won: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result in the list."""

    result: Result
    title: str
    code: str
    places: list[ResultSeat]
    names: list[str]
    ending: str

    @property
    def agreed(self) -> list[str]:
        """The options that differ from the default."""
        game = SHELF.get(self.result.game)
        found = []
        for option in game.options if game else ():
            value = self.result.options.get(option.key, option.default)
            if value != option.default:
                words = dict(option.choices)
                found.append(f"{option.label}: {words.get(value, value)}")
        return found

    @property
    def lines(self) -> list[ResultLine]:
        cards = self.result.kept.get("cards", {}) if self.result.kept else {}
        has_points = self.result.game not in SHELF or SHELF[self.result.game].has_points
        return [
            ResultLine(name, cards.get(place.role, place.role), place.score if has_points else None, place.won)
            for name, place in zip(self.names, self.places, strict=True)
        ]


@dataclass(slots=True)
class Tally:
    """One person's games of one variant."""

    name: str
    played: int = 0
    won: int = 0
    points: int = 0
    best: int | None = None

    @property
    def average(self) -> str:
        return f"{self.points / self.played:.1f}"


@dataclass(frozen=True, slots=True)
class Record:
    """One of the best scores of a solo game."""

    name: str
    score: int
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class VariantTallies:
    """The statistics of one game, played one way. Nobody wins a solo game: it has records."""

    title: str
    variant: tuple[str, ...]
    tallies: list[Tally]
    is_solo: bool = False
    records: tuple[Record, ...] = ()
    has_points: bool = True

    @property
    def heading(self) -> str:
        return f"{self.title}: {join_list(list(self.variant))}" if self.variant else self.title


def result_row(result: Result) -> ResultRow:
    places = list(result.places.all())
    names = seat_names(places)
    sentence = describe_ending(result.kept, None, names) if result.kept else ""
    title = SHELF[result.game].title if result.game in SHELF else result.game
    return ResultRow(result, title, result.table.code if result.table else "", places, names, sentence)


def seat_names(places: Sequence[ResultSeat]) -> list[str]:
    """The names of players and bots, as they were at the table."""
    return names_at_table([(one.number, one.bot, one.person.root.name if one.person else None) for one in places])


def names_at_table(seats: Sequence[tuple[int, str, str | None]]) -> list[str]:
    """The same by number, bot and person's name of each seat. No bot has the name of a person."""
    people = [inline_name(name) for _, _, name in seats if name is not None]
    return [
        inline_name(name)
        if name is not None
        else load_from_log.get_bot_name(number, people)
        if bot
        else f"Seat {number + 1}"
        for number, bot, name in seats
    ]


def variant_of(result: Result, places: Sequence[ResultSeat]) -> tuple[str, ...]:
    """How a game was played, in words: games of different variants are not comparable."""
    game = SHELF.get(result.game)
    parts = ["solo"] if len(places) == 1 else []
    for option in game.options if game else ():
        is_switch = [value for value, _ in option.choices] == [False, True]
        if is_switch and result.options.get(option.key, option.default):
            parts.append(option.label[:1].lower() + option.label[1:])
    if result.own_deck:
        parts.append("own deck")
    if any(place.bot for place in places):
        parts.append("with bots")
    return tuple(parts)


def tally_results(who: Who) -> list[VariantTallies]:
    """Per game and variant, who played how often and how well; bots are left out."""
    results = (
        Result.objects.visible_to(who)
        .prefetch_related("places__person__merged_into")
        .defer("kept")
        .order_by("at", "pk")
    )
    found: dict[tuple[str, tuple[str, ...]], dict[int, Tally]] = defaultdict(dict)
    scores: dict[tuple[str, tuple[str, ...]], list[Record]] = defaultdict(list)
    for result in results:
        places = list(result.places.all())
        key = (result.game, variant_of(result, places))
        for place in places:
            if place.person is None or place.bot:
                continue
            person = place.person.root
            tally = found[key].setdefault(person.pk, Tally(inline_name(person.name)))
            tally.best = place.score if tally.best is None else max(tally.best, place.score)
            tally.played += 1
            tally.won += place.won
            tally.points += place.score
            scores[key].append(Record(tally.name, place.score, result.at))
    shelf = list(SHELF)
    keys = sorted((key for key in found if key[0] in SHELF), key=lambda key: (shelf.index(key[0]), key[1]))
    out = []
    for key in keys:
        is_solo = "solo" in key[1]
        tallies = sorted(found[key].values(), key=lambda tally: (0 if is_solo else -tally.won, -tally.points))
        # The earlier of two equal scores holds the record.
        records = tuple(sorted(scores[key], key=lambda record: -record.score)[:MAX_RECORDS]) if is_solo else ()
        game = SHELF[key[0]]
        out.append(VariantTallies(game.title, key[1], tallies, is_solo, records, game.has_points))
    return out
