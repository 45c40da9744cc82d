"""Shared steps of every change to a seat: the locked write, the permission checks, and passing on a seat's pass.

The one browser that holds a seat's pass plays the seat. The table's code lets people watch and sit down, but never
opens a taken seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables import services as tables_services
from log import services as log_services
from people import rate_limits
from people.accounts.log_ins import PASSES_KEY
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

NOT_HOST = "Only the host can do this."
TABLE_CHANGED = "The table has changed. This is how it looks now."
DEFAULT_BOT = "greedy"

SEAT_LIMIT = rate_limits.Limit(
    "seats",
    "requests for seats",
    target=rate_limits.Rate(100, 10),
    browser=rate_limits.Rate(40, 10),
    address=rate_limits.Rate(1000, 10),
)

State = Table.State
Act = Callable[[Table, dict[int, Seat], log_services.LogWriter], dict[str, Any] | None]


def write_seat_change(table: Table, who: str, key: str, body: Mapping[str, Any], act: Act) -> dict[str, Any]:
    """Runs ``act`` with the locked table and its seats, and writes to the table's log."""

    def locked_act(writer: log_services.LogWriter) -> dict[str, Any]:
        fresh = Table.objects.select_for_update().get(pk=table.pk)
        seats = {seat.number: seat for seat in load_from_log.seats_of(fresh)}
        return act(fresh, seats, writer) or {}

    return log_services.write(table.log_id, who=who, key=key, body=body, act=locked_act)


def is_host(table: Table, who: Who) -> bool:
    return who.person is not None and table.host_id in who.person.all_ids()


def require_host(table: Table, who: Who) -> None:
    if not is_host(table, who):
        raise Refusal(NOT_HOST, status=403)


def held_seats(table: Table, who: Who, seats: list[Seat] | None = None) -> dict[int, tuple[Seat, Pass]]:
    """The seats that this browser plays, by number."""
    held = {row.pk: row for row in who.passes if row.kind == Seat.PASS}
    return {
        seat.number: (seat, held[seat.token_id])
        for seat in (load_from_log.seats_of(table) if seats is None else seats)
        if seat.token_id in held
    }


def get_seat(seats: dict[int, Seat], number: int) -> Seat:
    if number not in seats:
        raise Refusal("This table has no such seat.", status=404)
    return seats[number]


def require_open(table: Table) -> None:
    if table.state in (State.OVER, State.CLOSED):
        raise Refusal("This table is closed.", status=409)


def create_seat_pass(seat: Seat) -> Pass:
    """A pass for a browser that takes the seat directly: its link is used up and never shown."""
    return passes_services.create_pass(Seat.PASS, seat.pk, by=None, lasts=None, uses=0)


def give_pass(seat: Seat, token: Pass | None) -> None:
    """Makes this the pass that plays the seat, and revokes the one before."""
    if seat.token is not None and seat.token != token:
        passes_services.revoke_pass(seat.token)
    if seat.claim is not None and seat.claim != token:
        passes_services.revoke_pass(seat.claim)
    seat.token, seat.claim = token, None


def reset_timer(table: Table) -> None:
    if table.state == State.PLAY:
        running = load_from_log.load_running_table(table)
        tables_services.schedule_timer(table, running, since=timezone.now())


def empty_seat(table: Table, seat: Seat, writer: log_services.LogWriter, *, actor: int | None, act: str) -> None:
    writer.append(act, actor=actor, on_behalf_of=seat.person_id, body={"seat": seat.number})
    give_pass(seat, None)
    seat.person = None
    if table.state == State.PLAY:
        seat.bot = seat.bot or DEFAULT_BOT
    seat.save()
    reset_timer(table)


def require_held_seat(table: Table, who: Who, number: int) -> tuple[Seat, Pass]:
    found = held_seats(table, who).get(number)
    if found is None:
        raise Refusal("This seat is not on this phone.", status=403)
    return found


def require_still_held(seat: Seat, held: Pass) -> None:
    if seat.token_id != held.pk:
        raise Refusal(tables_services.MOVED_SEAT, status=409)


def person_pk(who: Who) -> int | None:
    return who.person.pk if who.person else None


def has_held_another_seat(request: HttpRequest, table: Table, number: int) -> bool:
    """Whether this browser ever held another seat at the table, and so may have seen another hand."""
    return has_ever_held(request, Seat.objects.filter(table=table).exclude(number=number))


def has_ever_held(request: HttpRequest, seats: QuerySet[Seat]) -> bool:
    taken_up = request.session.get(PASSES_KEY) or []
    return (
        bool(taken_up) and Pass.objects.filter(pk__in=taken_up, kind=Seat.PASS, target__in=seats.values("pk")).exists()
    )


def is_own_seat(who: Who, seat: Seat) -> bool:
    """Whether it is the seat of the logged-in user. A personal link is not enough: a guest's host can open it too."""
    return who.user is not None and who.person is not None and seat.person_id in who.person.all_ids()
