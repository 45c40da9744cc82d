"""Writes choices at a card table. Each is checked against the current question under the log's lock.

In a reaction window nobody may see who was quick. Answers that leave it open go into the sealed log, which nobody can
watch; the answer or timer that closes the window moves them into the table's own log.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from cardgames.engine import DEADLINE, HOLD, UNDO, RunningTable
from cardgames.engine.questions import bot_due_time, window_due_times
from cardgames.engine.running_table import NOT_OFFERED
from cardgames.engine.stored_record import Row, without_undone
from cardgames.models import Seat, Table
from cardgames.results import services as results_services
from cardgames.tables import load_from_log
from cardgames.tables.board_frame import follows_up
from cardgames.tables.core import entries
from cardgames.tables.core.acts import Choose, TableAct, TimerMoves
from cardgames.tables.core.entries import ChoiceMade, SealedChoice, TableEntry, TapAnswer
from cardgames.tables.load_from_log import SeatReplay
from jobs import timers
from log import services as log_services
from pages.number_parsing import parse_int
from people.models import Pass
from prepared_queries import prepared_query
from refusal import Refusal

TIMER = "card-table"
MOVED_SEAT = "This seat is now played on another phone."
PAUSED = "The game is paused. Only the host can resume it."
BOT_PLAYS = "A bot is playing this seat. Take the seat back first."
NOT_BEGUN = "The game has not started yet."
OVER = "This game is over."
NO_STAMP = "This form does not say which question it answers. Reload the page."
WRITE_ATTEMPTS = 3

Change = Callable[[RunningTable, Table, Sequence[Seat]], None]
TimerChange = Callable[[RunningTable, Table], None]


def write_act(
    log_id: int, who: str, key: str, act: TableAct, work: Callable[[log_services.LogWriter], TapAnswer]
) -> TapAnswer:
    """Lets ``work`` write to a table's log, once per ``key``. ``act`` is what was sent."""
    answer = log_services.write(log_id, who=who, key=key, body=entries.write_sent(act), act=work)
    return cast(TapAnswer, answer)


def append_entry(
    writer: log_services.LogWriter, entry: TableEntry, *, actor: int | None, on_behalf_of: int | None = None
) -> None:
    writer.append(entry.key, actor=actor, on_behalf_of=on_behalf_of, body=entries.write_entry(entry))


class _WindowChanged(Exception):
    """The answer belongs in the other log: it leaves a reaction window open, or closes it."""


def submit_choice(
    table: Table,
    seat: Seat,
    held: Pass,
    *,
    key: str,
    choice: str | Sequence[str],
    stamp: object,
    replay: SeatReplay | None = None,
) -> TapAnswer:
    """Writes the choice of the phone that holds the seat, once per ``key``. ``stamp`` names the question it answers.

    Several choices are one decision: a card and its target. An undo takes back a whole decision.
    ``replay`` gets the game, so that whoever shows it afterwards need not read it once more.
    """
    wanted = _parse_stamp(stamp)
    choices = [choice] if isinstance(choice, str) else list(choice)

    def change(running: RunningTable, table: Table, seats: Sequence[Seat]) -> None:
        _require_seat_holder(table, seats[seat.number], held)
        if choices == [UNDO]:
            running.undo(seat.number, stamp=wanted)
            while follows_up(running, seat.number) and running.can_undo(seat.number):
                running.undo(seat.number)
            return
        for number, chosen in enumerate(choices or [""]):
            if number and not follows_up(running, seat.number):
                raise Refusal(NOT_OFFERED, status=409)
            running.choose(seat.number, chosen, stamp=None if number else wanted)

    act = Choose(seat.number, tuple(choices), wanted)
    return _write_choice(table, who=f"pass:{held.pk}", key=key, act=act, change=change, seat=seat, replay=replay)


def has_already_answered(table: Table, number: int, stamp: object) -> bool:
    """Whether this seat has already answered this question, for example after a double tap."""
    return _is_answered(load_from_log.choice_rows_of(table), number, stamp)


