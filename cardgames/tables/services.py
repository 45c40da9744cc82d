"""The one door of a card table: a choice is judged against the ask it finds while the log is held, written, and the clock is set.

In a reaction window nobody may see who was quick. An answer that leaves the window open goes into the sealed log, which has no
watchers; whatever closes it or comes from the clock carries all of them into the table's own log.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.utils import timezone

from cardgames import keeping, loading
from cardgames.engine import DEADLINE, HOLD, UNDO, Live
from cardgames.engine.record import straight
from cardgames.engine.timing import bot_due, clock_due
from cardgames.models import Seat, Table
from jobs import clock
from log import door
from pages.numbers import whole
from people.models import Pass
from refusal import Refusal

BELL = "card-table"
MOVED_SEAT = "This seat is played on another phone now."
PAUSED = "The table is paused. The host lets it go on."
BOT_PLAYS = "A bot plays this seat now. Take it back first."
NOT_BEGUN = "The game has not begun."
OVER = "This game is over."
NO_STAMP = "This form does not say which question it answers. Load the page again."
TRIES = 3

Change = Callable[[Live, Table], None]


class _Elsewhere(Exception):
    """The window closed, or opened, between the look and the writing."""


def choose(table: Table, seat: Seat, held: Pass, *, key: str, choice: str, stamp: object) -> dict[str, Any]:
    """The phone that holds the seat's pass chooses for it, once per ``key``. ``stamp`` says which ask it answers."""
    wanted = _stamp(stamp)

    def change(live: Live, table: Table) -> None:
        _may_play(table, seat, held)
        if choice == UNDO:
            live.undo(seat.number, stamp=wanted)
        else:
            live.choose(seat.number, choice, stamp=wanted)

    body = {"seat": seat.number, "choice": choice, "stamp": wanted}
    return _play(table, who=f"pass:{held.pk}", key=key, body=body, change=change, seat=seat)


def has_chosen(table: Table, number: int, stamp: object) -> bool:
    """Whether this seat has answered the ask of this stamp already, as when two taps follow each other too quickly."""
    wanted, rows = _stamp(stamp), loading.rows_of(table)
    return wanted < len(rows) and rows[wanted][0] == number


def by_the_clock(table: Table, *, key: str, change: Change) -> dict[str, Any]:
    """A bot's move, or what the clock says in a window."""

    def judged(live: Live, table: Table) -> None:
        _is_on(table)
        change(live, table)

    return door.write(table.log_id, who="clock", key=key, body={"due": key}, act=_act(table, judged))


def _play(table: Table, *, who: str, key: str, body: dict[str, Any], change: Change, seat: Seat) -> dict[str, Any]:
    for _ in range(TRIES):
        sealed = _stays_sealed(table, who, key, change)
        log_id = table.sealed_id if sealed else table.log_id
        try:
            return door.write(log_id, who=who, key=key, body=body, act=_act(table, change, seat=seat, sealed=sealed))
        except _Elsewhere:
            continue
    raise Refusal("The table moved on at that moment. Try again.", status=409)


def _stays_sealed(table: Table, who: str, key: str, change: Change) -> bool:
    """Whether this answer leaves a reaction window open. What was sealed before stays so when it is sent again."""
    if door.answered(table.log_id, who=who, key=key) is not None:
        return False
    if door.answered(table.sealed_id, who=who, key=key) is not None:
        return True
    now = Table.objects.get(pk=table.pk)
    if now.state != Table.State.PLAY:
        return False
    live = loading.load(now)
    if live.window is None:
        return False
    stamp = live.stamp
    try:
        change(live, now)
    except Refusal:
        return False
    return live.window is not None and live.stamp == stamp


def _act(
    table: Table, change: Change, *, seat: Seat | None = None, sealed: bool = False
) -> Callable[[door.Pen], dict[str, Any]]:
    def write(pen: door.Pen) -> dict[str, Any]:
        # Both logs of a table are written under this one row, so that no answer is lost between them.
        fresh = Table.objects.select_for_update().get(pk=table.pk)
        if fresh.state != Table.State.PLAY:
            raise Refusal(NOT_BEGUN if fresh.state == Table.State.LOBBY else OVER, status=409)
        stored = loading.rows_of(fresh)
        live = loading.load(fresh, stored)
        stamp, in_window, loaded = live.stamp, live.window is not None, len(live.rows)
        change(live, fresh)
        stays_open = in_window and live.window is not None and live.stamp == stamp
        if (sealed and not stays_open) or (seat is not None and stays_open and not sealed):
            raise _Elsewhere
        actor = seat.person_id if seat is not None else None
        if sealed:
            number, key = live.rows[-1]
            pen.line(loading.CHOICE, actor=actor, body={"seat": number, "key": key, "stamp": stamp})
            return {"stamp": stamp}
        # What waits under seal comes along when the window closes, and not before.
        new = live.rows[loaded if stays_open else len(stored) :]
        for number, key in straight(new) if in_window else new:
            mine = seat is not None and number == seat.number
            pen.line(loading.CHOICE, actor=actor if mine else None, body={"seat": number, "key": key})
        after(fresh, live, moved=live.stamp != stamp or live.result is not None)
        return {"stamp": live.stamp}

    return write


def after(table: Table, live: Live, *, moved: bool) -> None:
    """What the table keeps of where it stands, and the clock. Part of the write."""
    if moved:
        table.asked_at = timezone.now()
    table.asked = list(live.asked)
    if live.result is not None:
        table.state = Table.State.OVER
        table.ended_at = timezone.now()
        keeping.keep(table, live)
    table.save(update_fields=["asked", "asked_at", "state", "ended_at"])
    set_the_clock(table, live)


def set_the_clock(table: Table, live: Live, *, since: dt.datetime | None = None) -> None:
    """When the clock has something to do here next. ``since`` is given when a bot came after the question was put."""
    at = None if table.paused or table.state != Table.State.PLAY else due_at(table, live, since)
    if at is None:
        clock.let_be(BELL, table.pk)
    else:
        clock.wake(BELL, table.pk, dt.datetime.fromtimestamp(at, dt.UTC))


def due_at(table: Table, live: Live, since: dt.datetime | None = None) -> float | None:
    """A window counts from the moment it was opened, whoever sits down meanwhile; a bot's pause from when it is asked."""
    assert table.asked_at is not None
    opened = table.asked_at.timestamp()
    window, said = live.window, live.clock_asked()
    if window is not None and HOLD in said:
        return bot_due(opened, window)
    times = []
    if set(bot_seats(table)) & set(live.awaited):
        times.append(bot_due(max(opened, since.timestamp()) if since else opened))
    if window is not None and DEADLINE in said:
        times += [at for at, key in clock_due(opened, window) if key == DEADLINE]
    return min(times, default=None)


def bot_seats(table: Table) -> dict[int, str]:
    """The seats that bots play now, with their levels."""
    return dict(Seat.objects.filter(table=table).exclude(bot="").values_list("number", "bot"))


def _is_on(table: Table) -> None:
    if table.paused:
        raise Refusal(PAUSED, status=409)


def _may_play(table: Table, seat: Seat, held: Pass) -> None:
    """Looked at again while the table is held: a seat may have moved since the request was let in."""
    _is_on(table)
    fresh = Seat.objects.get(pk=seat.pk)
    if fresh.token_id != held.pk:
        raise Refusal(MOVED_SEAT, status=409)
    if fresh.bot:
        raise Refusal(BOT_PLAYS, status=409)


def _stamp(given: object) -> int:
    if (stamp := whole(str(given))) is None:
        raise Refusal(NO_STAMP, field="stamp")
    return stamp
