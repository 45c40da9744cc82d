"""One job as a task, in this process: how it ends, that it ends once, and when it is sent."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.utils import timezone

from jobs import registry as jobs_registry, services as jobs_services, tasks, turns_and_leases
from jobs.models import Job, State
from refusal import Refusal


def test_job_finishes_and_reports_progress(do):
    job = do(jobs_services.request_job("adds", {"a": 2, "b": 3}, None))
    assert (job.state, job.result, job.error) == (State.DONE, {"sum": 5}, "")
    assert (job.stage, job.done, job.total, job.attempts) == ("Adding", 1, 1, 1)
    assert job.started_at <= job.finished_at
    assert (job.lease_token, job.lease_until) == ("", None)


def test_file_is_stored_in_the_media_folder(do, settings):
    job = do(jobs_services.request_job("writes", {"text": "Réservé 🧀"}, None))
    assert job.path.read_text() == "Réservé 🧀"
    assert job.path.is_relative_to(settings.MEDIA_ROOT)
    assert job.saved_as == "Muster of Oakhold.txt"


def test_refused_job_shows_the_reason(do):
    job = do(jobs_services.request_job("refuses", {}, None))
    assert (job.state, job.error) == (State.FAILED, "The deck has no queen.")


def test_celery_sees_the_failure_too(transactional_db):
    job = jobs_services.request_job("refuses", {}, None)
    result = tasks.task_of(jobs_registry.KIND["refuses"]).apply(kwargs={"person": "site", "job": job.token})
    assert (result.state, str(result.result)) == ("FAILURE", "The deck has no queen.")


def test_bug_shows_a_sentence_and_logs_a_traceback(do, caplog, settings):
    job = do(jobs_services.request_job("breaks", {}, None))
    assert job.state == State.FAILED
    assert "log" in job.error
    assert "RuntimeError" not in job.error
    assert "RuntimeError: a bug" in caplog.text
    assert not list((settings.MEDIA_ROOT / "jobs").iterdir())


def test_lost_database_is_tried_again(do):
    """With Celery's own back-off, and as often as the kind allows."""
    job = do(jobs_services.request_job("loses_the_database", {}, None))
    assert (job.state, job.attempts) == (State.FAILED, 2)
    assert "interrupted 2 times" in job.error


class TestLeases:
    @pytest.fixture
    def job(self, transactional_db):
        return jobs_services.request_job("adds", {"a": 1, "b": 2}, None)

    def test_row_is_taken_once(self, job):
        assert turns_and_leases.take_lease(job.token) is not None
        assert turns_and_leases.take_lease(job.token) is None

    def test_expired_lease_is_taken_over_and_its_old_holder_writes_nothing(self, job):
        slow = turns_and_leases.take_lease(job.token)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
        quick = turns_and_leases.take_lease(job.token)
        assert quick.end(state=State.DONE, result={"by": "quick"})
        assert not slow.end(state=State.DONE, result={"by": "slow"})
        assert not quick.end(state=State.DONE, result={"by": "quick, twice"})
        job.refresh_from_db()
        assert (job.result, job.attempts) == ({"by": "quick"}, 2)

    def test_landing_shares_the_transaction_that_ends_the_job(self, do, monkeypatch):
        landed = []

        def land(job: Job) -> None:
            assert connection.in_atomic_block
            landed.append((job.state, job.result))

        self.land_with(monkeypatch, land)
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, None))
        assert landed == [(State.DONE, {"sum": 3})]
        assert job.state == State.DONE

    def test_refused_landing_fails_the_job(self, do, monkeypatch):
        def land(job: Job) -> None:
            Job.objects.create(kind="adds", state=State.DONE)
            raise Refusal("The kingdom is gone.")

        self.land_with(monkeypatch, land)
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, None))
        assert (job.state, job.error) == (State.FAILED, "The kingdom is gone.")
        assert Job.objects.count() == 1

    def test_broken_landing_says_that_the_result_is_not_saved(self, do, monkeypatch):
        def land(job: Job) -> None:
            raise RuntimeError("a bug")

        self.land_with(monkeypatch, land)
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, None))
        assert (job.state, "could not be saved" in job.error) == (State.FAILED, True)

    def land_with(self, monkeypatch, land) -> None:
        kind = jobs_registry.JobKind("adds", "Add", "tests.adds", "tests.jobs.sample_jobs:adds", landed=land)
        monkeypatch.setitem(jobs_registry.KIND, "adds", kind)

    def test_expired_lease_of_the_last_attempt_fails_the_job(self, do, job):
        Job.objects.filter(pk=job.pk).update(
            state=State.RUNNING, attempts=3, lease_token="x", lease_until=timezone.now() - dt.timedelta(seconds=1)
        )
        assert (do(job).state, "interrupted" in job.error) == (State.FAILED, True)

    def test_stopping_worker_puts_its_jobs_back_without_counting_the_attempt(self, job):
        others = Job.objects.create(kind="adds", state=State.RUNNING, attempts=1, lease_token="another worker's")
        assert turns_and_leases.take_lease(job.token)
        assert turns_and_leases.put_back_all() == 1
        job.refresh_from_db()
        assert (job.state, job.attempts, job.sent_at) == (State.QUEUED, 0, None)
        others.refresh_from_db()
        assert others.state == State.RUNNING


