"""Send jobs to the workers, when it is their turn, and again when a message got lost.

The rows decide whose turn it is (queue.py), so a broker never has more than one message of each queue that no worker
has taken: whoever takes it sends the next. A message names one job; it does nothing if that one no longer waits.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from jobs import timers
from jobs.models import Due, Job, State
from jobs.queue import is_running, next_waiting_job
from jobs.registry import KIND, QUEUES, QUICK, SLOW, kinds_in

logger = logging.getLogger(__name__)

SWEEP_EVERY = 2.0
# A message that nobody took for so long was lost; where all are busy, it may still wait.
LOST_AFTER = dt.timedelta(seconds=5)
LOST_AFTER_BUSY = dt.timedelta(seconds=60)
# After a failure nobody waits for the broker again for so long.
PAUSE = 10.0
_quiet_until = 0.0


def sweep() -> None:
    """Every two seconds where the timers are fired: what nobody has, or whose worker died, is sent."""
    for queue in QUEUES:
        send_next(queue)


def send_next(queue: str) -> bool:
    """Send the job whose turn it is, unless one is under way or, of the slow ones, runs."""
    now = timezone.now()
    waiting = Job.objects.waiting(now).filter(kind__in=kinds_in(queue))
    if not waiting.exists():
        return False
    busy = is_running(queue, now)
    if busy and queue == SLOW:
        return False
    sent_since = now - (LOST_AFTER_BUSY if busy else LOST_AFTER)
    # The lease of a job that was taken began after it was sent.
    if waiting.filter(sent_at__gt=sent_since).exclude(started_at__gt=F("sent_at")).exists():
        return False
    job_id = next_waiting_job(kinds_in(queue))
    job = Job.objects.select_related("owner").filter(pk=job_id).first()
    # Several processes send; the one that moves the time sends the message.
    if job is None or not waiting.filter(pk=job.pk, sent_at=job.sent_at).update(sent_at=now):
        return False
    from jobs.tasks import task_of

    owner = job.owner.code if job.owner else "site"
    if send(task_of(KIND[job.kind]), queue, person=owner, job=job.token):
        return True
    Job.objects.filter(pk=job.pk, sent_at=now).update(sent_at=job.sent_at)
    return False


def send(task: Any, queue: str, **kwargs: str) -> bool:
    """Whether the message went out. It never holds a request up for long."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        task.apply_async(kwargs=kwargs, queue=queue, expires=LOST_AFTER_BUSY.total_seconds())
    except Exception as error:  # whatever the broker's library raises, the row stays
        _quiet_until = time.monotonic() + PAUSE
        logger.warning("%s %s could not be sent (%s); it is sent again later", task.name, kwargs, error)
        return False
    return True


# ── Are the clock and the worker there? ────────────────────────────────────────────────────────────────
# Without them no order is ever filled, though every page works. The clock shows itself by a timer that it fires every
# 15 seconds. As often it sends the worker a message; whoever takes it up puts off a timer that is due when the worker
# has been away for a minute.


PULSE = "pulse"
WORKER_AWAY = "worker-away"
WATCHED_EVERY = dt.timedelta(seconds=15)
AWAY_AFTER = dt.timedelta(minutes=1)


def register_worker_watch() -> None:
    timers.register_timer(PULSE, lambda due: None, again=timers.every(WATCHED_EVERY))
    timers.register_timer(WORKER_AWAY, _report_away)
    timers.register_heartbeat(WATCHED_EVERY.total_seconds(), ask_worker)


def ask_worker() -> None:
    from jobs.tasks import note_worker

    if settings.REDIS_URL:  # without, jobs.worker says so
        send(note_worker, QUICK)


def note_seen() -> None:
    """A worker has taken up a message, or is done with a job."""
    timers.set_timer(WORKER_AWAY, "", timezone.now() + AWAY_AFTER)


def away_parts() -> frozenset[str]:
    """Which of "clock" and "worker" have been away for more than a minute."""
    now = timezone.now()
    due = dict(Due.objects.filter(kind__in=(PULSE, WORKER_AWAY), ref="").values_list("kind", "due_at"))
    has_clock = PULSE in due and due[PULSE] > now - (AWAY_AFTER - WATCHED_EVERY)
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
