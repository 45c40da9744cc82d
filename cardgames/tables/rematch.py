"""Rematches: anybody at the table opens the next one, and each phone finds its seat there when it comes over."""

from __future__ import annotations

import secrets

from django.db import IntegrityError
from django.http import HttpRequest

from cardgames.games import new_table
from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables.choice_services import append_entry, write_act
from cardgames.tables.core import codec
from cardgames.tables.core.acts import AcceptTransfer, StartRematch
from cardgames.tables.core.codec import TapAnswer
from cardgames.tables.core.entries import CameOver, RematchOpened, RematchWanted
from cardgames.tables.seats.seat_change_helpers import (
    State,
    create_seat_pass,
    held_seats,
    mark_as_used,
    person_pk,
    require_host,
    write_seat_change,
)
from cardgames.tables.table_creation import CODE_ATTEMPTS, NO_CODE, create_table, require_below_table_limit
from log import services as log_services
from log.models import Entry
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal


def start_rematch(table: Table, who: Who, *, key: str) -> Table:
    """Opens the table of the next game with the same seats, people, bots, deck and options, once for everybody.

    Any player can. Nobody is moved: each phone comes over when its player wants to.
    """
    mine = held_seats(table, who)
    if not mine:
        require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> TapAnswer:
        if table.state != State.OVER:
            raise Refusal("You can start a rematch when this game is over.", status=409)
        new_game = Table.objects.filter(follows=table).first()
        if new_game is None:
            require_below_table_limit(Who.of(table.host))
            new_game = _create_rematch_table(table, seats, list(mine))
            starter = seats[next(iter(mine))].person_id if mine else person_pk(who)
            append_entry(writer, RematchWanted(), actor=starter)
        return {"table": new_game.pk}

    answer = write_seat_change(table, who.ref, key, StartRematch(), change)
    return Table.objects.get(pk=answer["table"])


def _create_rematch_table(table: Table, seats: dict[int, Seat], cohosts: list[int]) -> Table:
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
        # Whoever opens it can also begin: the host may have gone.
        seat.is_cohost = before.is_cohost or seat.number in cohosts
        if before.token is not None:
            seat.token = create_seat_pass(seat)
            passes[str(seat.number)] = seat.token.pk
        seat.save()
    writer = log_services.LogWriter(new_game.log)
    append_entry(writer, RematchOpened(passes), actor=table.host_id)
    new_game.log.save(update_fields=["length"])
    return new_game


def carry_seats_over(request: HttpRequest, table: Table) -> None:
    """Gives a phone the seat it has in the game before, unless that seat has since changed hands."""
    if table.follows_id is None or held_seats(table, request.who):
        return
    assert table.follows is not None
    before = held_seats(table.follows, request.who)
    if not before:
        return
    first = Entry.objects.filter(log_id=table.log_id, act=RematchOpened.key).first()
    opened = codec.load_entry(first.act, first.body) if first else None
    passes = opened.passes_of(before) if isinstance(opened, RematchOpened) else set()
    for token in Pass.objects.valid().filter(pk__in=passes):
        passes_services.hold_pass(request, token)
        _tell_arrival(table, table.follows, token)


def _tell_arrival(table: Table, before: Table, token: Pass) -> None:
    """Notifies both tables that the phone has come over: the new one, and people still looking at the scores."""
    seat = Seat.objects.get(pk=token.target)
    mark_as_used(token)

    def change(writer: log_services.LogWriter) -> TapAnswer:
        append_entry(writer, CameOver(seat.number), actor=seat.person_id)
        return {}

    for log_id in (table.log_id, before.log_id):
        write_act(log_id, f"pass:{token.pk}", f"arrive-{token.pk}-again", AcceptTransfer(), change)
