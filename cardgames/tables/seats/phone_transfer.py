"""A seat on another phone: by the code on the old one, or with the host's approval. Everybody is told, and the old phone is out."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from cardgames.models import Seat, Table
from cardgames.seat_acts import (
    GONE,
    SITTING,
    give,
    has_seen_another,
    held_pass,
    held_seat,
    is_host,
    is_own,
    must_be_open,
    must_host,
    person_pk,
    seat_at,
    write,
)
from log import door
from people import passes
from people.browser import browser_of
from people.models import Pass
from people.who import Who
from refusal import Refusal

LINK_LASTS = dt.timedelta(minutes=30)


def link(table: Table, who: Who, number: int) -> Pass:
    """A link that moves the seat to the phone that opens it: from the phone that has the seat, or from the host."""
    seat = Seat.objects.select_related("token").filter(table=table, number=number).first()
    if seat is None or seat.person_id is None:
        raise Refusal("Nobody sits there. Whoever wants the seat sits down with the table's code.", status=409)
    must_be_open(table)
    if not is_host(table, who):
        held_seat(table, who, number)
    Pass.objects.open().filter(kind=Seat.PASS, target=seat.pk).exclude(pk=seat.claim_id).update(
        revoked_at=timezone.now()
    )
    return passes.make(Seat.PASS, seat.pk, by=None, lasts=LINK_LASTS, uses=1)


def claim(request: HttpRequest, table: Table, *, key: str, number: int) -> bool:
    """This phone asks for a seat that somebody has. Nothing is given before the host says so, unless it is one's own.

    Gives whether the seat is on this phone now.
    """

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> dict[str, Any]:
        must_be_open(table)
        seat = seat_at(seats, number)
        if seat.is_free:
            raise Refusal("This seat is free. Sit down there.", status=409)
        if is_own(request.who, seat) and not has_seen_another(request, table, number):
            token = held_pass(seat)
            give(seat, token)
            seat.save()
            pen.line("moved", actor=person_pk(request.who), body={"seat": number})
            return {"pass": token.pk}
        if seat.claim is not None and passes.state_of(seat.claim) != "revoked":
            raise Refusal("Another phone asks for this seat already. The host decides.", status=409)
        token = held_pass(seat)
        seat.claim = token
        seat.save(update_fields=["claim"])
        pen.line("asked-for", actor=person_pk(request.who), body={"seat": number})
        return {"pass": token.pk}

    SITTING.spend(request)
    answer = write(table, f"sit:{browser_of(request).id}", key, {"act": "claim", "seat": number}, act)
    if token := Pass.objects.standing().filter(pk=answer["pass"]).first():
        passes.hold(request, token)
    return token is not None and Seat.objects.filter(table=table, number=number, token=token).exists()


def decide(table: Table, who: Who, *, key: str, number: int, yes: bool, claim: int) -> None:
    """The host lets the other phone have the seat, or not. ``claim`` is the one the host was shown."""
    must_host(table, who)

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        seat = seat_at(seats, number)
        if seat.claim is None or seat.claim.pk != claim:
            raise Refusal(GONE, status=409)
        token = seat.claim
        if yes:
            give(seat, token)
        else:
            passes.revoke(token)
            seat.claim = None
        seat.save()
        pen.line("moved" if yes else "not-moved", actor=person_pk(who), body={"seat": number})

    write(table, who.ref, key, {"act": "decide", "seat": number, "yes": yes, "claim": claim}, act)


def arrive(row: Pass) -> Table:
    """A phone opened a seat's link and said yes: the seat is there now, and the phone before it is out."""
    seat = Seat.objects.select_related("table").get(pk=row.target)
    table = seat.table

    def act(table: Table, seats: dict[int, Seat], pen: door.Pen) -> None:
        must_be_open(table)
        fresh = seats[seat.number]
        if fresh.token_id == row.pk:
            return
        if passes.state_of(Pass.objects.get(pk=row.pk)) == "revoked":
            raise passes.gone(row)
        # The link runs out soon; the seat it brought does not.
        Pass.objects.filter(pk=row.pk).update(expires_at=None)
        give(fresh, row)
        fresh.save()
        pen.line("moved", actor=fresh.person_id, body={"seat": seat.number})

    write(table, f"pass:{row.pk}", f"arrive-{row.pk}-seat", {"act": "arrive"}, act)
    return table
