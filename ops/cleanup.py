"""Clean-up: what nobody needs any more is taken away, every night and by manage.py tidy."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils import timezone

from cardgames import sheets
from cardgames.side_models import SHEET_LASTS
from jobs import shelf
from jobs.kinds import Progress
from jobs.models import OPEN, Job
from log.models import Receipt
from ops.backup import silent
from people.models import LogIn, Pass

# A tap kept by a phone that lay in a drawer is still answered alike for so long.
RECEIPTS = dt.timedelta(days=90)
JOB_FILES = dt.timedelta(days=30)
JOBS = dt.timedelta(days=180)
# Long enough to see in the list that a pass has run out, and why a link no longer opens.
PASSES = dt.timedelta(days=90)
# Deleted so many at a time, so that nobody who writes has to wait for long.
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Chore:
    key: str
    # For a person: what goes, and after how long.
    words: str
    do: Callable[[dt.datetime], int]


def in_batches(rows: QuerySet) -> int:
    total = 0
    while pks := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        total += rows.model._base_manager.filter(pk__in=pks).delete()[1].get(rows.model._meta.label, 0)
    return total


def _receipts(now: dt.datetime) -> int:
    return in_batches(Receipt.objects.filter(at__lt=now - RECEIPTS))


def _job_files(now: dt.datetime) -> int:
    return shelf.clear(Job.objects.exclude(state__in=OPEN).filter(finished_at__lt=now - JOB_FILES))


def _jobs(now: dt.datetime) -> int:
    return in_batches(Job.objects.exclude(state__in=OPEN).filter(finished_at__lt=now - JOBS))


def _strays(now: dt.datetime) -> int:
    parts = [path for path in Path(settings.BACKUPS).glob("*.part") if path.stat().st_mtime < time.time() - 86400]
    for path in parts:
        path.unlink(missing_ok=True)
    return len(parts) + shelf.clear_strays(now)


def _passes(now: dt.datetime) -> int:
    return in_batches(Pass.objects.filter(Q(expires_at__lt=now - PASSES) | Q(revoked_at__lt=now - PASSES)))


def _log_ins(now: dt.datetime) -> int:
    return in_batches(LogIn.objects.stale()) + in_batches(Session.objects.filter(expire_date__lt=now))


def _sheets(now: dt.datetime) -> int:
    return sheets.forget_old(now)


CHORES = (
    Chore("receipts", f"Receipts of taps, after {RECEIPTS.days} days", _receipts),
    Chore("job_files", f"Files that jobs made, after {JOB_FILES.days} days", _job_files),
    Chore("jobs", f"Finished jobs, after {JOBS.days} days", _jobs),
    Chore("strays", "Half-made files of work that was cut short", _strays),
    Chore("passes", f"Passes, {PASSES.days} days after they ran out or were taken back", _passes),
    Chore("log_ins", "Log-ins that have run out", _log_ins),
    Chore("sheets", f"Score sheets beside printed cards, {SHEET_LASTS.days} days after the last entry", _sheets),
)


def tidy(progress: Progress = silent, now: dt.datetime | None = None) -> dict[str, int]:
    """How much each chore took away."""
    now = now or timezone.now()
    taken = {}
    for number, chore in enumerate(CHORES):
        progress(chore.words, number, len(CHORES))
        taken[chore.key] = chore.do(now)
    progress("Done", len(CHORES), len(CHORES))
    return taken
