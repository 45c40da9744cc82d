"""The host's actions: rules, start, pause, call off, free a seat, correct a guest's name; and who the host is."""

import hashlib
from dataclasses import replace

from django.utils import timezone

from cardgames.engine import Deck
from cardgames.games import find_game, new_table
from cardgames.models import Seat, Table
from cardgames.selectors import get_chosen_deck
from cardgames.tables import choice_services, load_from_log
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core import acts, entries
from cardgames.tables.seats.seat_change_helpers import (
    TABLE_CHANGED,
    UNDO_LASTS,
    UNDO_TOO_LATE,
    State,
    empty_seat,
    get_seat,
    is_host_away,
    person_pk,
    put_bots,
    require_bot_level,
    require_held_seat,
    require_host,
    require_open,
    require_still_held,
    reset_timer,
    write_seat_change,
)
from cardgames.tables.table_creation import deck_text
from jobs import timers
from log import services as log_services
from people import guests as guests_services
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal


def start_game(table: Table, who: Who, act: acts.StartGame, *, key: str) -> None:
    """Starts the game. With a ``level``, bots play the seats that are still free."""
    require_host(table, who)
    if act.level:
        require_bot_level(act.level)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.LOBBY:
            raise Refusal("The game has already started.", status=409)
        free = [seat for seat in seats.values() if seat.is_free and not seat.bot]
        if act.level:
            put_bots(free, act.level, writer, actor=person_pk(who))
        elif free:
            count = len(free)
            many = "One seat is" if count == 1 else f"{count} seats are"
            raise Refusal(f"{many} still free. Wait for players, or fill the seats with bots.")
        append_entry(writer, entries.GameStarted(), actor=person_pk(who))
        begin_play(table)

    write_seat_change(table, who.ref, key, act, change)


def begin_play(table: Table) -> None:
    """Deals the cards. Part of a write."""
    table.state = State.PLAY
    table.begun_at = timezone.now()
    table.save(update_fields=["state", "begun_at"])
    choice_services.save_progress(table, load_from_log.load_running_table(table), moved=True)


def set_paused(table: Table, who: Who, act: acts.SetPaused, *, key: str) -> None:
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.PLAY:
            raise Refusal("Only a running game can be paused.", status=409)
        if table.paused == act.paused:
            return
        table.paused = act.paused
        if not act.paused:
            table.asked_at = timezone.now()  # the question counts as asked again
        table.save(update_fields=["paused", "asked_at"])
        append_entry(writer, entries.GamePaused() if act.paused else entries.GameResumed(), actor=person_pk(who))
        reset_timer(table)

    write_seat_change(table, who.ref, key, act, change)


def call_off_table(table: Table, who: Who, act: acts.CallOffTable, *, key: str) -> None:
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        table.state = State.CLOSED
        table.ended_at = timezone.now()
        table.asked = []
        table.save(update_fields=["state", "ended_at", "asked"])
        append_entry(writer, entries.TableCalledOff(), actor=person_pk(who))
        timers.cancel_timer(choice_services.TIMER, table.pk)

    write_seat_change(table, who.ref, key, act, change)


def change_rules(table: Table, who: Who, act: acts.ChangeRules, *, key: str, deck: Deck | None = None) -> None:
    """Changes seats, deck and options before the game. Free seats go first; nobody loses theirs."""
    require_host(table, who)
    deck = deck or get_chosen_deck(who, table.game, act.deck)
    count = act.seats if act.seats is not None else find_game(table.game).seat_limits(deck)[0]
    record = new_table(table.game, count, seed=bytes(table.seed), options=act.options, deck=deck)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.LOBBY:
            raise Refusal("The game has already started.", status=409)
        _set_number_of_seats(table, list(seats.values()), record.seats)
        table.rules, table.seats, table.options = record.version, record.seats, dict(record.options)
        table.deck, table.deck_title = deck_text(record.deck), record.deck.title
        table.save(update_fields=["rules", "seats", "options", "deck", "deck_title"])
        append_entry(writer, entries.RulesChanged(), actor=person_pk(who))

    deck_hash = hashlib.sha256(record.deck.text.encode()).hexdigest()
    write_seat_change(table, who.ref, key, acts.AgreedRules(record.seats, record.options, deck_hash), change)