def had_already_answered(table: Table, number: int, stamp: object) -> bool:
    """The same, as far as this version of the table knows."""
    return _is_answered(load_from_log.known_rows_of(table), number, stamp)


def _is_answered(rows: Sequence[Row], number: int, stamp: object) -> bool:
    wanted = _parse_stamp(stamp)
    return wanted < len(rows) and rows[wanted][0] == number


def write_timer_moves(table: Table, *, key: str, change: TimerChange) -> TapAnswer:
    """Writes a bot's move or the end of a reaction window."""

    def change_unless_paused(running: RunningTable, table: Table, seats: Sequence[Seat]) -> None:
        _require_not_paused(table)
        change(running, table)

    return write_act(table.log_id, "clock", key, TimerMoves(key), _make_work(table, change_unless_paused))


def _write_choice(
    table: Table, *, who: str, key: str, act: Choose, change: Change, seat: Seat, replay: SeatReplay | None
) -> TapAnswer:
    """Writes to the table's log, or to the sealed one if the answer leaves a reaction window open.

    Only replaying the game tells which, so the common one is tried first.
    """

    def is_sealed() -> bool:
        """Whether it counted in a window, and is only sent again."""
        return log_services.find_answer(table.sealed_id, who=who, key=key) is not None

    sealed = False
    for _ in range(WRITE_ATTEMPTS):
        log_id = table.sealed_id if sealed else table.log_id
        work = _make_work(table, change, seat=seat, sealed=sealed, is_sealed=is_sealed, replay=replay)
        try:
            return write_act(log_id, who, key, act, work)
        except _WindowChanged:
            sealed = not sealed
        except Refusal:
            if sealed or not is_sealed():
                raise
            sealed = True
    raise Refusal("The game moved on just then. Try again.", status=409)


def _make_work(
    table: Table,
    change: Change,
    *,
    seat: Seat | None = None,
    sealed: bool = False,
    is_sealed: Callable[[], bool] = lambda: False,
    replay: SeatReplay | None = None,
) -> Callable[[log_services.LogWriter], TapAnswer]:
    def write(writer: log_services.LogWriter) -> TapAnswer:
        # This row locks both logs, so no answer is lost between them.
        fresh, seats = _lock_table_under_other_log(table.pk) if sealed else _lock_table(table.pk)
        if fresh.state != Table.State.PLAY:
            raise Refusal(NOT_BEGUN if fresh.state == Table.State.LOBBY else OVER, status=409)
        # Whoever waited for the other log's lock has read this one's length before the wait.
        stored, running = load_from_log.open_game(fresh, load_from_log.choice_rows_of(fresh) if sealed else None)
        stamp, in_window, loaded = running.stamp, running.window is not None, len(running.rows)
        if in_window and not sealed and is_sealed():
            raise _WindowChanged
        change(running, fresh, seats)
        stays_open = in_window and running.window is not None and running.stamp == stamp
        if (sealed and not stays_open) or (seat is not None and stays_open and not sealed):
            raise _WindowChanged
        actor = seat.person_id if seat is not None else None
        if sealed:
            number, key = running.rows[-1]
            append_entry(writer, SealedChoice(number, key, stamp), actor=actor)
            if replay is not None:
                replay.continue_with(fresh, running, fresh.log.version)
            return {"stamp": stamp}
        # Sealed answers move into this log only when the window closes.
        new = running.rows[loaded if stays_open else len(stored) :]
        if in_window:
            new = without_undone(new)
        for number, key in new:
            mine = seat is not None and number == seat.number
            append_entry(writer, ChoiceMade(number, key), actor=actor if mine else None)
        bots = {row.number: row.bot for row in seats if row.bot}
        may_have_timer = bool(bots) or in_window
        moved = running.stamp != stamp or running.result is not None
        save_progress(fresh, running, moved=moved, bots=bots, may_have_timer=may_have_timer)
        load_from_log.note_written(running, writer.log.length)
        if replay is None:
            load_from_log.keep_game(fresh, running)
        else:
            replay.continue_with(fresh, running, None if in_window else fresh.log.version + 1)
        return {"stamp": running.stamp}

    return write


