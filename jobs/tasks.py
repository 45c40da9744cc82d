"""What a Celery message can ask for: to look at a row."""

from __future__ import annotations

from celery import shared_task

from jobs import runner


@shared_task(name="jobs.look_at")
def look_at(job_id: int) -> None:
    runner.look_at(job_id)
