"""Job kinds for the tests, and a way to run them in this process."""

from __future__ import annotations

import pytest

from jobs import registry as jobs_registry
from jobs.execution import child_handle, dispatch, runner
from tests.jobs import sample_jobs

SHORT = {"spins": {"seconds": 1}, "eats": {"megabytes": 48}}


@pytest.fixture(autouse=True)
def known_kinds(monkeypatch):
    """Every function of sample_jobs.py is a job kind of that name."""
    for name in (
        "adds",
        "writes",
        "counts",
        "spins",
        "refuses",
        "breaks",
        "kills_itself",
        "always_dies",
        "eats",
        "has_a_helper",
    ):
        assert hasattr(sample_jobs, name)
        kind = jobs_registry.JobKind(
            name, name.capitalize(), work=f"tests.jobs.sample_jobs:{name}", **SHORT.get(name, {})
        )
        monkeypatch.setitem(jobs_registry.KIND, name, kind)


@pytest.fixture(autouse=True)
def temporary_media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture(autouse=True)
def running_site():
    """A stopped site stays stopped, so each test starts as a new site."""
    runner.stopping.clear()


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """The messages that were sent; there is no broker."""
    messages: list[int] = []
    monkeypatch.setattr(dispatch, "send_message", lambda job_id: messages.append(job_id) or True)
    return messages


@pytest.fixture
def do(transactional_db):
    """Run a job as a worker would, in this thread, and return its row."""

    def do(job):
        runner.run_if_waiting(job.pk)
        job.refresh_from_db()
        return job

    return do


@pytest.fixture(scope="session", autouse=True)
def stop_fork_server_after_tests():
    yield
    child_handle.stop_fork_server()
