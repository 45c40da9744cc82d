"""Passes to score sheets, and card games in a person's data file and when a person is forgotten."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import TypedDict

from django.http import HttpRequest

from cardgames.games import find_game
from cardgames.models import DeckCopy, ResultSeat, Seat, Sheet, SheetSeat
from log import registry as log_registry
from people import privacy
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who


def register() -> None:
    passes_services.register_kind(
        Sheet.PASS,
        "Score sheet of a card game",
        prompt=_prompt_for_sheet,
        on_accept=_open_sheet,
        belongs_to="game",
        holds=True,
        scope="play",
    )
    passes_services.register_kind(
        Sheet.KEEPER_PASS,
        "Score sheet of a card game, started here",
        prompt=_prompt_for_sheet,
        on_accept=_open_sheet,
        belongs_to="game",
        holds=True,
    )
    passes_services.register_kind(
        SheetSeat.PASS, "Role in a card game", prompt=lambda row, who: None, belongs_to="game", holds=True
    )
    log_registry.register_kind("card_sheet", _can_watch, still_secret=_find_running_logs)
    privacy.register_part("card_tables", card_results_of)
    privacy.register_hook(remove_phones)
    privacy.register_hook(_forget_sheets)
    privacy.register_part("card_decks", _deck_rows)


def _prompt_for_sheet(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    sheet = Sheet.objects.filter(pk=row.target).first()
    if sheet is None:
        return None
    return passes_services.PassPrompt(
        f"Join a game of {find_game(sheet.game).title} with printed cards.",
        button="Open the score sheet",
        more="You see the score sheet and whose turn it is, and can take a role if phones deal the roles.",
    )


def _open_sheet(row: Pass, request: HttpRequest) -> str:
    return Sheet.objects.get(pk=row.target).get_absolute_url()


def _can_watch(who: Who, log_id: int) -> bool:
    return Sheet.objects.visible_to(who).filter(log_id=log_id).exists()


def _find_running_logs(ids: Collection[int]) -> Collection[int]:
    rows = Sheet.objects.filter(log__in=ids).values_list("log_id", "state")
    return [log_id for log_id, state in rows if not state.get("over")]


# ── Personal data ──────────────────────────────────────────────────────────────────────────────────────


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
