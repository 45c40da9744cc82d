"""Kinds of work for the tests, and a way to have them done here and now."""

from __future__ import annotations

import pytest

from jobs import child, kinds, post, runner
from tests.jobs import works

SHORT = {"spins": {"seconds": 1}, "eats": {"megabytes": 48}}


@pytest.fixture(autouse=True)
def known_kinds(monkeypatch):
    """Every function of works.py is a kind of that name."""
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
        assert hasattr(works, name)
        kind = kinds.Kind(name, name.capitalize(), work=f"tests.jobs.works:{name}", **SHORT.get(name, {}))
        monkeypatch.setitem(kinds.KIND, name, kind)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture(autouse=True)
def going_on():
    """A site that was stopped stays stopped; the next test is another site."""
    runner.stopping.clear()


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """The messages that went out, instead of a broker."""
    messages: list[int] = []
    monkeypatch.setattr(post, "send", lambda job_id: messages.append(job_id) or True)
    return messages


@pytest.fixture
def do(transactional_db):
    """Do a job as a worker would, in this thread; gives the row afterwards."""

    def do(job):
        runner.look_at(job.pk)
        job.refresh_from_db()
        return job

    return do


@pytest.fixture(scope="session", autouse=True)
def close_nursery():
    yield
    child.close_nursery()
