"""Card games in a person's data file, and when a person is forgotten."""

from __future__ import annotations

import datetime as dt
from typing import TypedDict

from cardgames.models import ResultSeat, Seat
from people import privacy
from people.models import Pass


def register() -> None:
    privacy.register_part("card_tables", card_results_of)
    privacy.register_hook(remove_phones)


class CardResult(TypedDict):
    game: str
    at: dt.datetime
    role: str
    score: int
    won: bool


def card_results_of(ids: tuple[int, ...]) -> list[CardResult]:
    rows = ResultSeat.objects.filter(person__in=ids).select_related("result").defer("result__kept").order_by("pk")
    return [
        {"game": row.result.game, "at": row.result.at, "role": row.role, "score": row.score, "won": row.won}
        for row in rows
    ]


def remove_phones(ids: tuple[int, ...]) -> None:
    """Takes their phones out of their seats. Their games stay, credited to "Someone"."""
    seats = list(Seat.objects.filter(person__in=ids).values_list("pk", flat=True))
    Pass.objects.filter(kind=Seat.PASS, target__in=seats).delete()
