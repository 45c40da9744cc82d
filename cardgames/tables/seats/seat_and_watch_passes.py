"""Passes of card tables: a seat's pass lets a browser play the seat, a watch pass lets it get live updates."""

import datetime as dt
from collections.abc import Collection, Sequence

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from cardgames.models import VISIBLE_AFTER_END, Seat, Table
from cardgames.tables.display import TableDisplay
from cardgames.tables.load_from_log import get_seat_name
from cardgames.tables.seats import seat_change_helpers, seating
from log import registry as log_registry
from people.accounts import services
from people.accounts.log_ins import PASSES_KEY, attach_requester
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query

WATCH = "watch_table"
NOT_HERE = "This seat is not on this phone."


def register() -> None:
    passes_services.register_kind(
        Seat.PASS,
        "Seat at a card table",
        prompt=prompt_for_seat,
        on_accept=accept_seat,
        belongs_to="game",
        holds=True,
        scope="play",
    )
    passes_services.register_kind(
        WATCH, "Watching a card table", prompt=lambda row, who: None, belongs_to="game", holds=True
    )
    services.register_revocation(end_seat_passes)
    log_registry.register_kind("table", can_watch, still_secret=find_running_logs)
    log_registry.register_kind("table-sealed", lambda who, log_id: False, still_secret=find_running_sealed_logs)


def end_seat_passes(ids: Sequence[int], held: Sequence[int]) -> None:
    """Takes these people's seats off all phones but the one that holds these passes."""
    seats = Seat.objects.filter(person__in=ids).values("pk")
    others = Pass.objects.valid().filter(kind=Seat.PASS, target__in=seats).exclude(pk__in=held)
    others.update(revoked_at=timezone.now())


def prompt_for_seat(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    seat = Seat.objects.filter(pk=row.target).select_related("table", "person__merged_into").first()
    if seat is None or seat.table.ended_at is not None:
        return None
    return passes_services.PassPrompt(
        f"Move {get_seat_name(seat)}'s seat at table {seat.table.code} to this phone?",
        button="Move the seat here",
        more="The other phone loses the seat, and everybody at the table sees that it moved.",
    )


def accept_seat(row: Pass, request: HttpRequest) -> str:
    table = seating.accept_transfer(row)
    return reverse("cardgames:table", args=[table.code])


def create_watch_pass(table: Table) -> Pass:
    """One for everybody who watches: made with the table, so that looking at it writes nothing."""
    return passes_services.create_pass(WATCH, table.pk, by=None, lasts=None, uses=0)


def grant_watch_pass(request: HttpRequest, table: Table) -> None:
    """Gives live updates to a visitor with the code. A log's number can be guessed, so it alone is not enough."""
    who: Who = request.who
    if (
        who.pass_to(WATCH, table.pk)
        or seat_change_helpers.is_host(table, who)
        or seat_change_helpers.held_seats(table, who)
    ):
        return
    row = Pass.objects.valid().filter(kind=WATCH, target=table.pk).first()
    if row is None:
        return
    # First in the list, so that the outbox still identifies this browser by a seat it holds.
    request.session[PASSES_KEY] = [row.pk, *request.session.get(PASSES_KEY, [])[1 - passes_services.MAX_HELD :]]
    attach_requester(request)


def has_held_seat(request: HttpRequest, table: Table, number: int) -> bool:
    """Whether this browser ever held or asked for the seat, so it can be told that the seat is elsewhere."""
    return seat_change_helpers.has_ever_held(request, Seat.objects.filter(table=table, number=number))


def find_running_logs(ids: Collection[int]) -> Collection[int]:
    return Table.objects.open().filter(log__in=ids).values_list("log_id", flat=True)


def find_running_sealed_logs(ids: Collection[int]) -> Collection[int]:
    return Table.objects.open().filter(sealed__in=ids).values_list("sealed_id", flat=True)


@prepared_query
def _visible_at(who: Who, log_id: int, ended_after: dt.datetime) -> QuerySet[Table]:
    return Table.objects.visible_to(who, ended_after).filter(log_id=log_id).values_list("pk", flat=True)


@prepared_query
def _own_at(who: Who, log_id: int) -> QuerySet[Table]:
    return Table.objects.played_or_hosted_by(who).filter(log_id=log_id).values_list("pk", flat=True)


def can_watch(who: Who, log_id: int) -> bool:
    """Asked again and again while a stream is open."""
    asking = WhoWithPasses(who)
    if _own_at.first(asking, log_id) is not None:
        return True
    table = _visible_at.first(asking, log_id, timezone.now() - VISIBLE_AFTER_END)
    return table is not None and who.pass_to(WATCH, table) is not None


# ── Several seats on one phone: cards stay covered until the right player uncovers them ────────────────


UNCOVERED = "open_seats"  # by table, the one seat whose cards this browser shows


def get_uncovered_seat(request: HttpRequest, display: TableDisplay) -> int | None:
    """The seat whose cards can be shown. A phone with one seat needs no cover, and a finished game hides nothing."""
    seat = request.session.get(UNCOVERED, {}).get(str(display.table.pk))
    if seat in display.mine:
        return seat
    if len(display.mine) == 1 or (display.mine and display.table.state == Table.State.OVER):
        return next(iter(display.mine))
    return None


def is_uncovered(request: HttpRequest, display: TableDisplay, seat: int) -> bool:
    """Whether this seat's page can be shown: it is uncovered, or the game is over."""
    over = display.table.state == Table.State.OVER and seat in display.mine
    return over or get_uncovered_seat(request, display) == seat


def uncover_seat(request: HttpRequest, table: Table, seat: int) -> None:
    kept = {key: value for key, value in request.session.get(UNCOVERED, {}).items() if key != str(table.pk)}
    request.session[UNCOVERED] = dict([*kept.items(), (str(table.pk), seat)][-10:])


def cover_cards(request: HttpRequest, table: Table) -> None:
    opened = request.session.get(UNCOVERED, {})
    if str(table.pk) in opened:
        request.session[UNCOVERED] = {key: value for key, value in opened.items() if key != str(table.pk)}
