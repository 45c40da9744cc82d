"""Card games, decks and score sheets in a person's data file, and when a person is forgotten."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TypedDict

from cardgames.models import DeckCopy, ResultSeat, Seat, Sheet
from people import privacy
from people.models import Pass


def register() -> None:
    privacy.register_part("card_tables", card_results_of)
    privacy.register_hook(remove_phones)
    privacy.register_hook(_forget_sheets)
    privacy.register_part("card_decks", _deck_rows)


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


def _forget_sheets(ids: Sequence[int]) -> None:
    """Deletes a forgotten person's sheets, because they hold names as typed. Decks only lose their owner."""
    Sheet.objects.filter(keeper__in=ids).delete()


class DeckData(TypedDict):
    code: str
    game: str
    title: str
    use: str
    made_at: dt.datetime
    changed_at: dt.datetime


def _deck_rows(ids: Sequence[int]) -> list[DeckData]:
    return list(DeckCopy.objects.filter(owner__in=ids).values("code", "game", "title", "use", "made_at", "changed_at"))
