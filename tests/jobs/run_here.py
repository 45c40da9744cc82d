"""Run a job's task in the test's own process, because a worker does not see the test's database."""

from __future__ import annotations

from jobs.models import Job
from jobs.tasks import task_of


def run_here(job: Job) -> Job:
    assert job.its_kind is not None
    task_of(job.its_kind).apply(kwargs={"person": "", "job": job.token})
    job.refresh_from_db()
    return job