def _lock_table(pk: int) -> tuple[Table, list[Seat]]:
    """The table and its seats, in one query. Whoever holds the table's own log can be sure that no seat changes."""
    seats = _seats_of_locked_table(pk)
    return seats[0].table, seats


def _lock_table_under_other_log(pk: int) -> tuple[Table, list[Seat]]:
    """The same in two: while the first waits for the row, a seat may be given away."""
    return _locked_tables(pk)[0], _seats(pk)


@prepared_query
def _seats_of_locked_table(table_id: int) -> QuerySet[Seat]:
    rows = Seat.objects.select_for_update(of=("table",)).select_related("table__log").defer("table__deck")
    return rows.filter(table=table_id).order_by("number")


@prepared_query
def _locked_tables(pk: int) -> QuerySet[Table]:
    return Table.objects.select_for_update(of=("self",)).select_related("log").filter(pk=pk)


@prepared_query
def _seats(table_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(table=table_id).order_by("number")


def save_progress(
    table: Table,
    running: RunningTable,
    *,
    moved: bool,
    bots: Mapping[int, str] | None = None,
    may_have_timer: bool = True,
) -> None:
    """Stores who has to choose, the result if the game is over, and the timer. Part of a write."""
    if moved:
        table.asked_at = timezone.now()
    table.asked = list(running.asked_seats)
    if running.result is not None:
        table.state = Table.State.OVER
        table.ended_at = timezone.now()
        results_services.save_table_result(table, running)
    table.save(update_fields=["asked", "asked_at", "state", "ended_at"])
    if may_have_timer or running.window is not None:
        schedule_timer(table, running, bots=bots)


def schedule_timer(
    table: Table, running: RunningTable, *, since: dt.datetime | None = None, bots: Mapping[int, str] | None = None
) -> None:
    """Sets the timer for the next bot move or deadline. ``since``: when a bot took over an open question."""
    at = None if table.paused or table.state != Table.State.PLAY else next_due_time(table, running, since, bots)
    if at is None:
        timers.cancel_timer(TIMER, table.pk)
    else:
        timers.set_timer(TIMER, table.pk, dt.datetime.fromtimestamp(at, dt.UTC))


def next_due_time(
    table: Table, running: RunningTable, since: dt.datetime | None = None, bots: Mapping[int, str] | None = None
) -> float | None:
    """A window counts from when it opened; a bot's thinking time from when the bot is asked."""
    assert table.asked_at is not None
    opened = table.asked_at.timestamp()
    window, timer_keys = running.window, running.pending_timer_keys()
    if window is not None and HOLD in timer_keys:
        return bot_due_time(opened, window)
    times = []
    if set(bot_seats(table) if bots is None else bots) & set(running.unanswered_seats):
        times.append(bot_due_time(max(opened, since.timestamp()) if since else opened))
    if window is not None and DEADLINE in timer_keys:
        times += [at for at, key in window_due_times(opened, window) if key == DEADLINE]
    return min(times, default=None)


def bot_seats(table: Table) -> dict[int, str]:
    """The seats that bots play, with their levels."""
    return dict(_bots(table.pk))


@prepared_query
def _bots(table_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(table=table_id).exclude(bot="").order_by("number").values_list("number", "bot")


def _require_not_paused(table: Table) -> None:
    if table.paused:
        raise Refusal(PAUSED, status=409)


def _require_seat_holder(table: Table, seat: Seat, held: Pass) -> None:
    """Checked again under the lock: the seat may have moved to another phone since."""
    _require_not_paused(table)
    if seat.token_id != held.pk:
        raise Refusal(MOVED_SEAT, status=409)
    if seat.bot:
        raise Refusal(BOT_PLAYS, status=409)


def _parse_stamp(given: object) -> int:
    if (stamp := parse_int(str(given))) is None:
        raise Refusal(NO_STAMP, field="stamp")
    return stamp
