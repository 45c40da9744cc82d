"""What decks and sheets add to the registries below; called when the app is ready."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from log import kinds
from people import forgetting, my_data
from people.who import Who


def register() -> None:
    from cardgames import sheets

    sheets.register()
    kinds.register("card_sheet", _may_watch, secret=True)
    forgetting.register(_forget)
    my_data.register("card_decks", _decks)


def _may_watch(who: Who, log_id: int) -> bool:
    from cardgames.models import Sheet

    return Sheet.objects.visible_to(who).filter(log_id=log_id).exists()


def _forget(ids: Sequence[int]) -> None:
    """Sheets carry names as typed, so those of someone who is forgotten go; their decks lose their titles' owner only."""
    from cardgames.models import Sheet

    Sheet.objects.filter(keeper__in=ids).delete()


def _decks(ids: Sequence[int]) -> list[dict[str, Any]]:
    from cardgames.models import DeckCopy

    return list(DeckCopy.objects.filter(owner__in=ids).values("code", "game", "title", "use", "made_at", "changed_at"))
