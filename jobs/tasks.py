"""The Celery tasks: look at a job's row, and show that a worker is there."""

from __future__ import annotations

from celery import shared_task

from jobs import worker_watch
from jobs.execution import runner


@shared_task(name="jobs.look_at")
def look_at(job_id: int) -> None:
    runner.run_if_waiting(job_id)


@shared_task(name="jobs.note_worker")
def note_worker() -> None:
    worker_watch.note_seen()
