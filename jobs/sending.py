"""Send jobs to the workers, when it is their turn, and again when a message got lost.

The rows decide whose turn it is (queue.py), so a broker never has more than one message of each queue that no worker
has taken: whoever takes it sends the next. A message names one job; it does nothing if that one no longer waits.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Any

from django.db.models import F
from django.utils import timezone

from jobs.lease import is_running
from jobs.models import Job
from jobs.queue import next_waiting_job
from jobs.registry import KIND, QUEUES, SLOW, kinds_in

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
