"""Registers the passes, logs and personal data of decks and sheets when the app is ready."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import TypedDict

from log import registry as log_registry
from people import privacy
from people.requester import Who


def register() -> None:
    from cardgames.companion import services

    services.register_passes()
    log_registry.register_kind("card_sheet", _can_watch, still_secret=_find_running_logs)
    privacy.register_hook(_forget_sheets)
    privacy.register_part("card_decks", _deck_rows)


def _can_watch(who: Who, log_id: int) -> bool:
    from cardgames.models import Sheet

    return Sheet.objects.visible_to(who).filter(log_id=log_id).exists()


def _find_running_logs(ids: Collection[int]) -> Collection[int]:
    from cardgames.models import Sheet

    rows = Sheet.objects.filter(log__in=ids).values_list("log_id", "state")
    return [log_id for log_id, state in rows if not state.get("over")]


def _forget_sheets(ids: Sequence[int]) -> None:
    """Deletes a forgotten person's sheets, because they hold names as typed. Decks only lose their owner."""
    from cardgames.models import Sheet

    Sheet.objects.filter(keeper__in=ids).delete()


class DeckData(TypedDict):
    code: str
    game: str
    title: str
    use: str
    made_at: dt.datetime
    changed_at: dt.datetime


def _deck_rows(ids: Sequence[int]) -> list[DeckData]:
    from cardgames.models import DeckCopy

    return list(DeckCopy.objects.filter(owner__in=ids).values("code", "game", "title", "use", "made_at", "changed_at"))
