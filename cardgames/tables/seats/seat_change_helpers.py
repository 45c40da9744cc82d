"""Shared steps of every change to a seat: the locked write, the permission checks, and passing on a seat's pass.

The one browser that holds a seat's pass plays the seat. The table's code lets people watch and sit down, but never
opens a taken seat.
"""

import datetime as dt
from collections.abc import Callable, Iterable

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from cardgames.bots import LEVEL
from cardgames.models import Seat, Table
from cardgames.tables import choice_services, load_from_log
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core.acts import DEFAULT_BOT, TableAct
from cardgames.tables.core.entries import BotSet, SatDown, SeatFreed, SeatLeft, TapAnswer
from log import services as log_services
from people import rate_limits
from people.accounts.log_ins import PASSES_KEY
from people.models import LogIn, Pass, Person
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

NOT_HOST = "Only the host can do this."
SEATED_ALREADY = "You already have a seat here. To add a friend on this phone, enter their name."
TABLE_CHANGED = "The table has changed. This is how it looks now."
UNDO_TOO_LATE = "It is too late to undo this."
# For how long leaving a seat and calling off a game can be undone.
UNDO_LASTS = dt.timedelta(minutes=1)
# Log-ins note every few minutes that they are used, so this must be longer.
HOST_AWAY = dt.timedelta(minutes=12)

SEAT_LIMIT = rate_limits.Limit(
    "seats",
    "requests for seats",
    target=rate_limits.Rate(100, 10),
    browser=rate_limits.Rate(40, 10),
    address=rate_limits.Rate(1000, 10),
)

State = Table.State
SeatChange = Callable[[Table, dict[int, Seat], log_services.LogWriter], TapAnswer | None]


def write_seat_change(table: Table, who: str, key: str, act: TableAct, change: SeatChange) -> TapAnswer:
    """Runs ``change`` with the locked table and its seats, and writes to the table's log. ``act`` is what was sent."""

    def change_locked(writer: log_services.LogWriter) -> TapAnswer:
        fresh = Table.objects.select_for_update().get(pk=table.pk)
        seats = {seat.number: seat for seat in load_from_log.seats_of(fresh)}
        return change(fresh, seats, writer) or {}

    return choice_services.write_act(table.log_id, who, key, act, change_locked)


def is_host(table: Table, who: Who, seats: list[Seat] | None = None) -> bool:
    """The host, or a browser that plays a co-host's seat."""
    if who.person is not None and who.in_office(table.host_id in who.person.all_ids()):
        return True
    if not any(row.kind == Seat.PASS for row in who.passes):
        return False
    return who.in_office(any(seat.is_cohost for seat, _ in held_seats(table, who, seats).values()))


def is_host_away(table: Table) -> bool:
    """Whether no browser of the host was seen for a while, so that others cannot wait for them."""
    recent = LogIn.objects.filter(person__in=table.host.root.all_ids(), last_seen__gt=timezone.now() - HOST_AWAY)
    return not recent.exists()


def require_host(table: Table, who: Who) -> None:
    if not is_host(table, who):
        raise Refusal(NOT_HOST, status=403)


