"""The host's actions: start, pause or call off the game, free a seat, correct a guest's name."""

from __future__ import annotations

from django.utils import timezone

from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables import services as tables_services
from cardgames.tables.seats.seat_change import (
    TABLE_CHANGED,
    State,
    empty_seat,
    get_seat,
    person_pk,
    require_host,
    require_open,
    reset_timer,
    write_seat_change,
)
from jobs import timers
from log import services as log_services
from people.guests import services as guests_services
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal


def start_game(table: Table, who: Who, *, key: str) -> None:
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.LOBBY:
            raise Refusal("The game has already started.", status=409)
        free = [seat for seat in seats.values() if seat.is_free and not seat.bot]
        if free:
            count = len(free)
            many = "One seat is" if count == 1 else f"{count} seats are"
            raise Refusal(f"{many} still free. Wait for players, or fill the seats with bots.")
        writer.append("started", actor=person_pk(who))
        begin_play(table)

    write_seat_change(table, who.ref, key, {"act": "start"}, act)


def begin_play(table: Table) -> None:
    """Deals the cards. Part of a write."""
    table.state = State.PLAY
    table.begun_at = timezone.now()
    table.save(update_fields=["state", "begun_at"])
    tables_services.save_progress(table, load_from_log.load_running_table(table), moved=True)


def set_paused(table: Table, who: Who, *, key: str, paused: bool) -> None:
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.PLAY:
            raise Refusal("Only a running game can be paused.", status=409)
        if table.paused == paused:
            return
        table.paused = paused
        if not paused:
            table.asked_at = timezone.now()  # the question counts as asked again
        table.save(update_fields=["paused", "asked_at"])
        writer.append("paused" if paused else "resumed", actor=person_pk(who))
        reset_timer(table)

    write_seat_change(table, who.ref, key, {"act": "pause", "paused": paused}, act)


def call_off_table(table: Table, who: Who, *, key: str) -> None:
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        table.state = State.CLOSED
        table.ended_at = timezone.now()
        table.asked = []
        table.save(update_fields=["state", "ended_at", "asked"])
        writer.append("called-off", actor=person_pk(who))
        timers.cancel_timer(tables_services.TIMER, table.pk)

    write_seat_change(table, who.ref, key, {"act": "call-off"}, act)


def free_seat(table: Table, who: Who, *, key: str, number: int) -> None:
    """Frees a seat. During a game a bot plays it until somebody sits down."""
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, number)
        if seat.is_free:
            raise Refusal(TABLE_CHANGED, status=409)
        empty_seat(table, seat, writer, actor=person_pk(who), act="removed")

    write_seat_change(table, who.ref, key, {"act": "remove", "seat": number}, act)


def rename_seated_guest(table: Table, who: Who, *, key: str, number: int, name: str) -> None:
    """Corrects the name of one of the host's guests. People with an account choose their own name."""
    require_host(table, who)
    cleaned = clean_name(name)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        seat = get_seat(seats, number)
        if seat.person is None:
            raise Refusal("Nobody is in this seat.", status=409)
        guests_services.rename_person(who, seat.person.root, cleaned)
        writer.append("renamed", actor=person_pk(who), on_behalf_of=seat.person_id, body={"seat": number})

    write_seat_change(table, who.ref, key, {"act": "rename", "seat": number, "name": cleaned}, act)
