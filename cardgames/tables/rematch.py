"""Rematches: the host taps once, and every phone gets its seat at a new table."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest

from cardgames.games import new_table
from cardgames.models import Seat, Table
from cardgames.tables import host_actions, load_from_log
from cardgames.tables.seats.seat_change import State, create_seat_pass, held_seats, require_host, write_seat_change
from cardgames.tables.table_creation import CODE_ATTEMPTS, NO_CODE, create_table, require_below_table_limit
from log import services as log_services
from log.models import Entry
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

OPENED = "opened-again"


def start_rematch(table: Table, who: Who, *, key: str) -> Table:
    """Starts a game with the same seats, people, bots, deck and options. A second tap finds the same table."""
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> dict[str, Any]:
        if table.state != State.OVER:
            raise Refusal("You can start a rematch when this game is over.", status=409)
        new_game = Table.objects.filter(follows=table).first()
        if new_game is None:
            require_below_table_limit(who)
            new_game = _create_rematch_table(table, seats)
            writer.append("again", actor=table.host_id)
        return {"table": new_game.pk}

    answer = write_seat_change(table, who.ref, key, {"act": "again"}, act)
    return Table.objects.get(pk=answer["table"])


def _create_rematch_table(table: Table, seats: dict[int, Seat]) -> Table:
    deck = load_from_log.parse_deck(table.game, table.rules, table.deck)
    record = new_table(table.game, table.seats, seed=secrets.token_bytes(32), options=table.options, deck=deck)
    for _ in range(CODE_ATTEMPTS):
        try:
            new_game = create_table(record, table.host, f"again/{table.pk}")
        except IntegrityError:  # a code that is taken
            continue
        break
    else:
        raise Refusal(NO_CODE, status=503)
    new_game.follows = table
    new_game.save(update_fields=["follows"])
    passes = {}
    for seat in new_game.seat_set.all():
        before = seats[seat.number]
        seat.person, seat.bot = before.person, before.bot
        if before.token is not None:
            seat.token = create_seat_pass(seat)
            passes[str(seat.number)] = seat.token.pk
        seat.save()
    _write_first_entries(new_game, {"passes": passes})
    host_actions.begin_play(new_game)
    return new_game


def _write_first_entries(table: Table, body: dict[str, Any]) -> None:
    writer = log_services.LogWriter(table.log)
    writer.append(OPENED, actor=table.host_id, body=body)
    writer.append("started", actor=table.host_id)
    table.log.save(update_fields=["length"])


def carry_seats_over(request: HttpRequest, table: Table) -> None:
    """Gives a phone the seat it has in the game before, unless that seat has since changed hands."""
    if table.follows_id is None or held_seats(table, request.who):
        return
    assert table.follows is not None
    before = held_seats(table.follows, request.who)
    if not before:
        return
    first = Entry.objects.filter(log_id=table.log_id, act=OPENED).first()
    passes = {pk for number, pk in first.body["passes"].items() if int(number) in before} if first else set()
    for token in Pass.objects.valid().filter(pk__in=passes):
        passes_services.hold_pass(request, token)
