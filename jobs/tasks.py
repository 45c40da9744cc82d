"""The one Celery task: look at a job's row."""

from __future__ import annotations

from celery import shared_task

from jobs.execution import runner


@shared_task(name="jobs.look_at")
def look_at(job_id: int) -> None:
    runner.run_if_waiting(job_id)