def _set_number_of_seats(table: Table, seats: list[Seat], wanted: int) -> None:
    people = [seat for seat in seats if not seat.is_free]
    if len(people) > wanted:
        raise Refusal(f"{len(people)} people are seated. Free a seat first.", field="seats")
    going = sorted((seat for seat in seats if seat.is_free), key=lambda seat: (seat.bot == "", seat.number))
    going = going[len(going) - max(0, len(seats) - wanted) :]
    staying = [seat for seat in seats if seat not in going]
    Seat.objects.filter(pk__in=[seat.pk for seat in going]).delete()
    for number, seat in enumerate(staying):
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])
    Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(len(staying), wanted))


def set_cohost(table: Table, who: Who, act: acts.SetCohost, *, key: str) -> None:
    """Lets the player of a seat do what the host can, or no longer."""
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, act.seat)
        if seat.person is None:
            raise Refusal("Nobody is in this seat.", status=409)
        if seat.is_cohost == act.yes:
            return
        seat.is_cohost = act.yes
        seat.save(update_fields=["is_cohost"])
        entry = entries.CohostNamed if act.yes else entries.CohostRemoved
        append_entry(writer, entry(act.seat), actor=person_pk(who))

    write_seat_change(table, who.ref, key, act, change)


def take_over_hosting(table: Table, who: Who, act: acts.TakeOverHosting, *, key: str) -> None:
    """The player of this seat becomes the host, if the host has not been seen for a while."""
    _, held = require_held_seat(table, who, act.seat)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, act.seat)
        require_still_held(seat, held)
        assert seat.person is not None
        if not is_host_away(table):
            raise Refusal("The host is still here. Ask them to make you a co-host.", status=409)
        for other in seats.values():
            if other.person_id is not None and other.person_id == table.host_id:
                other.is_cohost = True  # so that nothing is lost when they come back
                other.save(update_fields=["is_cohost"])
        table.host = seat.person.root
        table.save(update_fields=["host"])
        append_entry(writer, entries.HostChanged(act.seat), actor=table.host_id)

    write_seat_change(table, f"pass:{held.pk}", key, act, change)


def undo_call_off(table: Table, who: Who, act: acts.UndoCallOff, *, key: str) -> None:
    """Reopens a table that was called off less than a minute ago."""
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        if table.state != State.CLOSED or table.ended_at is None or table.ended_at < timezone.now() - UNDO_LASTS:
            raise Refusal(UNDO_TOO_LATE, status=409)
        table.state = State.LOBBY if table.begun_at is None else State.PLAY
        table.ended_at = None
        table.save(update_fields=["state", "ended_at"])
        append_entry(writer, entries.CallOffUndone(), actor=person_pk(who))
        if table.state == State.PLAY:
            # The question counts as asked again.
            choice_services.save_progress(table, load_from_log.load_running_table(table), moved=True)

    write_seat_change(table, who.ref, key, act, change)


def free_seat(table: Table, who: Who, act: acts.FreeSeat, *, key: str) -> None:
    """Frees a seat. During a game a bot plays it until somebody sits down."""
    require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        require_open(table)
        seat = get_seat(seats, act.seat)
        if seat.is_free:
            raise Refusal(TABLE_CHANGED, status=409)
        empty_seat(table, seat, writer, actor=person_pk(who), kind=entries.SeatFreed)

    write_seat_change(table, who.ref, key, act, change)


def rename_seated_guest(table: Table, who: Who, act: acts.RenameGuest, *, key: str) -> None:
    """Corrects the name of one of the host's guests. People with an account choose their own name."""
    require_host(table, who)
    act = replace(act, name=clean_name(act.name))

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> None:
        seat = get_seat(seats, act.seat)
        if seat.person is None:
            raise Refusal("Nobody is in this seat.", status=409)
        guests_services.rename_person(who, seat.person.root, act.name)
        append_entry(writer, entries.GuestRenamed(act.seat), actor=person_pk(who), on_behalf_of=seat.person_id)

    write_seat_change(table, who.ref, key, act, change)
