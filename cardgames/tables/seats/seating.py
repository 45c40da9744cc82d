"""Sitting down, leaving a seat, handing it to a bot; and moving it to another phone, if the host agrees."""

import datetime as dt

from django.http import HttpRequest
from django.utils import timezone

from cardgames.models import Seat, Table
from cardgames.tables import choice_services
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core import acts, entries
from cardgames.tables.core.entries import TapAnswer
from cardgames.tables.seats.seat_change_helpers import (
    SEAT_LIMIT,
    SEATED_ALREADY,
    TABLE_CHANGED,
    UNDO_LASTS,
    UNDO_TOO_LATE,
    State,
    clear_claim,
    create_seat_pass,
    empty_seat,
    get_seat,
    give_pass,
    has_held_another_seat,
    held_seats,
    is_host,
    is_own_seat,
    passes_of_browser,
    person_pk,
    put_bots,
    require_bot_level,
    require_held_seat,
    require_host,
    require_no_other_claim,
    require_open,
    require_still_held,
    reset_timer,
    seat_person,
    write_seat_change,
)
from log import services as log_services
from log.models import Entry
from people import guests as guests_services
from people.accounts.log_ins import browser_of
from people.guests import is_remembered_guest, remember_new_guest
from people.models import Pass
from people.name_validation import clean_name
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

HAS_SEEN_HAND = (
    "This phone has seen another hand of this game. Someone else can take over from the bot on their own phone."
)
TAKEN = "This seat is taken. Choose another one."
NO_FREE_SEAT = "Every seat is taken. You can watch."


def sit_down(request: HttpRequest, table: Table, act: acts.SitDown, *, key: str) -> Seat:
    """Takes a free seat with this browser, or the first free one without a number. Returns the seat.

    Known people sit as themselves. Whoever gives a name in an unknown browser is remembered there; a name given in a
    browser that has a seat already is a friend's. In a running game the host must agree: see ``take_seat``.
    """
    SEAT_LIMIT.count_use(request)
    # Once cards are dealt, a phone that has seen one hand must not see a second.
    if table.state == State.PLAY and has_held_another_seat(request, table, act.seat):
        raise Refusal(HAS_SEEN_HAND, status=409)
    friend = act.name if held_seats(table, request.who) else ""
    if not friend and act.name.strip() and _is_somebody_else(request.who, act.name):
        remember_new_guest(request, act.name, key=key)
    # By browser: a repeated tap must find its own seat again.
    ref = f"sit:{browser_of(request).id}"
    token = take_seat(table, request.who, ref=ref, key=key, number=act.seat, friend=friend, typed=act.name)
    passes_services.hold_pass(request, token)
    return Seat.objects.get(pk=token.target)


def sit_down_at_once(request: HttpRequest, table: Table, *, key: str, name: str) -> None:
    """Seats whoever came with code and name in a lobby. Where no seat is free, or one is theirs, they only come in."""
    if table.state != State.LOBBY or not key or held_seats(table, request.who):
        return
    if table.seat_set.filter(person=None).exists():
        sit_down(request, table, acts.SitDown(name=name), key=key)


def seat_host(request: HttpRequest, table: Table, *, key: str) -> None:
    """Whoever has just opened a table sits at it."""
    if table.state == State.LOBBY and not held_seats(table, request.who):
        sit_down(request, table, acts.SitDown(0), key=f"{key}-seat")


def _is_somebody_else(who: Who, name: str) -> bool:
    """Nobody yet, or another guest with the phone of one who was here before."""
    if who.person is None:
        return True
    return is_remembered_guest(who) and clean_name(name).casefold() != who.person.name.casefold()


