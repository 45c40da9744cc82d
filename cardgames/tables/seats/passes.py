"""The pass of a seat: who holds it plays the seat. And who may watch a table's log."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from cardgames import moving, seat_acts
from cardgames.loading import name_of
from cardgames.models import Seat, Table
from people import passes
from people.log_ins import PASSES, introduce
from people.models import Pass
from people.who import Who

WATCH = "watch_table"
NOT_HERE = "This seat is not on this phone."


def register() -> None:
    passes.register(Seat.PASS, "Seat at a card table", ask=ask, on_accept=accept, holds=True)
    passes.register(WATCH, "Watching a card table", ask=lambda row, who: None, holds=True)


def ask(row: Pass, who: Who) -> passes.Ask | None:
    seat = Seat.objects.filter(pk=row.target).select_related("table", "person__merged_into").first()
    if seat is None or seat.table.ended_at is not None:
        return None
    return passes.Ask(
        f"This moves the seat of {name_of(seat)} at table {seat.table.code} to this phone.",
        button="Take the seat here",
        more="The other phone is out then, and everybody at the table is told.",
    )


def accept(row: Pass, request: HttpRequest) -> str:
    table = moving.arrive(row)
    return reverse("cardgames:table", args=[table.code])


def let_watch(request: HttpRequest, table: Table) -> None:
    """Whoever came by the code may hear of news. The number of a log can be guessed, so it alone opens no stream."""
    who: Who = request.who
    if who.pass_to(WATCH, table.pk) or seat_acts.is_host(table, who) or seat_acts.held_seats(table, who):
        return
    row = Pass.objects.standing().filter(kind=WATCH, target=table.pk).first()
    row = row or passes.make(WATCH, table.pk, by=None, lasts=None, uses=0)
    # In front of the others: a seat held in this browser stays what its outbox knows it by.
    request.session[PASSES] = [row.pk, *request.session.get(PASSES, [])[1 - passes.HELD_MOST :]]
    introduce(request)


def has_held(request: HttpRequest, table: Table, number: int) -> bool:
    """Whether this browser ever had a pass to the seat, or asked for one: such a phone may know that it has none now."""
    return seat_acts.ever_had(request, Seat.objects.filter(table=table, number=number))


def may_watch(who: Who, log_id: int) -> bool:
    table = Table.objects.visible_to(who).filter(log_id=log_id).only("pk").first()
    if table is None:
        return False
    return who.pass_to(WATCH, table.pk) is not None or Table.objects.of(who).filter(pk=table.pk).exists()
