"""Whose job is next, who works on it, and the messages that send it to a worker. The rows decide, not the messages.

People take turns. Next is the oldest job of whoever has the fewest running and whose last one began the longest ago, so
twenty exports of one person delay another person's print by one job at most. Jobs of the site itself (a backup, a
notice) take turns like those of one person.
"""

import datetime as dt
import logging
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Max, Min
from django.utils import timezone

from jobs import timers
from jobs.models import Due, Job, JobQuerySet, State
from jobs.registry import KIND, QUEUES, QUICK, SLOW, JobKind, kinds_in

logger = logging.getLogger(__name__)

# Whoever has not started a job for so long is as good as new.
TURN_FORGOTTEN = dt.timedelta(hours=1)
LONG_AGO = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


def next_waiting_job(kinds: Collection[str] = KIND) -> int | None:
    now = timezone.now()
    by_owner = Job.objects.order_by().values_list("owner")
    oldest = dict(by_owner.waiting(now).filter(kind__in=kinds).annotate(Min("pk")))
    if not oldest:
        return None
    running = dict(by_owner.filter(state=State.RUNNING).exclude(lease_until__lt=now).annotate(Count("pk")))
    started = dict(by_owner.filter(started_at__gte=now - TURN_FORGOTTEN).annotate(Max("started_at")))
    first = min(oldest, key=lambda owner: (running.get(owner, 0), started.get(owner, LONG_AGO), oldest[owner]))
    return int(oldest[first])


def count_jobs_ahead(job: Job) -> int:
    """How many jobs begin before this one at most, as people take turns; with those that run now."""
    waiting = Job.objects.waiting()
    earlier = waiting.filter(owner=job.owner_id, pk__lt=job.pk).count()
    others = waiting.exclude(pk=job.pk).order_by().values_list("owner").annotate(Count("pk"))
    turns = sum(min(count, earlier + 1) for owner, count in others if owner != job.owner_id)
    running = Job.objects.filter(state=State.RUNNING).exclude(lease_until__lt=timezone.now()).count()
    return earlier + turns + running


# ── The lease on a job's row ───────────────────────────────────────────────────────────────────────────
# Whoever holds it works on the job, for a few seconds at a time.


# A worker that dies is missed after LEASE; one that lives renews three times in that span.
LEASE = dt.timedelta(seconds=6)
# Begins every lease of this process and of those it forks, so that a worker can return those of its processes.
WORKER = secrets.token_hex(4)


@dataclass(frozen=True, slots=True)
class Lease:
    job: Job
    token: str

    @property
    def kind(self) -> JobKind:
        return KIND[self.job.kind]

    @property
    def folder(self) -> Path:
        """Every attempt writes to its own folder; the job's row names the one that won."""
        return Path(settings.MEDIA_ROOT) / "jobs" / f"{self.job.pk}-{self.token}"

    def row(self) -> JobQuerySet:
        return Job.objects.filter(pk=self.job.pk, state=State.RUNNING, lease_token=self.token)

    def end(self, **values: Any) -> bool:
        """Write how it ended. False if the lease is no longer ours: then somebody else did, or will."""
        ended = {"finished_at": timezone.now(), "lease_token": "", "lease_until": None}
        return bool(self.row().update(**ended | values))

    def fail(self, sentence: str, **values: Any) -> bool:
        return self.end(state=State.FAILED, error=sentence, **values)

    def try_again(self) -> None:
        """It was interrupted by something that may not happen again."""
        if self.job.attempts < self.kind.tries:
            self.end(state=State.QUEUED, finished_at=None, sent_at=None)
        else:
            self.fail(gave_up_sentence(self.kind))


def token_prefix(task_id: str) -> str:
    """Begins the lease of this task in this worker."""
    return f"{WORKER}{task_id[:8]}"


def take_lease(ref: str, task_id: str = "") -> Lease | None:
    """The lease on this job, if it waits. One statement, so that only one of two workers gets it."""
    now = timezone.now()
    row = Job.objects.waiting(now).filter(token=ref, kind__in=KIND)
    if row.filter(kind__in=kinds_in(SLOW)).exists() and is_running(SLOW, now):
        return None
    token = token_prefix(task_id) + secrets.token_hex(4)
    mine = row.update(
        state=State.RUNNING,
        lease_token=token,
        lease_until=now + LEASE,
        attempts=F("attempts") + 1,
        started_at=now,
        stage="",
        done=0,
        total=0,
    )
    if not mine:
        return None
    lease = Lease(Job.objects.get(token=ref), token)
    if lease.job.attempts > lease.kind.tries:
        lease.fail(gave_up_sentence(lease.kind))
        return None
    return lease


def is_running(queue: str, now: dt.datetime) -> bool:
    return Job.objects.filter(state=State.RUNNING, kind__in=kinds_in(queue), lease_until__gte=now).exists()


def find_lease(ref: str, prefix: str) -> Lease | None:
    """The lease of a task whose process is gone."""
    job = Job.objects.filter(token=ref, state=State.RUNNING, lease_token__startswith=prefix).first()
    return Lease(job, job.lease_token) if job else None


def put_back_all() -> int:
    """This worker stops: its jobs go back to the queue, and the attempt does not count."""
    return Job.objects.filter(state=State.RUNNING, lease_token__startswith=WORKER).update(
        state=State.QUEUED, lease_token="", lease_until=None, attempts=F("attempts") - 1, sent_at=None
    )


def gave_up_sentence(kind: JobKind) -> str:
    return f"The job was interrupted {kind.tries} times and stopped. Try again when the computer is less busy."


def too_long_sentence(kind: JobKind) -> str:
    seconds = kind.seconds
    words = f"{seconds // 60} minutes" if seconds >= 120 else "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"The job took longer than {words} and was stopped."


def too_big_sentence(kind: JobKind) -> str:
    return f"The job needed more than {kind.megabytes} MB of memory and was stopped. Ask for less at once."


# ── Sending a job when it is its turn, and again when a message got lost ─────────────────────────────────
# A broker never has more than one message of each queue that no worker has taken: whoever takes it sends the next. A
# message names one job; it does nothing if that one no longer waits.


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

    if settings.REDIS_URL:  # without, jobs.worker_process says so
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
