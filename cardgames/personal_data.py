"""A person's part in card tables: in the file of their own data, and when they are forgotten."""

from __future__ import annotations

from typing import Any

from cardgames.models import ResultSeat, Seat
from people import forgetting, my_data
from people.models import Pass


def register() -> None:
    my_data.register("card_tables", part)
    forgetting.register(forget)


def part(ids: tuple[int, ...]) -> list[dict[str, Any]]:
    rows = ResultSeat.objects.filter(person__in=ids).select_related("result").defer("result__kept").order_by("pk")
    return [
        {"game": row.result.game, "at": row.result.at, "role": row.role, "score": row.score, "won": row.won}
        for row in rows
    ]


def forget(ids: tuple[int, ...]) -> None:
    """Their phones are out of their seats; what was played stays as played by Someone."""
    tokens = Seat.objects.filter(person__in=ids, token__isnull=False).values_list("token_id", flat=True)
    Pass.objects.filter(pk__in=list(tokens)).delete()
