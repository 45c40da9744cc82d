"""The timers and the worker as threads of one process, with a real broker in memory."""

from __future__ import annotations

import threading
import time

import pytest

from jobs import services as jobs_services
from jobs.execution import embedded_worker
from jobs.models import Job, State
from tests.services import slowdown

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def sent():
    """In this module messages are really sent."""


def until_done(job: Job, seconds: float = 60) -> Job:
    end = time.monotonic() + seconds
    while job.state != State.DONE and time.monotonic() < end:
        time.sleep(0.02)
        job.refresh_from_db()
    return job


def ours() -> set[str]:
    return {thread.name for thread in threading.enumerate()} & {"clock", "jobs"}


def test_embedded_worker_recovers_from_a_crash_and_stops(monkeypatch):
    falls = iter([True])
    real = embedded_worker.WorkController

    def controller(**kwargs):
        if next(falls, False):
            raise RuntimeError("a fall")
        return real(**kwargs)

    monkeypatch.setattr(embedded_worker, "WorkController", controller)
    assert ours() == set()
    embedded_worker.start()
    try:
        assert ours() == {"clock", "jobs"}
        # The first worker crashes; another replaces it and does the job.
        assert until_done(jobs_services.request_job("adds", {"a": 1, "b": 2}, None)).result == {"sum": 3}
        # The sweeper finds a row that was never sent.
        assert until_done(Job.objects.create(kind="adds", args={"a": 2, "b": 2})).result == {"sum": 4}
    finally:
        begun = time.monotonic()
        embedded_worker.stop(10 * slowdown())
    assert time.monotonic() - begun < 8 * slowdown()  # half a second where nothing else runs
    assert ours() == set()

    embedded_worker.start()
    try:
        assert until_done(jobs_services.request_job("adds", {"a": 3, "b": 3}, None)).result == {"sum": 6}
    finally:
        embedded_worker.stop(10)
    assert ours() == set()
