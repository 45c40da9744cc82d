"""What every act around a table is made of: the log held, the seats read, who may, and passes that change hands.

A seat is played by the one browser that holds its pass. The table's code lets people look and sit down on free seats; it never
opens a seat that somebody has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from cardgames import door as card_door
from cardgames import loading
from cardgames.models import Seat, Table
from log import door
from people import limits, passes
from people.log_ins import PASSES
from people.models import Pass
from people.who import Who
from refusal import Refusal

NOT_HOST = "Only the host does this."
GONE = "The table has changed since you looked. Here it is as it stands now."
DEFAULT_BOT = "greedy"

SITTING = limits.Limit(
    "seats",
    "seats asked for",
    target=limits.Rate(100, 10),
    browser=limits.Rate(40, 10),
    address=limits.Rate(1000, 10),
)

State = Table.State
Act = Callable[[Table, dict[int, Seat], door.Pen], dict[str, Any] | None]


def write(table: Table, who: str, key: str, body: Mapping[str, Any], act: Act) -> dict[str, Any]:
    """Through the log's door: ``act`` gets the table and its seats as they are while nothing else can change them."""

    def held(pen: door.Pen) -> dict[str, Any]:
        fresh = Table.objects.select_for_update().get(pk=table.pk)
        seats = {seat.number: seat for seat in loading.seats_of(fresh)}
        return act(fresh, seats, pen) or {}

    return door.write(table.log_id, who=who, key=key, body=body, act=held)


def is_host(table: Table, who: Who) -> bool:
    return who.person is not None and table.host_id in who.person.all_ids()


def must_host(table: Table, who: Who) -> None:
    if not is_host(table, who):
        raise Refusal(NOT_HOST, status=403)


def held_seats(table: Table, who: Who, seats: list[Seat] | None = None) -> dict[int, tuple[Seat, Pass]]:
    """The seats that this browser plays, by number."""
    held = {row.pk: row for row in who.passes if row.kind == Seat.PASS}
    return {
        seat.number: (seat, held[seat.token_id])
        for seat in (loading.seats_of(table) if seats is None else seats)
        if seat.token_id in held
    }


def seat_at(seats: dict[int, Seat], number: int) -> Seat:
    if number not in seats:
        raise Refusal("There is no such seat at this table.", status=404)
    return seats[number]


def must_be_open(table: Table) -> None:
    if table.state in (State.OVER, State.CLOSED):
        raise Refusal("This table is closed.", status=409)


def held_pass(seat: Seat) -> Pass:
    """A pass that is in a browser already: its link opens nothing any more, and is never shown."""
    return passes.make(Seat.PASS, seat.pk, by=None, lasts=None, uses=0)


def give(seat: Seat, token: Pass | None) -> None:
    """From now on this pass plays the seat, and the one before is dead."""
    if seat.token is not None and seat.token != token:
        passes.revoke(seat.token)
    if seat.claim is not None and seat.claim != token:
        passes.revoke(seat.claim)
    seat.token, seat.claim = token, None


def reset_clock(table: Table) -> None:
    if table.state == State.PLAY:
        live = loading.load(table)
        card_door.set_the_clock(table, live, since=timezone.now())


def empty(table: Table, seat: Seat, pen: door.Pen, *, actor: int | None, act: str) -> None:
    pen.line(act, actor=actor, on_behalf_of=seat.person_id, body={"seat": seat.number})
    give(seat, None)
    seat.person = None
    if table.state == State.PLAY:
        seat.bot = seat.bot or DEFAULT_BOT
    seat.save()
    reset_clock(table)


def held_seat(table: Table, who: Who, number: int) -> tuple[Seat, Pass]:
    found = held_seats(table, who).get(number)
    if found is None:
        raise Refusal("This phone does not hold that seat.", status=403)
    return found


def still_held(seat: Seat, held: Pass) -> None:
    if seat.token_id != held.pk:
        raise Refusal(card_door.MOVED_SEAT, status=409)


def person_pk(who: Who) -> int | None:
    return who.person.pk if who.person else None


def has_seen_another(request: HttpRequest, table: Table, number: int) -> bool:
    """Whether this browser ever had a pass to another seat of the table, and so may know another hand."""
    return ever_had(request, Seat.objects.filter(table=table).exclude(number=number))


def ever_had(request: HttpRequest, seats: QuerySet[Seat]) -> bool:
    taken_up = request.session.get(PASSES) or []
    return (
        bool(taken_up) and Pass.objects.filter(pk__in=taken_up, kind=Seat.PASS, target__in=seats.values("pk")).exists()
    )


def is_own(who: Who, seat: Seat) -> bool:
    """Whether they sit there who ask. A personal link is not proof enough: whoever keeps a guest can open theirs."""
    return who.user is not None and who.person is not None and seat.person_id in who.person.all_ids()
