"""Timers: rows with a due time. The ticker calls the handler of each that is due.

    timers.register_timer("bot-moves", move_bot)            once, in the app's job_kinds.py
    timers.set_timer("bot-moves", table.pk, in_a_moment)    in the transaction that makes it necessary
    timers.cancel_timer("bot-moves", table.pk)              it is no longer necessary

``move_bot(due)`` is called at ``due.due_at``, by one process only, and again if that process dies: it writes to its log
with ``due.key``, so that twice counts once. It raises Refusal if things have moved on. Handlers are quick; anything
longer is a job.
"""

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, connection, reset_queries
from django.db.models import F, Q
from django.utils import timezone

from jobs.models import Due, new_fire_token
from refusal import Refusal

logger = logging.getLogger(__name__)

EVERY = 0.2
# For so long nobody else touches a row whose handler is being called. Renewed while it runs, so that a bot's table
# waits only this long when its process is killed.
HOLD = dt.timedelta(seconds=4)
RENEW_EVERY = 1.5
MAX_DELAY = dt.timedelta(hours=1)
AT_ONCE = 50
SLOW = 1.0

Handler = Callable[[Due], None]


@dataclass(frozen=True, slots=True)
class TimerKind:
    handler: Handler
    # For recurring timers: the next time.
    again: Callable[[dt.datetime], dt.datetime] | None = None


_timer_kinds: dict[str, TimerKind] = {}
_beats: dict[Callable[[], object], float] = {}


# ── What apps call ───────────────────────────────────────────────────────────────────────────────────────


def register_timer(kind: str, handler: Handler, *, again: Callable[[dt.datetime], dt.datetime] | None = None) -> None:
    """Register the handler of this kind. With ``again`` the timer recurs without being set."""
    _timer_kinds[kind] = TimerKind(handler, again)


def register_heartbeat(every: float, function: Callable[[], object]) -> None:
    """Call this every so many seconds in every process with a ticker; for what needs no row."""
    _beats[function] = every


def set_timer(kind: str, ref: object, at: dt.datetime) -> None:
    """Fire at this time, instead of any time set before for the same thing."""
    Due.objects.bulk_create(
        [Due(kind=kind, ref=str(ref), due_at=at)],
        update_conflicts=True,
        unique_fields=["kind", "ref"],
        update_fields=["due_at", "turn", "tries", "held_until"],
    )


def cancel_timer(kind: str, ref: object) -> None:
    Due.objects.filter(kind=kind, ref=str(ref)).delete()


def every(delay: dt.timedelta) -> Callable[[dt.datetime], dt.datetime]:
    return lambda now: now + delay


def nightly(hour: int, minute: int = 0) -> Callable[[dt.datetime], dt.datetime]:
    """The next time it is that hour in the site's time zone. A missed night is caught up on return."""

    def following(now: dt.datetime) -> dt.datetime:
        local = timezone.localtime(now, timezone.get_default_timezone())
        then = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
        return then if then > local else then + dt.timedelta(days=1)

    return following


# ── What the ticker does ─────────────────────────────────────────────────────────────────────────────────


def start_recurring_timers(now: dt.datetime | None = None) -> None:
    """Create the rows of recurring timers; existing rows keep their time."""
    now = now or timezone.now()
    rows = [Due(kind=kind, due_at=timer.again(now)) for kind, timer in _timer_kinds.items() if timer.again]
    Due.objects.bulk_create(rows, ignore_conflicts=True)


def fire_due_timers(now: dt.datetime | None = None) -> int:
    """Fire everything that is due. Returns the number of timers fired."""
    now = now or timezone.now()
    free = Q(held_until=None) | Q(held_until__lt=now)
    due_now = Due.objects.filter(free, due_at__lte=now, kind__in=_timer_kinds).order_by("due_at")[:AT_ONCE]
    return sum(fire_timer(due, now) for due in due_now)


def fire_timer(due: Due, now: dt.datetime) -> bool:
    same = Due.objects.filter(pk=due.pk, turn=due.turn)
    # Of two processes that see the row, the one whose statement changes it goes on.
    mine = same.filter(Q(held_until=None) | Q(held_until__lt=now)).update(held_until=now + HOLD, tries=F("tries") + 1)
    if not mine:
        return False
    timer = _timer_kinds[due.kind]
    begun = time.monotonic()
    try:
        with _keep_holding(due):
            timer.handler(due)
    except Refusal as refusal:
        logger.info("%s: %s", due, refusal.sentence)
    except Exception:
        logger.exception("timer %s failed, try %s", due, due.tries + 1)
        delay = min(dt.timedelta(seconds=2 ** min(due.tries, 12)), MAX_DELAY)
        same.update(held_until=None, due_at=now + delay)
        return True
    if (took := time.monotonic() - begun) > SLOW:
        logger.warning("%s took %.1f s and delayed all timers", due, took)
    if timer.again:
        same.update(due_at=timer.again(timezone.now()), turn=new_fire_token(), tries=0, held_until=None)
    else:
        same.delete()  # unless the handler set a new time, which has another turn
    return True


@contextmanager
def _keep_holding(due: Due) -> Iterator[None]:
    done = threading.Event()

    def renew() -> None:
        same = Due.objects.filter(pk=due.pk, turn=due.turn)
        try:
            while not done.wait(RENEW_EVERY):
                same.update(held_until=timezone.now() + HOLD)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("%s is no longer held: %s", due, str(error).strip())
        finally:
            connection.close()

    thread = threading.Thread(target=renew, name="timer-hold", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class Ticker:
    """The thread that fires timers: one in manage.py serve, or one beside every Celery worker."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clock", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        self._stop.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        wound = False
        next_beat: dict[Callable[[], object], float] = {}
        while not self._stop.is_set():
            wound = wound or self._safely(start_recurring_timers)
            for function, every in list(_beats.items()):
                if time.monotonic() >= next_beat.get(function, 0.0):
                    next_beat[function] = time.monotonic() + every
                    self._safely(function)
            if not self._safely(fire_due_timers):
                self._stop.wait(2)
            reset_queries()  # with DEBUG on Django would keep them all
            self._stop.wait(EVERY)
        connection.close()

    def _safely(self, function: Callable[[], object]) -> bool:
        """An error in one handler stops neither the ticker nor the others."""
        try:
            function()
        except (DatabaseError, InterfaceError) as error:
            # Not there, or not migrated yet. The connection is of no use any more either way.
            logger.warning("the ticker cannot reach the database: %s", str(error).strip())
            connection.close()
            return False
        except Exception:
            logger.exception("the ticker failed")
            return False
        return True