def take_seat(
    table: Table, who: Who, *, ref: str, key: str, number: int | None, friend: str = "", typed: str = ""
) -> Pass:
    """Takes a free seat for the requester, or by name for a friend with the same phone. Returns the pass of the seat.

    In a running game a bot's hand is at stake: unless the host sits down, the pass is a request that the host answers.
    """
    person = None if friend.strip() else who.person
    name = clean_name(friend) if person is None else ""

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> TapAnswer:
        require_open(table)
        seat = _first_free_seat(seats) if number is None else get_seat(seats, number)
        if not seat.is_free:
            raise Refusal(TAKEN, status=409)
        sitter = person or guests_services.create_guest(name, table.host.root)
        if table.state == State.PLAY and not is_host(table, who):
            if any(other.person_id in sitter.all_ids() for other in seats.values() if other.person_id):
                raise Refusal(SEATED_ALREADY, status=409)
            require_no_other_claim(who, seats, seat.number)
            token = write_claim(seat)
            seat.claim_person = sitter
            seat.save()
            append_entry(writer, entries.AskedToSit(seat.number), actor=sitter.pk)
        else:
            token = create_seat_pass(seat)
            seat_person(table, seats, seat, sitter, token, writer)
        return {"seat": seat.number, "pass": token.pk}

    answer = write_seat_change(table, ref, key, acts.SitDown(number, typed or friend), change)
    token = Pass.objects.valid().filter(pk=answer["pass"]).first()
    if token is None:
        raise Refusal(choice_services.MOVED_SEAT, status=409)
    return token


def _first_free_seat(seats: dict[int, Seat]) -> Seat:
    """A free seat without a bot, else a bot's."""
    free = [seat for seat in seats.values() if seat.is_free]
    if not free:
        raise Refusal(NO_FREE_SEAT, status=409)
    return min(free, key=lambda seat: (seat.bot != "", seat.number))


def leave_seat(table: Table, who: Who, act: acts.LeaveSeat, *, key: str) -> None:
    """Leaves a seat. In the lobby it becomes free; during a game a bot plays it until somebody sits down."""
    seat, held = require_held_seat(table, who, act.seat)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        require_still_held(seats[act.seat], held)
        empty_seat(table, seats[act.seat], writer, actor=seat.person_id, kind=entries.SeatLeft)

    write_seat_change(table, f"pass:{held.pk}", key, act, change)


def restore_seat(request: HttpRequest, table: Table, act: acts.RestoreSeat, *, key: str) -> None:
    """Undoes within a minute that somebody left a seat or the host freed it: the same phone has it again.

    The phone that left can do it, and the host.
    """
    ref = request.who.ref if is_host(table, request.who) else f"sit:{browser_of(request).id}"

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, act.seat)
        left = (
            Entry.objects.filter(log_id=table.log_id, act__in=entries.EMPTYING, body__seat=act.seat)
            .order_by("-number")
            .first()
        )
        if left is None or left.entered_at < timezone.now() - UNDO_LASTS or not seat.is_free:
            raise Refusal(UNDO_TOO_LATE, status=409)
        before = entries.load_entry(left.act, left.body)
        assert isinstance(before, entries.SeatEmptied)
        if before.token not in passes_of_browser(request) and not is_host(table, request.who):
            raise Refusal("Only the phone that left, or the host, can undo this.", status=403)
        person = left.on_behalf_of
        if person is None or any(other.person_id == person.pk for other in seats.values()):
            raise Refusal(UNDO_TOO_LATE, status=409)
        token = Pass.objects.filter(pk=before.token).first()
        give_pass(seat, token)
        if token is not None:
            Pass.objects.filter(pk=token.pk).update(revoked_at=None)
        seat.person, seat.bot, seat.is_cohost = person, before.bot, before.cohost
        seat.save()
        append_entry(writer, entries.SeatRestored(act.seat), actor=person.pk)
        reset_timer(table)

    write_seat_change(table, ref, key, act, change)


