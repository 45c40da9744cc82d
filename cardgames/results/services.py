"""What is kept of a finished game: how it ended, with its people, and all of its steps. No name stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgames.engine import OPEN, Live
from cardgames.engine.keepsake import keepsake
from cardgames.models import Result, ResultSeat, Table
from people.models import Person

__all__ = ["keep", "keep_by_hand"]


def keep(table: Table, live: Live) -> Result:
    """The result of a table that has just ended. Part of its last write."""
    ended = live.result
    assert ended is not None
    assert table.ended_at is not None
    result = Result.objects.create(
        table=table,
        keeper_id=table.host_id,
        game=table.game,
        rules=table.rules,
        deck_title=table.deck_title,
        options=table.options,
        outcome=ended.outcome,
        choices=len(live.line),
        seconds=int((table.ended_at - (table.begun_at or table.opened_at)).total_seconds()),
        kept=keepsake(live),
        at=table.ended_at,
    )
    roles = _roles(live)
    ResultSeat.objects.bulk_create(
        ResultSeat(
            result=result,
            number=seat.number,
            person_id=seat.person_id,
            bot=seat.bot,
            role=roles.get(seat.number, ""),
            score=ended.scores[seat.number],
            won=seat.number in ended.winners,
        )
        for seat in table.seat_set.order_by("number")
    )
    return result


def keep_by_hand(
    keeper: Person,
    *,
    key: str,
    game: str,
    places: Sequence[tuple[Person | None, str, int, bool]],
    outcome: str = "",
    options: dict[str, Any] | None = None,
    deck_title: str = "",
    seconds: int | None = None,
    kept: dict[str, Any] | None = None,
) -> Result:
    """The result of a game with printed cards; each place is who, their role, their points, and whether they won.

    ``kept`` may hold what the ending is told from; there are no steps to watch again.
    """
    entry_key = f"person:{keeper.pk}/{key}"
    result, made = Result.objects.get_or_create(
        entry_key=entry_key,
        defaults={
            "keeper": keeper,
            "game": game,
            "outcome": outcome,
            "options": options or {},
            "deck_title": deck_title,
            "seconds": seconds,
            "kept": kept or {},
        },
    )
    if made:
        ResultSeat.objects.bulk_create(
            ResultSeat(result=result, number=number, person=person, role=role, score=score, won=won)
            for number, (person, role, score, won) in enumerate(places)
        )
    return result


def _roles(live: Live) -> dict[int, str]:
    """Hidden roles by seat, in a game that has them; at its end they lie open."""
    for zone in live.view(OPEN)["zones"]:
        if zone["zone"] == "role":
            return {seat: cards[0] for seat, cards in enumerate(zone["each"]) if cards}
    return {}
