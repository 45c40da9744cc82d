"""Picks up jobs whose message got lost or whose worker died: on start and every two seconds, in every worker."""

from __future__ import annotations

import datetime as dt
import threading

from django.db.models import Q
from django.utils import timezone

from jobs.execution import dispatch, runner
from jobs.models import Job
from jobs.registry import KIND

EVERY = 2.0
# Queued for so long since it was last sent, a row is sent again.
OVERDUE = dt.timedelta(seconds=5)
# A worker that is done with one job takes the next by itself, so a few messages wake everybody there is.
FEW = 4


def sweep(now: dt.datetime | None = None) -> int:
    """Send unclaimed jobs again, or run them here if the broker is down. Returns their number."""
    now = now or timezone.now()
    overdue = Q(sent_at=None, created_at__lt=now - OVERDUE / 5) | Q(sent_at__lt=now - OVERDUE)
    rows = Job.objects.waiting(now).filter(overdue, kind__in=KIND).order_by("pk")[:FEW]
    swept = 0
    for job in rows:
        # Several sweepers run; the one that moves the time sends the message.
        if not Job.objects.filter(pk=job.pk, sent_at=job.sent_at).update(sent_at=now):
            continue
        swept += 1
        if not dispatch.send_message(job.pk):
            threading.Thread(target=runner.run_if_waiting, args=[job.pk], kwargs={"wait": False}, daemon=True).start()
            break
    return swept
