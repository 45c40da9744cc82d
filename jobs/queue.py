"""Whose job is next. The rows decide, not the order of messages (sending.py).

People take turns. Next is the oldest job of whoever has the fewest running and whose last one began the longest ago, so
twenty exports of one person delay another person's print by one job at most. Jobs of the site itself (a backup, a
notice) take turns like those of one person.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db.models import Count, Max, Min
from django.utils import timezone

from jobs.models import Job, State
from jobs.registry import KIND

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