class TestLostProcess:
    """What is written for a process that could not."""

    def lose(self, job: Job, limit: str = "") -> Job:
        assert turns_and_leases.take_lease(job.token, "0123456789")
        tasks.end_lost(person="site", job=job.token, prefix=turns_and_leases.token_prefix("0123456789"), limit=limit)
        job.refresh_from_db()
        return job

    @pytest.fixture
    def job(self, transactional_db):
        return jobs_services.request_job("adds", {}, None)

    def test_it_is_sent_again_until_it_was_interrupted_too_often(self, job, sent):
        for state in (State.QUEUED, State.QUEUED, State.FAILED):
            assert self.lose(job).state == state
        assert "interrupted 3 times" in job.error
        assert sent == [job.pk] * 3

    def test_killed_over_a_limit(self, job):
        assert "longer than 5 minutes" in self.lose(job, "time").error
        assert (job.state, job.attempts) == (State.FAILED, 1)

    def test_attempt_of_another_process_goes_on(self, job):
        """Celery waits a moment before it gives a process up."""
        assert turns_and_leases.take_lease(job.token, "9876543210")
        tasks.end_lost(person="site", job=job.token, prefix=turns_and_leases.token_prefix("0123456789"), limit="")
        job.refresh_from_db()
        assert (job.state, job.attempts) == (State.RUNNING, 1)


class TestSweep:
    @pytest.fixture
    def job(self, transactional_db, sent):
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, None)
        sent.clear()
        return job

    def sweep(self, job: Job, **values) -> None:
        Job.objects.filter(pk=job.pk).update(**values)
        turns_and_leases.sweep()

    def ago(self, seconds: float) -> dt.datetime:
        return timezone.now() - dt.timedelta(seconds=seconds)

    def test_recently_sent_job_is_left_alone(self, job, sent):
        self.sweep(job, sent_at=self.ago(0))
        assert sent == []

    def test_job_waiting_too_long_is_sent_again_but_not_on_every_sweep(self, job, sent):
        self.sweep(job, sent_at=self.ago(6))
        turns_and_leases.sweep()
        assert sent == [job.pk]

    def test_message_may_wait_longer_while_workers_are_busy(self, job, sent):
        until = timezone.now() + dt.timedelta(seconds=5)
        Job.objects.create(kind="counts", state=State.RUNNING, lease_token="x", lease_until=until)
        self.sweep(job, sent_at=self.ago(30))
        assert sent == []
        self.sweep(job, sent_at=self.ago(61))
        assert sent == [job.pk]

    def test_job_never_sent_is_sent(self, job, sent):
        self.sweep(job, sent_at=None)
        assert sent == [job.pk]

    def test_only_jobs_with_an_expired_lease_are_sent_again(self, job, sent):
        self.sweep(
            job,
            state=State.RUNNING,
            lease_token="x",
            lease_until=self.ago(-5),
            sent_at=self.ago(9),
            started_at=self.ago(8),
        )
        assert sent == []
        # Also if its worker died right after it was sent.
        self.sweep(job, lease_until=self.ago(1), sent_at=self.ago(3), started_at=self.ago(2))
        assert sent == [job.pk]

    def test_unknown_kinds_are_left_alone(self, job, sent):
        self.sweep(job, kind="juggles", sent_at=None)
        assert sent == []
