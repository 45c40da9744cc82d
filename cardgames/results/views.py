"""What was played: the list, simple tables per game, and a finished game watched again step by step."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames import loading
from cardgames.engine import OPEN
from cardgames.engine.keepsake import ending, told
from cardgames.games import SHELF
from cardgames.models import Result, ResultSeat, Table
from cardgames.sheet import replay_sheet
from cardgames.views import visible
from pages.numbers import whole
from people.names import said
from refusal import Refusal

PAGE = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A result ready to be listed."""

    result: Result
    title: str
    code: str
    places: list[ResultSeat]
    names: list[str]
    ending: str

    @property
    def agreed(self) -> list[str]:
        """The options that were not as usual."""
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


@require_safe
def results(request: HttpRequest) -> HttpResponse:
    found = (
        Result.objects.visible_to(request.who)
        .select_related("table")
        .prefetch_related("places__person__merged_into")
        .defer("table__deck", "table__seed")
    )
    context = {"rows": [row_of(result) for result in found[:PAGE]], "tallies": tallies(request)}
    return render(request, "cardgames/results.html", context)


def row_of(result: Result) -> Row:
    places = list(result.places.all())
    names = [name_of(place) for place in places]
    sentence = ending(result.kept, None, names) if result.kept else ""
    title = SHELF[result.game].title if result.game in SHELF else result.game
    return Row(result, title, result.table.code if result.table else "", places, names, sentence)


def name_of(place: ResultSeat) -> str:
    if place.person is not None:
        return said(place.person.root.name)
    return loading.BOT_NAMES[place.number % len(loading.BOT_NAMES)] if place.bot else f"Seat {place.number + 1}"


def tallies(request: HttpRequest) -> list[tuple[str, list[Tally]]]:
    """Per game, who played how often and how well; bots are left out."""
    places = (
        ResultSeat.objects.filter(result__in=Result.objects.visible_to(request.who), person__isnull=False, bot="")
        .select_related("person__merged_into", "result")
        .defer("result__kept")
    )
    games: dict[str, dict[int, Tally]] = defaultdict(dict)
    for place in places:
        assert place.person is not None
        person = place.person.root
        tally = games[place.result.game].setdefault(person.pk, Tally(said(person.name)))
        tally.played += 1
        tally.won += place.won
        tally.points += place.score
        tally.best = max(tally.best, place.score)
    return [
        (SHELF[key].title, sorted(games[key].values(), key=lambda tally: (-tally.won, -tally.points)))
        for key in SHELF
        if key in games
    ]


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """A finished table, step by step, as any seat saw it or with all cards open."""
    table = visible(request, code)
    result = getattr(table, "result", None)
    if result is None:
        if table.state == Table.State.OVER:
            raise Http404
        raise Refusal("A game can be watched again when it is over.")
    names = [name_of(place) for place in result.places.select_related("person__merged_into").order_by("number")]
    steps = len(result.kept["steps"]) - 1
    step = min(_int(request, "step", 0), steps)
    seat = _watcher(request, table.seats)
    context: dict[str, Any] = {
        "table": table,
        "result": result,
        "row": row_of(result),
        "names": list(enumerate(names)),
        "step": step,
        "steps": steps,
        "eye": request.GET.get("seat", "open"),
        "told": told(result.kept, None if seat == OPEN else seat, names)[step]["sentences"],
        "play": replay_sheet(table, step, seat, names),
    }
    return render(request, "cardgames/replay.html", context)


def _watcher(request: HttpRequest, seats: int) -> int | None:
    wanted = request.GET.get("seat", "open")
    if wanted == "open":
        return OPEN
    if wanted == "wall":
        return None
    number = whole(wanted)
    if number is not None and number < seats:
        return number
    raise Refusal("There is no such seat at this table.", status=404)


def _int(request: HttpRequest, name: str, otherwise: int) -> int:
    number = whole(request.GET.get(name, ""))
    return otherwise if number is None else number
