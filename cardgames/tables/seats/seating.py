"""Sitting down, leaving a seat, and handing seats to bots."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from cardgames.bots import LEVEL
from cardgames.models import Seat, Table
from cardgames.tables import services as tables_services
from cardgames.tables.seats.seat_change import (
    DEFAULT_BOT,
    SEAT_LIMIT,
    State,
    create_seat_pass,
    empty_seat,
    get_seat,
    give_pass,
    has_held_another_seat,
    held_seats,
    is_host,
    person_pk,
    require_held_seat,
    require_host,
    require_open,
    require_still_held,
    reset_timer,
    write_seat_change,
)
from log import services as log_services
from people.accounts.known_browsers import browser_of
from people.guests import services as guests_services
from people.models import Pass, Person
from people.name_validation import clean_name
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

HAS_SEEN_HAND = (
    "This phone has seen another hand of this game. Someone else can take over from the bot on their own phone."
)
TAKEN = "This seat is taken. Choose another one."


def sit_down(request: HttpRequest, table: Table, *, key: str, number: int, name: str = "") -> Seat:
    """Takes a free seat with this browser. Known people sit as themselves; guests and further seats need a name."""
    SEAT_LIMIT.count_use(request)
    # Once cards are dealt, a phone that has seen one hand must not see a second.
    if table.state == Table.State.PLAY and has_held_another_seat(request, table, number):
        raise Refusal(HAS_SEEN_HAND, status=409)
    # By browser: a repeated tap must find its own seat again, and a guest has no person yet.
    ref = f"sit:{browser_of(request).id}"
    token = take_seat(table, request.who, ref=ref, key=key, number=number, name=name)
    passes_services.hold_pass(request, token)
    return Seat.objects.get(table=table, number=number)


def take_seat(table: Table, who: Who, *, ref: str, key: str, number: int, name: str = "") -> Pass:
    """Takes a free seat for the requester, or by name for a guest of the host. Returns the seat's pass."""
    as_oneself = who.person is not None and not name.strip()
    given = None if as_oneself else clean_name(name)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> dict[str, Any]:
        require_open(table)
        seat = get_seat(seats, number)
        if not seat.is_free:
            raise Refusal(TAKEN, status=409)
        person = who.person if as_oneself else _find_or_create_guest(table, seats, given or "")
        assert person is not None
        if any(other.person_id in person.all_ids() for other in seats.values() if other.person_id):
            raise Refusal("You already have a seat here. To add a friend on this phone, enter their name.", status=409)
        token = create_seat_pass(seat)
        give_pass(seat, token)
        took_over = seat.bot
        seat.person, seat.bot = person, ""
        seat.save()
        writer.append("sat", actor=person.pk, body={"seat": number, "took_over": took_over})
        reset_timer(table)
        return {"seat": number, "pass": token.pk}

    answer = write_seat_change(table, ref, key, {"act": "sit", "seat": number, "name": given}, act)
    token = Pass.objects.valid().filter(pk=answer["pass"]).first()
    if token is None:
        raise Refusal(tables_services.MOVED_SEAT, status=409)
    return token


def _find_or_create_guest(table: Table, seats: dict[int, Seat], name: str) -> Person:
    """The host's guest with this name who is not at the table yet, or a new guest."""
    taken = [seat.person_id for seat in seats.values() if seat.person_id]
    host = table.host.root
    known = (
        Person.objects.filter(keeper=host, account=None, merged_into=None, forgotten_at=None, name__iexact=name)
        .exclude(pk__in=taken)
        .exclude(pk=host.pk)
        .first()
    )
    return known or guests_services.create_guest(name, host)


def leave_seat(table: Table, who: Who, *, key: str, number: int) -> None:
    """Leaves a seat. In the lobby it becomes free; during a game a bot plays it until somebody sits down."""
    seat, held = require_held_seat(table, who, number)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        require_still_held(seats[number], held)
        empty_seat(table, seats[number], writer, actor=seat.person_id, act="left")

    write_seat_change(table, f"pass:{held.pk}", key, {"act": "leave", "seat": number}, act)


def set_bot(table: Table, who: Who, *, key: str, number: int, level: str) -> None:
    """Hands a seat to a bot, or takes it back with an empty level. The host can do it for any seat."""
    if level and level not in LEVEL:
        raise Refusal("There is no such bot.", field="level")
    found = held_seats(table, who).get(number)
    if not is_host(table, who) and found is None:
        raise Refusal("Only the host or the seat's player can hand it to a bot.", status=403)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, number)
        if not level and table.state == State.PLAY and seat.person_id is None:
            raise Refusal("Nobody is in this seat. The bot plays until somebody sits down.", status=409)
        if seat.bot == level:
            return
        seat.bot = level
        seat.save(update_fields=["bot"])
        actor = who.person.pk if who.person else seat.person_id
        writer.append("bot" if level else "bot-back", actor=actor, body={"seat": number, "level": level})
        reset_timer(table)

    ref = f"pass:{found[1].pk}" if found and not is_host(table, who) else who.ref
    write_seat_change(table, ref, key, {"act": "bot", "seat": number, "level": level}, act)


def fill_with_bots(table: Table, who: Who, *, key: str, level: str = DEFAULT_BOT) -> None:
    """Puts a bot on every free seat."""
    require_host(table, who)

    def act(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        for seat in seats.values():
            if seat.is_free and not seat.bot:
                seat.bot = level
                seat.save(update_fields=["bot"])
                writer.append("bot", actor=person_pk(who), body={"seat": seat.number, "level": level})

    write_seat_change(table, who.ref, key, {"act": "fill", "level": level}, act)
