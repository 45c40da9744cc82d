"""Clean-up: delete what has expired, every night and with manage.py tidy."""

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils import timezone

from cardgames.companion import services as companion_services
from cardgames.companion.models import SHEET_LASTS
from jobs import files as jobs_files
from jobs.models import OPEN, Job
from jobs.registry import Progress
from log.models import Receipt
from ops.backup import no_progress
from people.models import ApiAnswer, ApiToken, LogIn, Pass
from photos import services as photos_services

# For this long, a tap stored on an offline phone still gets the same answer.
RECEIPTS = dt.timedelta(days=90)
API_ANSWERS = dt.timedelta(days=1)
JOB_FILES = dt.timedelta(days=30)
JOBS = dt.timedelta(days=180)
# Long enough to see in the list that a pass has run out, and why a link no longer opens.
PASSES = dt.timedelta(days=90)
# Deleted so many at a time, so that nobody who writes has to wait for long.
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class CleanupTask:
    key: str
    # For a person: what goes, and after how long.
    words: str
    do: Callable[[dt.datetime], int]


def delete_in_batches(rows: QuerySet) -> int:
    total = 0
    while pks := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        total += rows.model._base_manager.filter(pk__in=pks).delete()[1].get(rows.model._meta.label, 0)
    return total


def _delete_receipts(now: dt.datetime) -> int:
    answers = delete_in_batches(ApiAnswer.objects.filter(made_at__lt=now - API_ANSWERS))
    return answers + delete_in_batches(Receipt.objects.filter(at__lt=now - RECEIPTS))


def _delete_job_files(now: dt.datetime) -> int:
    return jobs_files.delete_files_of(Job.objects.exclude(state__in=OPEN).filter(finished_at__lt=now - JOB_FILES))


def _delete_jobs(now: dt.datetime) -> int:
    return delete_in_batches(Job.objects.exclude(state__in=OPEN).filter(finished_at__lt=now - JOBS))


def _delete_stray_files(now: dt.datetime) -> int:
    parts = [path for path in Path(settings.BACKUPS).glob("*.part") if path.stat().st_mtime < time.time() - 86400]
    for path in parts:
        path.unlink(missing_ok=True)
    return len(parts) + jobs_files.delete_stray_files(now) + photos_services.delete_stray_photos(now)


def _delete_passes(now: dt.datetime) -> int:
    return delete_in_batches(Pass.objects.filter(Q(expires_at__lt=now - PASSES) | Q(revoked_at__lt=now - PASSES)))


def _delete_log_ins(now: dt.datetime) -> int:
    sessions = delete_in_batches(Session.objects.filter(expire_date__lt=now))
    return delete_in_batches(LogIn.objects.stale()) + delete_in_batches(ApiToken.objects.stale()) + sessions


CHORES = (
    CleanupTask("receipts", f"Receipts of taps, after {RECEIPTS.days} days", _delete_receipts),
    CleanupTask("job_files", f"Prints, exports and other job files, after {JOB_FILES.days} days", _delete_job_files),
    CleanupTask("jobs", f"Finished jobs, after {JOBS.days} days", _delete_jobs),
    CleanupTask("strays", "Unfinished files of interrupted jobs, photos of what no longer exists", _delete_stray_files),
    CleanupTask("passes", f"Passes, {PASSES.days} days after they expired or were revoked", _delete_passes),
    CleanupTask("log_ins", "Expired log-ins", _delete_log_ins),
    CleanupTask(
        "sheets",
        f"Score sheets for printed cards, {SHEET_LASTS.days} days after the last entry",
        companion_services.delete_old_sheets,
    ),
)


def clean_up(progress: Progress = no_progress, now: dt.datetime | None = None) -> dict[str, int]:
    """Run every clean-up task. Returns how much each deleted."""
    now = now or timezone.now()
    taken = {}
    for number, chore in enumerate(CHORES):
        progress(chore.words, number, len(CHORES))
        taken[chore.key] = chore.do(now)
    progress("Done", len(CHORES), len(CHORES))
    return taken
