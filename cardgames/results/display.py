"""Results of card games ready to draw: a row of the list, and who won how often."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from django.db.models import QuerySet

from cardgames.engine import Game
from cardgames.engine.finished_game_steps import describe_ending
from cardgames.engine.game_definition import OptionValue
from cardgames.games import SHELF
from cardgames.models import Result, ResultSeat
from cardgames.tables import load_from_log
from dataclass_json import PageOnly, stored_as
from people.name_validation import inline_name
from people.requester import Who
from text import join_list

MAX_RECORDS = 5


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One player of a result."""

    api_name = "CardResultLine"

    name: str
    role: str
    points: int | None  # None in a game without points
    won: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result in the list."""

    api_name = "CardResult"

    result: PageOnly[Result]
    id: int
    game: str
    title: str
    code: Annotated[str, "code of the table; empty if it was played with printed cards"] = field(
        metadata=stored_as("table")
    )
    at: dt.datetime
    ending: str
    lines: tuple[ResultLine, ...] = field(metadata=stored_as("players"))
    # The options that differ from the default.
    agreed: PageOnly[tuple[str, ...]]


@dataclass(slots=True)
class Tally:
    """One person's games of one variant."""

    api_name = "CardTally"

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

    api_name = "CardTallies"

    variant: PageOnly[tuple[str, ...]]
    heading: str = field(metadata=stored_as("title"))
    tallies: tuple[Tally, ...]
    is_solo: PageOnly[bool]
    records: PageOnly[tuple[Record, ...]]
    has_points: PageOnly[bool]


def visible_results(who: Who) -> QuerySet[Result]:
    """Ready for ``result_row``."""
    rows: QuerySet[Result] = (
        Result.objects.visible_to(who)
        .select_related("table")
        .prefetch_related("places__person__merged_into")
        .defer("table__deck", "table__seed")
    )
    return rows


def result_row(result: Result) -> ResultRow:
    places = list(result.places.all())
    names = seat_names(places)
    game = SHELF.get(result.game)
    cards = result.kept.get("cards", {}) if result.kept else {}
    has_points = game is None or game.has_points
    return ResultRow(
        result=result,
        id=result.pk,
        game=result.game,
        title=game.title if game else result.game,
        code=result.table.code if result.table else "",
        at=result.at,
        ending=describe_ending(result.kept, None, names) if result.kept else "",
        lines=tuple(
            ResultLine(name, cards.get(place.role, place.role), place.score if has_points else None, place.won)
            for name, place in zip(names, places, strict=True)
        ),
        agreed=tuple(_agreed(game, result.options)) if game else (),
    )


def _agreed(game: Game, options: Mapping[str, OptionValue]) -> Iterator[str]:
    for option in game.options:
        value = options.get(option.key, option.default)
        if value != option.default:
            yield f"{option.label}: {dict(option.choices).get(value, value)}"


def seat_names(places: Sequence[ResultSeat]) -> list[str]:
    """The names of players and bots, as they were at the table."""
    people = [place.person.root.name if place.person else None for place in places]
    return names_at_table([(place.number, place.bot, name) for place, name in zip(places, people, strict=True)])


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
    tallies: dict[tuple[str, tuple[str, ...]], dict[int, Tally]] = defaultdict(dict)
    scores: dict[tuple[str, tuple[str, ...]], list[Record]] = defaultdict(list)
    for result in results:
        places = list(result.places.all())
        key = (result.game, variant_of(result, places))
        for place in places:
            if place.person is None or place.bot:
                continue
            person = place.person.root
            tally = tallies[key].setdefault(person.pk, Tally(inline_name(person.name)))
            tally.best = place.score if tally.best is None else max(tally.best, place.score)
            tally.played += 1
            tally.won += place.won
            tally.points += place.score
            scores[key].append(Record(tally.name, place.score, result.at))
    shelf = list(SHELF)
    keys = sorted((key for key in tallies if key[0] in SHELF), key=lambda key: (shelf.index(key[0]), key[1]))
    return [_variant_tallies(*key, tallies[key].values(), scores[key]) for key in keys]


def _variant_tallies(
    key: str, variant: tuple[str, ...], tallies: Iterable[Tally], scores: Iterable[Record]
) -> VariantTallies:
    game, is_solo = SHELF[key], "solo" in variant
    return VariantTallies(
        variant=variant,
        heading=f"{game.title}: {join_list(list(variant))}" if variant else game.title,
        tallies=tuple(sorted(tallies, key=lambda tally: (0 if is_solo else -tally.won, -tally.points))),
        is_solo=is_solo,
        # The earlier of two equal scores holds the record.
        records=tuple(sorted(scores, key=lambda record: -record.score)[:MAX_RECORDS]) if is_solo else (),
        has_points=game.has_points,
    )
