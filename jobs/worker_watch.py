"""Are the clock and the worker there? Without them no order is ever filled, though every page works.

The clock shows itself by a timer that it fires every 15 seconds. As often it sends the worker a message; whoever takes
it up puts off a timer that is due when the worker has been away for a minute.
"""

from __future__ import annotations

import datetime as dt
import logging

from django.conf import settings
from django.utils import timezone

from jobs import sending, timers
from jobs.models import Due, Job, State
from jobs.registry import QUICK

logger = logging.getLogger(__name__)

PULSE = "pulse"
WORKER_AWAY = "worker-away"
EVERY = dt.timedelta(seconds=15)
AWAY_AFTER = dt.timedelta(minutes=1)


def register() -> None:
    timers.register_timer(PULSE, lambda due: None, again=timers.every(EVERY))
    timers.register_timer(WORKER_AWAY, _report_away)
    timers.register_heartbeat(EVERY.total_seconds(), ask_worker)


def ask_worker() -> None:
    from jobs.tasks import note_worker

    if settings.REDIS_URL:  # without, jobs.worker_process says so
        sending.send(note_worker, QUICK)


def note_seen() -> None:
    """A worker has taken up a message, or is done with a job."""
    timers.set_timer(WORKER_AWAY, "", timezone.now() + AWAY_AFTER)


def away_parts() -> frozenset[str]:
    """Which of "clock" and "worker" have been away for more than a minute."""
    now = timezone.now()
    due = dict(Due.objects.filter(kind__in=(PULSE, WORKER_AWAY), ref="").values_list("kind", "due_at"))
    has_clock = PULSE in due and due[PULSE] > now - (AWAY_AFTER - EVERY)
    has_worker = (WORKER_AWAY in due and due[WORKER_AWAY] > now) or _is_working(now)
    return frozenset(name for name, is_there in (("clock", has_clock), ("worker", has_worker)) if not is_there)


def _is_working(now: dt.datetime) -> bool:
    """A worker that is busy with a long job takes up no message, but renews its lease."""
    return Job.objects.filter(state=State.RUNNING, lease_until__gt=now).exists()


def _report_away(due: Due) -> None:
    if _is_working(timezone.now()):
        note_seen()
    else:
        logger.error("No worker has taken a job for a minute. Prints, exports and webhooks wait. Start the worker.")
