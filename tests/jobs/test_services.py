"""Requesting, cancelling and retrying jobs."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import transaction

from jobs import registry as jobs_registry, services as jobs_services, turns_and_leases
from jobs.models import Job, State
from jobs.tasks import task_of
from refusal import Refusal
from tests.jobs.sample_jobs import KINDS


def test_requested_job_is_saved_and_sent_after_the_commit(transactional_db, player, sent):
    with transaction.atomic():
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, player)
        assert sent == []
    assert sent == [job.pk]
    assert (job.state, job.owner, job.args) == (State.QUEUED, player, {"a": 1, "b": 2})


def test_unreachable_broker_loses_no_job(transactional_db, player, monkeypatch, caplog):
    monkeypatch.undo()  # really send
    monkeypatch.setattr(turns_and_leases, "_quiet_until", 0.0)
    [kind] = [kind for kind in KINDS if kind.name == "adds"]
    monkeypatch.setitem(jobs_services.KIND, "adds", kind)
    monkeypatch.setattr(task_of(kind), "apply_async", _away)
    job = jobs_services.request_job("adds", {"a": 1, "b": 2}, player)
    assert "could not be sent (nobody there)" in caplog.text
    assert Job.objects.get(pk=job.pk).state == State.QUEUED
    assert Job.objects.get(pk=job.pk).sent_at is None


def _away(*args, **kwargs):
    raise ConnectionError("nobody there")


def test_unregistered_kind_is_a_programming_error(db):
    with pytest.raises(KeyError):
        jobs_services.request_job("juggles", {}, None)


def test_one_person_cannot_fill_the_queue(db, player, other_player):
    for number in range(jobs_services.MAX_OPEN):
        jobs_services.request_job("adds", {"a": number, "b": 0}, player)
    with pytest.raises(Refusal) as refused:
        jobs_services.request_job("adds", {"a": 1, "b": 1}, player)
    assert refused.value.status == 429
    assert jobs_services.request_job("adds", {"a": 1, "b": 1}, other_player).state == State.QUEUED


class TestDuplicateRequests:
    def test_pressing_twice_makes_one_job(self, db, player):
        first = jobs_services.request_job("adds", {}, player, key="content-1")
        assert jobs_services.request_job("adds", {}, player, key="content-1") == first
        assert jobs_services.request_job("adds", {}, player, key="content-2") != first

    def test_request_without_a_person_is_deduplicated_too(self, db):
        assert jobs_services.request_job("adds", {}, None, key="night") == jobs_services.request_job(
            "adds", {}, None, key="night"
        )

    def test_simultaneous_presses_are_caught_by_the_database(self, db, player, monkeypatch):
        first = jobs_services.request_job("adds", {}, player, key="content-1")
        # The second press reads the database before the first has written to it.
        monkeypatch.setattr(jobs_services, "_find_earlier", lambda *args: None)
        assert jobs_services.request_job("adds", {}, player, key="content-1") == first
        assert Job.objects.count() == 1

    def test_finished_file_is_reused_while_it_exists(self, do, player, other_player):
        done = do(jobs_services.request_job("writes", {"text": "Oakhold"}, player, key="content-1"))
        assert jobs_services.request_job("writes", {"text": "Oakhold"}, player, key="content-1") == done
        handed_over = jobs_services.request_job("writes", {"text": "Oakhold"}, other_player, key="content-1")
        assert (handed_over.owner, handed_over.state, handed_over.path) == (other_player, State.DONE, done.path)
        done.path.unlink()
        again = jobs_services.request_job("writes", {"text": "Oakhold"}, player, key="content-1")
        assert (again.state, again.pk > handed_over.pk) == (State.QUEUED, True)


class TestCancelling:
    def test_cancelled_waiting_job_never_starts(self, do, player):
        job = jobs_services.cancel_job(jobs_services.request_job("adds", {"a": 1, "b": 2}, player))
        assert do(job).state == State.CANCELLED
        assert jobs_services.cancel_job(job).state == State.CANCELLED

    def test_finished_job_cannot_be_cancelled(self, do, player):
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, player))
        with pytest.raises(Refusal) as refused:
            jobs_services.cancel_job(job)
        assert refused.value.status == 409
        assert Job.objects.get(pk=job.pk).state == State.DONE


class TestRetrying:
    def test_failed_job_starts_afresh(self, do, player, sent):
        job = do(jobs_services.request_job("refuses", {}, player))
        assert job.state == State.FAILED
        sent.clear()
        jobs_services.retry_job(job)
        assert (job.state, job.error, job.attempts, job.finished_at) == (State.QUEUED, "", 0, None)
        assert sent == [job.pk]
        jobs_services.retry_job(job)
        assert sent == [job.pk]

    def test_finished_job_is_not_repeated(self, do, player):
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, player))
        with pytest.raises(Refusal) as refused:
            jobs_services.retry_job(job)
        assert refused.value.status == 409

    def test_no_retry_while_the_same_work_is_waiting(self, db, player):
        old = jobs_services.cancel_job(jobs_services.request_job("adds", {}, player, key="content-1"))
        jobs_services.request_job("adds", {}, player, key="content-1")
        with pytest.raises(Refusal):
            jobs_services.retry_job(old)


def test_every_registered_kind_names_a_function_that_exists():
    """A job's function is named by a string, so renaming tools miss it."""
    for kind in jobs_registry.KIND.values():
        module, function = kind.work.split(":")
        assert callable(getattr(import_module(module), function)), kind.work


def test_every_kind_has_a_task_of_its_own_name():
    names = [kind.task for kind in jobs_registry.KIND.values()]
    assert len(set(names)) == len(names)
    assert {"printing.render", "gamenights.count_standings", "photos.draw", "ops.back_up"} <= set(names)
    for kind in jobs_registry.KIND.values():
        task = task_of(kind)
        assert (task.name, task.soft_time_limit) == (kind.task, kind.seconds)
        assert task.acks_late
