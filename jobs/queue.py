"""Whose job is next, and who works on it. The rows decide, not the order of messages (sending.py).

People take turns. Next is the oldest job of whoever has the fewest running and whose last one began the longest ago, so
twenty exports of one person delay another person's print by one job at most. Jobs of the site itself (a backup, a
notice) take turns like those of one person.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Max, Min
from django.utils import timezone

from jobs.models import Job, JobQuerySet, State
from jobs.registry import KIND, SLOW, JobKind, kinds_in

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
