"""Results of card games ready to draw: a row of the list, and who won how often."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from cardgames.engine.finished_game import describe_ending
from cardgames.games import SHELF
from cardgames.models import Result, ResultSeat
from cardgames.tables import load_from_log
from people.name_validation import inline_name
from people.requester import Who


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
    def lines(self) -> list[dict[str, Any]]:
        cards = self.result.kept.get("cards", {}) if self.result.kept else {}
        return [
            {"name": name, "role": cards.get(place.role, place.role), "points": place.score, "won": place.won}
            for name, place in zip(self.names, self.places, strict=True)
        ]


@dataclass(slots=True)
class Tally:
    """One person's games of one kind."""

    name: str
    played: int = 0
    won: int = 0
    points: int = 0
    best: int = 0

    @property
    def average(self) -> str:
        return f"{self.points / self.played:.1f}"


def result_row(result: Result) -> ResultRow:
    places = list(result.places.all())
    names = [seat_name(place) for place in places]
    sentence = describe_ending(result.kept, None, names) if result.kept else ""
    title = SHELF[result.game].title if result.game in SHELF else result.game
    return ResultRow(result, title, result.table.code if result.table else "", places, names, sentence)


def seat_name(place: ResultSeat) -> str:
    if place.person is not None:
        return inline_name(place.person.root.name)
    return (
        load_from_log.BOT_NAMES[place.number % len(load_from_log.BOT_NAMES)]
        if place.bot
        else f"Seat {place.number + 1}"
    )


def tally_results(who: Who) -> list[tuple[str, list[Tally]]]:
    """Per game, who played how often and how well; bots are left out."""
    places = (
        ResultSeat.objects.filter(result__in=Result.objects.visible_to(who), person__isnull=False, bot="")
        .select_related("person__merged_into", "result")
        .defer("result__kept")
    )
    games: dict[str, dict[int, Tally]] = defaultdict(dict)
    for place in places:
        assert place.person is not None
        person = place.person.root
        tally = games[place.result.game].setdefault(person.pk, Tally(inline_name(person.name)))
        tally.played += 1
        tally.won += place.won
        tally.points += place.score
        tally.best = max(tally.best, place.score)
    return [
        (SHELF[key].title, sorted(games[key].values(), key=lambda tally: (-tally.won, -tally.points)))
        for key in SHELF
        if key in games
    ]
