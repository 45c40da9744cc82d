"""The clock and the worker as threads of one process, with a real broker in memory."""

from __future__ import annotations

import threading
import time

import pytest

from jobs import desk, embedded
from jobs.models import Job, State

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def sent():
    """Here messages really go out."""


def until_done(job: Job, seconds: float = 60) -> Job:
    end = time.monotonic() + seconds
    while job.state != State.DONE and time.monotonic() < end:
        time.sleep(0.02)
        job.refresh_from_db()
    return job


def ours() -> set[str]:
    return {thread.name for thread in threading.enumerate()} & {"clock", "jobs"}


@pytest.mark.clock
def test_it_works_falls_works_on_and_ends(monkeypatch):
    falls = iter([True])
    real = embedded.WorkController

    def controller(**kwargs):
        if next(falls, False):
            raise RuntimeError("a fall")
        return real(**kwargs)

    monkeypatch.setattr(embedded, "WorkController", controller)
    assert ours() == set()
    embedded.start()
    try:
        assert ours() == {"clock", "jobs"}
        # The first worker falls; another takes its place and does what is asked for.
        assert until_done(desk.ask("adds", {"a": 1, "b": 2}, None)).result == {"sum": 3}
        # A row nobody was told of is swept up.
        assert until_done(Job.objects.create(kind="adds", args={"a": 2, "b": 2})).result == {"sum": 4}
    finally:
        begun = time.monotonic()
        embedded.stop(10)
    assert time.monotonic() - begun < 8  # half a second where nothing else runs
    assert ours() == set()

    embedded.start()
    try:
        assert until_done(desk.ask("adds", {"a": 3, "b": 3}, None)).result == {"sum": 6}
    finally:
        embedded.stop(10)
    assert ours() == set()
