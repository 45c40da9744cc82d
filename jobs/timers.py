"""Anything with a clock is a row with a due time; the ticker walks what is due through the door of whoever set it.

    clock.rings("bot-moves", move_bot)                  once, in the app's job_kinds.py
    clock.wake("bot-moves", table.pk, in_a_moment)      in the transaction that makes it necessary
    clock.let_be("bot-moves", table.pk)                 it is no longer necessary

``move_bot(due)`` is called once ``due.due_at`` has come, by one process only, and again should that process die in the
middle: it goes through its log's door with ``due.key``, so that twice counts once. Raising Refusal says that things have
moved on. Handlers are quick; whatever takes longer asks the desk for a job.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, connection, reset_queries
from django.db.models import F, Q
from django.utils import timezone

from jobs.models import Due, new_turn
from refusal import Refusal

logger = logging.getLogger(__name__)

EVERY = 0.2
# For so long nobody else touches a row whose handler is being called.
HOLD = dt.timedelta(seconds=30)
LONGEST_DELAY = dt.timedelta(hours=1)
AT_ONCE = 50
SLOW = 1.0

Handler = Callable[[Due], None]


@dataclass(frozen=True, slots=True)
class Bell:
    handler: Handler
    # For what comes round again: when next.
    again: Callable[[dt.datetime], dt.datetime] | None = None


_bells: dict[str, Bell] = {}
_beats: dict[Callable[[], object], float] = {}


# ── What apps call ───────────────────────────────────────────────────────────────────────────────────────


def rings(kind: str, handler: Handler, *, again: Callable[[dt.datetime], dt.datetime] | None = None) -> None:
    """Say what happens when a time of this kind has come. With ``again`` it comes round without being set."""
    _bells[kind] = Bell(handler, again)


def beats(every: float, function: Callable[[], object]) -> None:
    """Call this every so many seconds in every process that ticks; for what needs no row."""
    _beats[function] = every


def wake(kind: str, ref: object, at: dt.datetime) -> None:
    """Ring for this thing at this time, and no longer at the time set before."""
    Due.objects.bulk_create(
        [Due(kind=kind, ref=str(ref), due_at=at)],
        update_conflicts=True,
        unique_fields=["kind", "ref"],
        update_fields=["due_at", "turn", "tries", "held_until"],
    )


def let_be(kind: str, ref: object) -> None:
    Due.objects.filter(kind=kind, ref=str(ref)).delete()


def each(delay: dt.timedelta) -> Callable[[dt.datetime], dt.datetime]:
    return lambda now: now + delay


def nightly(hour: int, minute: int = 0) -> Callable[[dt.datetime], dt.datetime]:
    """The next time it is that late, in the site's own zone. A night missed is made up for on return."""

    def following(now: dt.datetime) -> dt.datetime:
        local = timezone.localtime(now, timezone.get_default_timezone())
        then = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
        return then if then > local else then + dt.timedelta(days=1)

    return following


# ── What the ticker does ─────────────────────────────────────────────────────────────────────────────────


def wind_up(now: dt.datetime | None = None) -> None:
    """Whatever comes round by itself has a row; a row that is there keeps its time."""
    now = now or timezone.now()
    rows = [Due(kind=kind, due_at=bell.again(now)) for kind, bell in _bells.items() if bell.again]
    Due.objects.bulk_create(rows, ignore_conflicts=True)


def tick(now: dt.datetime | None = None) -> int:
    """Ring everything that is due. How many bells that were."""
    now = now or timezone.now()
    free = Q(held_until=None) | Q(held_until__lt=now)
    found = Due.objects.filter(free, due_at__lte=now, kind__in=_bells).order_by("due_at")[:AT_ONCE]
    return sum(ring(due, now) for due in found)


def ring(due: Due, now: dt.datetime) -> bool:
    same = Due.objects.filter(pk=due.pk, turn=due.turn)
    # Of two processes that see the row, the one whose statement changes it goes on.
    mine = same.filter(Q(held_until=None) | Q(held_until__lt=now)).update(held_until=now + HOLD, tries=F("tries") + 1)
    if not mine:
        return False
    bell = _bells[due.kind]
    begun = time.monotonic()
    try:
        bell.handler(due)
    except Refusal as refusal:
        logger.info("%s: %s", due, refusal.sentence)
    except Exception:
        logger.exception("%s could not be rung, try %s", due, due.tries + 1)
        delay = min(dt.timedelta(seconds=2 ** min(due.tries, 12)), LONGEST_DELAY)
        same.update(held_until=None, due_at=now + delay)
        return True
    if (took := time.monotonic() - begun) > SLOW:
        logger.warning("%s took %.1f s; the clock stood still for so long", due, took)
    if bell.again:
        same.update(due_at=bell.again(timezone.now()), turn=new_turn(), tries=0, held_until=None)
    else:
        same.delete()  # unless the handler set a new time, which has another turn
    return True


class Ticker:
    """The thread that ticks: one in the embedded site, one in every Celery worker."""

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
            wound = wound or self._safely(wind_up)
            for function, every in list(_beats.items()):
                if time.monotonic() >= next_beat.get(function, 0.0):
                    next_beat[function] = time.monotonic() + every
                    self._safely(function)
            if not self._safely(tick):
                self._stop.wait(2)
            reset_queries()  # with DEBUG on Django would keep them all
            self._stop.wait(EVERY)
        connection.close()

    def _safely(self, function: Callable[[], object]) -> bool:
        """One thing that breaks stops neither the clock nor the others."""
        try:
            function()
        except (DatabaseError, InterfaceError) as error:
            # Not there, or not migrated yet. The connection is of no use any more either way.
            logger.warning("the clock cannot reach the database: %s", str(error).strip())
            connection.close()
            return False
        except Exception:
            logger.exception("the clock stumbled")
            return False
        return True