def held_seats(table: Table, who: Who, seats: list[Seat] | None = None) -> dict[int, tuple[Seat, Pass]]:
    """The seats that this browser plays, by number."""
    held = {row.pk: row for row in who.passes if row.kind == Seat.PASS}
    return {
        seat.number: (seat, held[seat.token_id])
        for seat in (load_from_log.seats_seen_by(who, table) if seats is None else seats)
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
    """Makes this the pass that plays the seat, and revokes the one before. A used pass has seen the seat's cards."""
    if seat.token is not None and seat.token != token:
        passes_services.revoke_pass(seat.token)
    if seat.claim is not None and seat.claim != token:
        passes_services.revoke_pass(seat.claim)
    if token is not None:
        mark_as_used(token)
    seat.token = token
    clear_claim(seat)


def mark_as_used(token: Pass) -> None:
    Pass.objects.filter(pk=token.pk, used_at=None).update(used_at=timezone.now())


def clear_claim(seat: Seat) -> None:
    seat.claim, seat.claim_person = None, None


def seat_person(
    table: Table,
    seats: dict[int, Seat],
    seat: Seat,
    person: Person,
    token: Pass,
    writer: log_services.LogWriter,
) -> None:
    """Seats somebody on a free seat, in place of its bot if it has one. Part of a write."""
    if any(other.person_id in person.all_ids() for other in seats.values() if other.person_id):
        raise Refusal(SEATED_ALREADY, status=409)
    if person.keeper_id is None and not person.has_account and person.pk != table.host_id:
        # Whoever hosts a guest's first game looks after them.
        Person.objects.filter(pk=person.pk).update(keeper=table.host.root)
    give_pass(seat, token)
    took_over = seat.bot
    seat.person, seat.bot = person, ""
    seat.save()
    append_entry(writer, SatDown(seat.number, took_over), actor=person.pk)
    reset_timer(table)


def reset_timer(table: Table) -> None:
    if table.state == State.PLAY:
        running = load_from_log.load_running_table(table)
        choice_services.schedule_timer(table, running, since=timezone.now())


def empty_seat(
    table: Table, seat: Seat, writer: log_services.LogWriter, *, actor: int | None, kind: type[SeatLeft | SeatFreed]
) -> None:
    # The pass, the bot and the co-host are written down for whoever undoes it.
    entry = kind(seat.number, seat.token_id, seat.bot, seat.is_cohost)
    append_entry(writer, entry, actor=actor, on_behalf_of=seat.person_id)
    give_pass(seat, None)
    seat.is_cohost = False
    seat.person = None
    if table.state == State.PLAY:
        seat.bot = seat.bot or DEFAULT_BOT
    seat.save()
    reset_timer(table)


def require_bot_level(level: str) -> None:
    if level not in LEVEL:
        raise Refusal("There is no such bot.", field="level")


def put_bots(seats: Iterable[Seat], level: str, writer: log_services.LogWriter, *, actor: int | None) -> None:
    for seat in seats:
        seat.bot = level
        seat.save(update_fields=["bot"])
        append_entry(writer, BotSet(seat.number, level), actor=actor)


def require_held_seat(table: Table, who: Who, number: int) -> tuple[Seat, Pass]:
    held = held_seats(table, who).get(number)
    if held is None:
        raise Refusal("This seat is not on this phone.", status=403)
    return held


def require_still_held(seat: Seat, held: Pass) -> None:
    if seat.token_id != held.pk:
        raise Refusal(choice_services.MOVED_SEAT, status=409)


def person_pk(who: Who) -> int | None:
    return who.person.pk if who.person else None


def passes_of_browser(request: HttpRequest) -> list[int]:
    """Every pass this browser has accepted, revoked ones included."""
    return request.session.get(PASSES_KEY) or []


def has_held_another_seat(request: HttpRequest, table: Table, number: int | None) -> bool:
    """Whether this browser ever played another seat at the table, and so may have seen another hand.

    Having asked for one does not count.
    """
    others = Seat.objects.filter(table=table).exclude(number=number)
    return _passes_to(passes_of_browser(request), others).exclude(used_at=None).exists()


def has_ever_held(request: HttpRequest, seats: QuerySet[Seat]) -> bool:
    """Whether this browser ever played or asked for one of the seats."""
    return _passes_to(passes_of_browser(request), seats).exists()


def _passes_to(held: list[int], seats: QuerySet[Seat]) -> QuerySet[Pass]:
    if not held:
        return Pass.objects.none()
    return Pass.objects.filter(pk__in=held, kind=Seat.PASS, target__in=seats.values("pk"))


def require_no_other_claim(who: Who, seats: dict[int, Seat], number: int) -> None:
    """A phone asks for one seat at a time: two hands are too many."""
    held = {row.pk for row in who.passes}
    for seat in seats.values():
        if seat.number != number and seat.claim_id in held:
            raise Refusal(f"This phone has already asked for seat {seat.number + 1}. The host decides.", status=409)


def is_own_seat(who: Who, seat: Seat) -> bool:
    """Whether it is the seat of the logged-in user. A personal link is not enough: a guest's host can open it too."""
    return who.user is not None and who.person is not None and seat.person_id in who.person.all_ids()
