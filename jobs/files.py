"""The files that jobs made, below MEDIA_ROOT/jobs: one folder per job."""

import datetime as dt
import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.http import FileResponse
from django.utils import timezone

from jobs.models import Job, JobQuerySet


def jobs_folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "jobs"


def delete_files_of(jobs: JobQuerySet) -> int:
    """Delete the files of these jobs; the rows stay as history. Returns the number of files."""
    files = list(jobs.exclude(file="").values_list("file", flat=True))
    jobs.exclude(file="").update(file="")
    return delete_files(files)


def delete_files(files: Iterable[str]) -> int:
    """Delete files whose rows are gone, unless another row still serves the same file."""
    dropped = 0
    for file in set(files):
        if not Job.objects.filter(file=file).exists():
            shutil.rmtree(_folder_of(file), ignore_errors=True)
            dropped += 1
    return dropped


def delete_stray_files(now: dt.datetime | None = None) -> int:
    """Delete folders that no row names, left behind by killed attempts."""
    if not jobs_folder().is_dir():
        return 0
    before = ((now or timezone.now()) - dt.timedelta(hours=1)).timestamp()
    named = {Path(file).parts[1] for file in Job.objects.exclude(file="").values_list("file", flat=True)}
    named |= {f"{pk}-{token}" for pk, token in Job.objects.open().values_list("pk", "lease_token")}
    strays = [path for path in jobs_folder().iterdir() if path.name not in named and path.stat().st_mtime < before]
    for path in strays:
        shutil.rmtree(path, ignore_errors=True)
    return len(strays)


def _folder_of(file: str) -> Path:
    """jobs/17-5f0c/sheet.pdf → …/jobs/17-5f0c"""
    return jobs_folder() / Path(file).parts[1]


# ── Serving one. The caller has checked who asks ───────────────────────────────────────────────────────


def file_response(path: Path, saved_as: str) -> FileResponse:
    """The file as a download, never inline: what a job made is not a page of this site."""
    response = FileResponse(path.open("rb"), as_attachment=True, filename=saved_as)
    response["Cache-Control"] = "private, no-store"
    return response
