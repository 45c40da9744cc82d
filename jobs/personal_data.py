"""A person's jobs: part of "my data", deleted by "forget me"."""

from __future__ import annotations

from django.db import transaction

from jobs import file_cleanup as jobs_files
from jobs.models import Job
from people import privacy


def register() -> None:
    privacy.register_part("jobs", _mine)
    privacy.register_hook(_forget)


def _mine(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Job.objects.filter(owner__in=ids).order_by("pk")
    return list(rows.values("kind", "args", "state", "created_at", "finished_at", "result", "saved_as"))


def _forget(ids: tuple[int, ...]) -> None:
    """Delete the rows at once; running jobs lose their row and stop; delete the files after the commit."""
    pks = list(Job.objects.filter(owner__in=ids).values_list("pk", flat=True))
    files = list(Job.objects.filter(pk__in=pks).exclude(file="").values_list("file", flat=True))
    Job.objects.filter(pk__in=pks).delete()
    transaction.on_commit(lambda: jobs_files.delete_files(files))
