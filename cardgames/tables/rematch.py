"""Another game with the same people: one tap of the host, and every phone at the table finds itself on its seat of the next one."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest

from cardgames import hosting, loading
from cardgames.games import new_table
from cardgames.models import Seat, Table
from cardgames.opening import NO_CODE, TRIES, lay, must_have_room
from cardgames.seat_acts import State, held_pass, held_seats, must_host, write
from log import door
from log.models import Entry
from people import passes
from people.models import Pass
from people.who import Who
from refusal import Refusal

OPENED = "opened-again"


def again(table: Table, who: Who, *, key: str) -> Table:
    """The same seats, people, bots, deck and options; new cards, and the game is on. A second tap finds the same table."""
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> dict[str, Any]:
        if table.state != State.OVER:
            raise Refusal("The same people play again when this game is over.", status=409)
        after = Table.objects.filter(follows=table).first()
        if after is None:
            must_have_room(who)
            after = _lay_again(table, seats)
            pen.line("again", actor=table.host_id)
        return {"table": after.pk}

    answer = write(table, who.ref, key, {"act": "again"}, act)
    return Table.objects.get(pk=answer["table"])


def _lay_again(table: Table, seats: dict[int, Seat]) -> Table:
    deck = loading.deck_of(table.game, table.rules, table.deck)
    record = new_table(table.game, table.seats, seed=secrets.token_bytes(32), options=table.options, deck=deck)
    for _ in range(TRIES):
        try:
            after = lay(record, table.host, f"again/{table.pk}")
        except IntegrityError:  # a code that is taken
            continue
        break
    else:
        raise Refusal(NO_CODE, status=503)
    after.follows = table
    after.save(update_fields=["follows"])
    brought = {}
    for seat in after.seat_set.all():
        before = seats[seat.number]
        seat.person, seat.bot = before.person, before.bot
        if before.token is not None:
            seat.token = held_pass(seat)
            brought[str(seat.number)] = seat.token.pk
        seat.save()
    _first_lines(after, {"passes": brought})
    hosting.begin(after)
    return after


def _first_lines(table: Table, body: dict[str, Any]) -> None:
    pen = door.Pen(table.log)
    pen.line(OPENED, actor=table.host_id, body=body)
    pen.line("started", actor=table.host_id)
    table.log.save(update_fields=["length"])


def bring_along(request: HttpRequest, table: Table) -> None:
    """A phone that has a seat at the game before has the same one here, unless that was given away since."""
    if table.follows_id is None or held_seats(table, request.who):
        return
    assert table.follows is not None
    before = held_seats(table.follows, request.who)
    if not before:
        return
    first = Entry.objects.filter(log_id=table.log_id, act=OPENED).first()
    brought = {brought for number, brought in first.body["passes"].items() if int(number) in before} if first else set()
    for token in Pass.objects.standing().filter(pk__in=brought):
        passes.hold(request, token)
