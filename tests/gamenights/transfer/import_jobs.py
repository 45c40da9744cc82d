"""Run the jobs of a file of plays as a worker does, without its processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from gamenights.models import PlaysUpload
from gamenights.transfer import services
from gamenights.transfer.core import PlaysFile
from groups.models import Group
from jobs.models import Job
from jobs.registry import KIND, JobContext
from people.models import Person
from refusal import Refusal


def run_check(job: Job) -> None:
    _run(job, services.check_upload)


def run_import(job: Job, progress: Any = lambda *_: None) -> Job:
    _run(job, services.run_import, progress)
    return job


def _run(job: Job, work: Any, progress: Any = lambda *_: None) -> None:
    try:
        outcome = work(JobContext(job.args, progress, Path()))
    except Refusal as refusal:
        Job.objects.filter(pk=job.pk).update(state="failed", error=refusal.sentence)
        job.refresh_from_db()
        return
    with transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state="done", result=dict(outcome.facts))
        job.refresh_from_db()
        landed = KIND[job.kind].landed
        assert landed is not None
        landed(job)


def import_file(group: Group, person: Person, file: PlaysFile, **answers: str) -> dict[str, int]:
    """Import a file that was read already."""
    job = Job.objects.create(kind=services.IMPORT_JOB, owner=person)
    PlaysUpload.objects.filter(group=group, person=person).delete()
    row = PlaysUpload.objects.create(group=group, person=person, name="plays.json", digest="d", import_job=job)
    try:
        return services.import_file(row, file, answers, lambda *_: None)
    finally:
        row.delete()
        Job.objects.filter(pk=job.pk).update(state="done")