def set_bot(table: Table, who: Who, act: acts.SetBot, *, key: str) -> None:
    """Hands a seat to a bot, or takes it back with an empty level. The host can do it for any seat."""
    if act.level:
        require_bot_level(act.level)
    held = held_seats(table, who).get(act.seat)
    if not is_host(table, who) and held is None:
        raise Refusal("Only the host or the seat's player can hand it to a bot.", status=403)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, act.seat)
        if not act.level and table.state == State.PLAY and seat.person_id is None:
            raise Refusal("Nobody is in this seat. The bot plays until somebody sits down.", status=409)
        if seat.bot == act.level:
            return
        seat.bot = act.level
        seat.save(update_fields=["bot"])
        actor = who.person.pk if who.person else seat.person_id
        entry = entries.BotSet if act.level else entries.BotRemoved
        append_entry(writer, entry(act.seat, act.level), actor=actor)
        reset_timer(table)

    ref = f"pass:{held[1].pk}" if held and not is_host(table, who) else who.ref
    write_seat_change(table, ref, key, act, change)


def fill_with_bots(table: Table, who: Who, act: acts.FillWithBots, *, key: str) -> None:
    """Puts a bot on every free seat."""
    require_host(table, who)
    require_bot_level(act.level)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        free = [seat for seat in seats.values() if seat.is_free and not seat.bot]
        put_bots(free, act.level, writer, actor=person_pk(who))

    write_seat_change(table, who.ref, key, act, change)


# ── Moving a seat to another phone ─────────────────────────────────────────────────────────────────────


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


def claim_seat(request: HttpRequest, table: Table, act: acts.ClaimSeat, *, key: str) -> bool:
    """Asks for a taken seat. The host decides, unless it is the requester's own seat.

    Returns whether the seat is on this phone now.
    """

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> TapAnswer:
        require_open(table)
        seat = get_seat(seats, act.seat)
        if seat.is_free:
            raise Refusal("This seat is free. You can sit down.", status=409)
        if is_own_seat(request.who, seat) and not has_held_another_seat(request, table, act.seat):
            token = create_seat_pass(seat)
            give_pass(seat, token)
            seat.save()
            append_entry(writer, entries.SeatMoved(act.seat), actor=person_pk(request.who))
            return {"pass": token.pk}
        require_no_other_claim(request.who, seats, act.seat)
        token = write_claim(seat)
        seat.save()
        append_entry(writer, entries.SeatClaimed(act.seat), actor=person_pk(request.who))
        return {"pass": token.pk}

    SEAT_LIMIT.count_use(request)
    answer = write_seat_change(table, f"sit:{browser_of(request).id}", key, act, change)
    if token := Pass.objects.valid().filter(pk=answer["pass"]).first():
        passes_services.hold_pass(request, token)
    return token is not None and Seat.objects.filter(table=table, number=act.seat, token=token).exists()


def decide_claim(table: Table, who: Who, act: acts.DecideClaim, *, key: str) -> None:
    """The host accepts or refuses a request for a seat. ``claim`` is the request the host saw."""
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        seat = get_seat(seats, act.seat)
        if seat.claim is None or seat.claim.pk != act.claim:
            raise Refusal(TABLE_CHANGED, status=409)
        token, was_free = seat.claim, seat.is_free
        if not act.yes:
            passes_services.revoke_pass(token)
            clear_claim(seat)
            seat.save()
            declined = entries.SittingDeclined(act.seat) if was_free else entries.MoveDeclined(act.seat)
            append_entry(writer, declined, actor=person_pk(who))
        elif was_free:
            if seat.claim_person is None:
                raise Refusal(TABLE_CHANGED, status=409)
            seat_person(table, seats, seat, seat.claim_person.root, token, writer)
        else:
            give_pass(seat, token)
            seat.save()
            append_entry(writer, entries.SeatMoved(act.seat), actor=person_pk(who))

    write_seat_change(table, who.ref, key, act, change)


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
        append_entry(writer, entries.SeatMoved(seat.number), actor=fresh.person_id)

    write_seat_change(table, f"pass:{row.pk}", f"arrive-{row.pk}-seat", acts.AcceptTransfer(), change)
    return table
