"""Saves the results of finished games: the outcome, the players, and every step without names."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from cardgames import registry
from cardgames.engine import OPEN, RunningTable
from cardgames.engine.finished_game_steps import record_finished_game
from cardgames.engine.game_definition import OptionValue
from cardgames.games import house_deck
from cardgames.models import Result, ResultSeat, Table
from people.models import Person


def save_table_result(table: Table, running: RunningTable) -> Result:
    """Saves the result of a table that has just ended. Part of its last write."""
    ended = running.result
    assert ended is not None
    assert table.ended_at is not None
    result = Result.objects.create(
        table=table,
        keeper_id=table.host_id,
        game=table.game,
        rules=table.rules,
        deck_title=table.deck_title,
        own_deck=running.record.deck != house_deck(table.game),
        options=table.options,
        outcome=ended.outcome,
        choices=running.choice_count,
        seconds=int((table.ended_at - (table.begun_at or table.opened_at)).total_seconds()),
        kept=record_finished_game(running),
        at=table.ended_at,
    )
    roles = revealed_roles(running)
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
    registry.call_result_hooks(result)
    return result


def save_printed_result(
    keeper: Person,
    *,
    key: str,
    game: str,
    places: Sequence[tuple[Person | None, str, int, bool]],
    outcome: str = "",
    options: Mapping[str, OptionValue] | None = None,
    deck_title: str = "",
    own_deck: bool = False,
    seconds: int | None = None,
    kept: Mapping[str, Any] | None = None,
) -> Result:
    """Saves the result of a game with printed cards. Each place is a person, their role, their points, and if they won.

    ``kept`` can hold the data of the final sentence; there are no steps to replay.
    """
    entry_key = f"person:{keeper.pk}/{key}"
    with transaction.atomic():
        result, made = Result.objects.get_or_create(
            entry_key=entry_key,
            defaults={
                "keeper": keeper,
                "game": game,
                "outcome": outcome,
                "options": options or {},
                "deck_title": deck_title,
                "own_deck": own_deck,
                "seconds": seconds,
                "kept": kept or {},
            },
        )
        if made:
            ResultSeat.objects.bulk_create(
                ResultSeat(result=result, number=number, person=person, role=role, score=score, won=won)
                for number, (person, role, score, won) in enumerate(places)
            )
            registry.call_result_hooks(result)
    return result


def revealed_roles(running: RunningTable) -> dict[int, str]:
    """Roles by seat at the end of a game, if it has hidden roles."""
    roles = running.view(OPEN).role
    return {seat: cards[0] for seat, cards in enumerate(roles.each) if cards and cards[0]} if roles else {}
