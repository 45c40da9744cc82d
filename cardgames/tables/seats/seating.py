"""Sitting down and standing up, and seats that bots play."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from cardgames import door as card_door
from cardgames.bots import LEVEL
from cardgames.models import Seat, Table
from cardgames.seat_acts import (
    DEFAULT_BOT,
    SITTING,
    State,
    empty,
    give,
    has_seen_another,
    held_pass,
    held_seat,
    held_seats,
    is_host,
    must_be_open,
    must_host,
    person_pk,
    reset_clock,
    seat_at,
    still_held,
    write,
)
from log import door
from people import keeping, passes
from people.browser import browser_of
from people.models import Pass, Person
from people.names import clean_name
from people.who import Who
from refusal import Refusal

SEEN = "This phone has seen another hand of this game. Somebody new, on a phone of their own, takes over from the bot."
TAKEN = "Somebody sits there already. Choose another seat."


def sit(request: HttpRequest, table: Table, *, key: str, number: int, name: str = "") -> Seat:
    """Take a free seat with this browser. Who is known sits there as themselves; others, and further seats on one phone, by a name."""
    SITTING.spend(request)
    # In the lobby nobody has cards yet; later a phone that has seen one hand must not look into a second.
    if table.state == Table.State.PLAY and has_seen_another(request, table, number):
        raise Refusal(SEEN, status=409)
    # By the browser: a tap sent twice must find its own seat again, and a guest is nobody yet.
    ref = f"sit:{browser_of(request).id}"
    token = seat_someone(table, request.who, ref=ref, key=key, number=number, name=name)
    passes.hold(request, token)
    return Seat.objects.get(table=table, number=number)


def seat_someone(table: Table, who: Who, *, ref: str, key: str, number: int, name: str = "") -> Pass:
    """The pass of a free seat, for whoever takes it: themselves, or by name a friend of the host."""
    as_oneself = who.person is not None and not name.strip()
    given = None if as_oneself else clean_name(name)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> dict[str, Any]:
        must_be_open(table)
        seat = seat_at(seats, number)
        if not seat.is_free:
            raise Refusal(TAKEN, status=409)
        person = who.person if as_oneself else _guest(table, seats, given or "")
        assert person is not None
        if any(other.person_id in person.all_ids() for other in seats.values() if other.person_id):
            raise Refusal("You sit at this table already. For a friend on the same phone, give their name.", status=409)
        token = held_pass(seat)
        give(seat, token)
        took_over = seat.bot
        seat.person, seat.bot = person, ""
        seat.save()
        pen.line("sat", actor=person.pk, body={"seat": number, "took_over": took_over})
        reset_clock(table)
        return {"seat": number, "pass": token.pk}

    answer = write(table, ref, key, {"act": "sit", "seat": number, "name": given}, act)
    token = Pass.objects.standing().filter(pk=answer["pass"]).first()
    if token is None:
        raise Refusal(card_door.MOVED_SEAT, status=409)
    return token


def _guest(table: Table, seats: dict[int, Seat], name: str) -> Person:
    """A friend by name: the one the host keeps under that name, if they are not at the table yet, else somebody new."""
    taken = [seat.person_id for seat in seats.values() if seat.person_id]
    host = table.host.root
    known = (
        Person.objects.filter(keeper=host, account=None, merged_into=None, forgotten_at=None, name__iexact=name)
        .exclude(pk__in=taken)
        .exclude(pk=host.pk)
        .first()
    )
    return known or keeping.write_newcomer_down(name, host)


def leave(table: Table, who: Who, *, key: str, number: int) -> None:
    """Stand up. In the lobby the seat is free again; in play a bot takes it until somebody sits down."""
    seat, held = held_seat(table, who, number)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        still_held(seats[number], held)
        empty(table, seats[number], pen, actor=seat.person_id, act="left")

    write(table, f"pass:{held.pk}", key, {"act": "leave", "seat": number}, act)


def set_bot(table: Table, who: Who, *, key: str, number: int, level: str) -> None:
    """Hand a seat to a bot, or with an empty level take it back. The host may for any seat, a player for their own."""
    if level and level not in LEVEL:
        raise Refusal("There is no such bot.", field="level")
    found = held_seats(table, who).get(number)
    if not is_host(table, who) and found is None:
        raise Refusal("Only the host, or who sits there, hands this seat to a bot.", status=403)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        seat = seat_at(seats, number)
        if not level and table.state == State.PLAY and seat.person_id is None:
            raise Refusal("Nobody sits there yet. Whoever sits down takes the seat over from the bot.", status=409)
        if seat.bot == level:
            return
        seat.bot = level
        seat.save(update_fields=["bot"])
        actor = who.person.pk if who.person else seat.person_id
        pen.line("bot" if level else "bot-back", actor=actor, body={"seat": number, "level": level})
        reset_clock(table)

    ref = f"pass:{found[1].pk}" if found and not is_host(table, who) else who.ref
    write(table, ref, key, {"act": "bot", "seat": number, "level": level}, act)


def fill(table: Table, who: Who, *, key: str, level: str = DEFAULT_BOT) -> None:
    """Bots on every seat that is still free, in one go."""
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        for seat in seats.values():
            if seat.is_free and not seat.bot:
                seat.bot = level
                seat.save(update_fields=["bot"])
                pen.line("bot", actor=person_pk(who), body={"seat": seat.number, "level": level})

    write(table, who.ref, key, {"act": "fill", "level": level}, act)
