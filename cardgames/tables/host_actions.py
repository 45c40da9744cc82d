"""What the host does with a table: begin, pause, call off, free a seat, correct a name."""

from __future__ import annotations

from django.utils import timezone

from cardgames import door as card_door
from cardgames import loading
from cardgames.models import Seat, Table
from cardgames.seat_acts import GONE, State, empty, must_be_open, must_host, person_pk, reset_clock, seat_at, write
from jobs import clock
from log import door
from people import keeping
from people.names import clean_name
from people.who import Who
from refusal import Refusal


def start(table: Table, who: Who, *, key: str) -> None:
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        if table.state != State.LOBBY:
            raise Refusal("The game has begun already.", status=409)
        free = [seat for seat in seats.values() if seat.is_free and not seat.bot]
        if free:
            count = len(free)
            many = "One seat is" if count == 1 else f"{count} seats are"
            raise Refusal(f"{many} still free. Wait for guests, or let bots play.")
        pen.line("started", actor=person_pk(who))
        begin(table)

    write(table, who.ref, key, {"act": "start"}, act)


def begin(table: Table) -> None:
    """The cards are dealt. Part of a write."""
    table.state = State.PLAY
    table.begun_at = timezone.now()
    table.save(update_fields=["state", "begun_at"])
    card_door.after(table, loading.load(table), moved=True)


def pause(table: Table, who: Who, *, key: str, paused: bool) -> None:
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        if table.state != State.PLAY:
            raise Refusal("Only a game that is being played can be paused.", status=409)
        if table.paused == paused:
            return
        table.paused = paused
        if not paused:
            table.asked_at = timezone.now()  # the question is put anew
        table.save(update_fields=["paused", "asked_at"])
        pen.line("paused" if paused else "resumed", actor=person_pk(who))
        reset_clock(table)

    write(table, who.ref, key, {"act": "pause", "paused": paused}, act)


def call_off(table: Table, who: Who, *, key: str) -> None:
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        table.state = State.CLOSED
        table.ended_at = timezone.now()
        table.asked = []
        table.save(update_fields=["state", "ended_at", "asked"])
        pen.line("called-off", actor=person_pk(who))
        clock.let_be(card_door.BELL, table.pk)

    write(table, who.ref, key, {"act": "call-off"}, act)


def remove(table: Table, who: Who, *, key: str, number: int) -> None:
    """The host frees a seat. In play a bot takes it until somebody sits down."""
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        seat = seat_at(seats, number)
        if seat.is_free:
            raise Refusal(GONE, status=409)
        empty(table, seat, pen, actor=person_pk(who), act="removed")

    write(table, who.ref, key, {"act": "remove", "seat": number}, act)


def rename(table: Table, who: Who, *, key: str, number: int, name: str) -> None:
    """The host corrects the name of a guest they keep. People with an account name themselves."""
    must_host(table, who)
    cleaned = clean_name(name)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        seat = seat_at(seats, number)
        if seat.person is None:
            raise Refusal("Nobody sits there.", status=409)
        keeping.rename(who, seat.person.root, cleaned)
        pen.line("renamed", actor=person_pk(who), on_behalf_of=seat.person_id, body={"seat": number})

    write(table, who.ref, key, {"act": "rename", "seat": number, "name": cleaned}, act)
