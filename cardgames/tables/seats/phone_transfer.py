"""Moves a seat to another phone, by a code on the old phone or with the host's approval."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest
from django.utils import timezone

from cardgames.models import Seat, Table
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core.acts import AcceptTransfer, ClaimSeat, DecideClaim
from cardgames.tables.core.codec import TapAnswer
from cardgames.tables.core.entries import MoveDeclined, SeatClaimed, SeatMoved, SittingDeclined
from cardgames.tables.seats.seat_change_helpers import (
    SEAT_LIMIT,
    TABLE_CHANGED,
    clear_claim,
    create_seat_pass,
    get_seat,
    give_pass,
    has_held_another_seat,
    is_host,
    is_own_seat,
    person_pk,
    require_held_seat,
    require_host,
    require_no_other_claim,
    require_open,
    seat_person,
    write_seat_change,
)
from log import services as log_services
from people.accounts.log_ins import browser_of
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

LINK_LASTS = dt.timedelta(minutes=30)


def create_transfer_link(table: Table, who: Who, number: int) -> Pass:
    """A link that moves the seat to the phone that opens it. The seat's phone and the host can make one."""
    seat = Seat.objects.select_related("token").filter(table=table, number=number).first()
    if seat is None or seat.person_id is None:
        raise Refusal("Nobody is in this seat. Use the table's code to sit down.", status=409)
    require_open(table)
    if not is_host(table, who):
        require_held_seat(table, who, number)
    Pass.objects.open().filter(kind=Seat.PASS, target=seat.pk).exclude(pk=seat.claim_id).update(
        revoked_at=timezone.now()
    )
    return passes_services.create_pass(Seat.PASS, seat.pk, by=None, lasts=LINK_LASTS, uses=1)


def write_claim(seat: Seat) -> Pass:
    """The pass of a phone that asks for the seat. Part of a write."""
    if seat.claim is not None and passes_services.state_of(seat.claim) != "revoked":
        raise Refusal("Another phone has already asked for this seat. The host decides.", status=409)
    seat.claim = create_seat_pass(seat)
    return seat.claim


def claim_seat(request: HttpRequest, table: Table, *, key: str, number: int) -> bool:
    """Asks for a taken seat. The host decides, unless it is the requester's own seat.

    Returns whether the seat is on this phone now.
    """

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> TapAnswer:
        require_open(table)
        seat = get_seat(seats, number)
        if seat.is_free:
            raise Refusal("This seat is free. You can sit down.", status=409)
        if is_own_seat(request.who, seat) and not has_held_another_seat(request, table, number):
            token = create_seat_pass(seat)
            give_pass(seat, token)
            seat.save()
            append_entry(writer, SeatMoved(number), actor=person_pk(request.who))
            return {"pass": token.pk}
        require_no_other_claim(request.who, seats, number)
        token = write_claim(seat)
        seat.save()
        append_entry(writer, SeatClaimed(number), actor=person_pk(request.who))
        return {"pass": token.pk}

    SEAT_LIMIT.count_use(request)
    answer = write_seat_change(table, f"sit:{browser_of(request).id}", key, ClaimSeat(number), change)
    if token := Pass.objects.valid().filter(pk=answer["pass"]).first():
        passes_services.hold_pass(request, token)
    return token is not None and Seat.objects.filter(table=table, number=number, token=token).exists()


def decide_claim(table: Table, who: Who, *, key: str, number: int, yes: bool, claim: int) -> None:
    """The host accepts or refuses a request for a seat. ``claim`` is the request the host saw."""
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        seat = get_seat(seats, number)
        if seat.claim is None or seat.claim.pk != claim:
            raise Refusal(TABLE_CHANGED, status=409)
        token, was_free = seat.claim, seat.is_free
        if not yes:
            passes_services.revoke_pass(token)
            clear_claim(seat)
            seat.save()
            declined = SittingDeclined(number) if was_free else MoveDeclined(number)
            append_entry(writer, declined, actor=person_pk(who))
        elif was_free:
            if seat.claim_person is None:
                raise Refusal(TABLE_CHANGED, status=409)
            seat_person(table, seats, seat, seat.claim_person.root, token, writer)
        else:
            give_pass(seat, token)
            seat.save()
            append_entry(writer, SeatMoved(number), actor=person_pk(who))

    write_seat_change(table, who.ref, key, DecideClaim(number, yes, claim), change)


def accept_transfer(row: Pass) -> Table:
    """Moves the seat to the phone that accepted its link; the phone before loses it."""
    seat = Seat.objects.select_related("table").get(pk=row.target)
    table = seat.table

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        fresh = seats[seat.number]
        if fresh.token_id == row.pk:
            return
        if passes_services.state_of(Pass.objects.get(pk=row.pk)) == "revoked":
            raise passes_services.dead_pass_refusal(row)
        # The link expires soon, but as the seat's pass it must last.
        Pass.objects.filter(pk=row.pk).update(expires_at=None)
        give_pass(fresh, row)
        fresh.save()
        append_entry(writer, SeatMoved(seat.number), actor=fresh.person_id)

    write_seat_change(table, f"pass:{row.pk}", f"arrive-{row.pk}-seat", AcceptTransfer(), change)
    return table
