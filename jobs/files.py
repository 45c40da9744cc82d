"""The files that jobs made: kept below MEDIA_ROOT/jobs, one folder per attempt that won."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from jobs.models import Job, JobQuerySet


def folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "jobs"


def clear(jobs: JobQuerySet) -> int:
    """Take away the files of these jobs; the rows stay as history. How many files that were."""
    files = list(jobs.exclude(file="").values_list("file", flat=True))
    jobs.exclude(file="").update(file="")
    return drop(files)


def drop(files: Iterable[str]) -> int:
    """Take away files whose rows are gone, except where another row hands out the same one."""
    dropped = 0
    for file in set(files):
        if not Job.objects.filter(file=file).exists():
            shutil.rmtree(_folder_of(file), ignore_errors=True)
            dropped += 1
    return dropped


def clear_strays(now: dt.datetime | None = None) -> int:
    """Take away folders no row names: left behind by attempts that were killed with their whole process."""
    if not folder().is_dir():
        return 0
    before = ((now or timezone.now()) - dt.timedelta(hours=1)).timestamp()
    named = {Path(file).parts[1] for file in Job.objects.exclude(file="").values_list("file", flat=True)}
    named |= {f"{pk}-{token}" for pk, token in Job.objects.open().values_list("pk", "lease_token")}
    strays = [path for path in folder().iterdir() if path.name not in named and path.stat().st_mtime < before]
    for path in strays:
        shutil.rmtree(path, ignore_errors=True)
    return len(strays)


def _folder_of(file: str) -> Path:
    """jobs/17-5f0c/sheet.pdf → …/jobs/17-5f0c"""
    return folder() / Path(file).parts[1]
