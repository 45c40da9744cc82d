"""Passes to score sheets and roles, and who may watch a sheet's log."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpRequest

from cardgames.games import find_game
from cardgames.models import Sheet, SheetSeat
from log import registry as log_registry
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
