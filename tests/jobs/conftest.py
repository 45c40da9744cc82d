"""Job kinds for the tests, and a way to run them in this process."""

from __future__ import annotations

import pytest

from jobs import registry as jobs_registry, turns_and_leases
from jobs.models import Job
from tests.jobs.run_here import run_here
from tests.jobs.sample_jobs import KINDS


@pytest.fixture(autouse=True)
def known_kinds(monkeypatch):
    for kind in KINDS:
        monkeypatch.setitem(jobs_registry.KIND, kind.name, kind)


@pytest.fixture(autouse=True)
def temporary_media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """The jobs that were sent; there is no worker."""
    messages: list[int] = []

    def send(task, queue, *, person: str, job: str) -> bool:
        row = Job.objects.get(token=job)
        assert (task.name, queue) == (row.its_kind.task, row.its_kind.queue)
        assert person == (row.owner.code if row.owner else "site")
        messages.append(row.pk)
        return True

    monkeypatch.setattr(turns_and_leases, "send", send)
    return messages


@pytest.fixture
def do(transactional_db):
    """Run a job as a worker would, in this thread, and return its row."""
    return run_here
