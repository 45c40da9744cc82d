"""One job in its own process: how it ends, and that it ends once."""

from __future__ import annotations

import datetime as dt
import os
import signal
import threading
import time

import pytest
from django.db import connection
from django.utils import timezone

from jobs import registry as jobs_registry
from jobs import services as jobs_services
from jobs.execution import child_handle, runner, sweeper
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


def test_bug_shows_a_sentence_and_logs_a_traceback(do, caplog):
    job = do(jobs_services.request_job("breaks", {}, None))
    assert job.state == State.FAILED
    assert "log" in job.error
    assert "RuntimeError" not in job.error
    assert "RuntimeError: a bug" in caplog.text
    assert not runner.folder_of(job.pk, job.lease_token).exists()


@pytest.mark.clock
def test_job_over_its_time_limit_is_stopped(do):
    started = time.monotonic()
    job = do(jobs_services.request_job("spins", {}, None))
    assert 1 <= time.monotonic() - started < 4
    assert (job.state, job.error) == (State.FAILED, "The job took longer than 1 second and was stopped.")


def test_job_over_its_memory_limit_is_stopped(do):
    job = do(jobs_services.request_job("eats", {}, None))
    assert job.state == State.FAILED
    assert "48 MB" in job.error
    assert job.done < 10  # eight megabytes each


def test_watcher_catches_memory_that_the_process_limit_misses(monkeypatch, do):
    monkeypatch.setattr("jobs.execution.child_handle.ChildProcess.is_too_big", lambda self: self.pid is not None)
    job = do(jobs_services.request_job("counts", {"to": 100, "diary": os.devnull}, None))
    assert (job.state, "MB" in job.error) == (State.FAILED, True)


def test_killed_process_is_replaced(do, tmp_path, sent):
    job = do(jobs_services.request_job("kills_itself", {"mark": str(tmp_path / "mark")}, None))
    assert (job.state, job.result, job.attempts) == (State.DONE, {"survived": True}, 2)


def test_job_whose_process_always_dies_fails(do):
    job = do(jobs_services.request_job("always_dies", {}, None))
    assert (job.state, job.attempts) == (State.FAILED, 3)
    assert "3 times" in job.error


def test_killed_fork_server_is_restarted(do):
    do(jobs_services.request_job("adds", {"a": 1, "b": 1}, None))
    child_handle._process.kill()
    child_handle._process.wait()
    assert do(jobs_services.request_job("adds", {"a": 2, "b": 2}, None)).result == {"sum": 4}


class RunningJob:
    """A job running in another thread, as if by a worker."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.thread = threading.Thread(target=self._do)
        self.thread.start()

    def _do(self) -> None:
        try:
            runner.run_if_waiting(self.job.pk)
        finally:
            connection.close()

    def until(self, condition, seconds: float = 5) -> Job:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.job.refresh_from_db()
            if condition(self.job):
                return self.job
            time.sleep(0.02)
        raise AssertionError(f"{self.job} is {self.job.state} at {self.job.stage} {self.job.done}")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.clock
def test_cancelling_ends_the_process_and_its_children_within_a_second(transactional_db, tmp_path):
    mark = tmp_path / "mark"
    running = RunningJob(jobs_services.request_job("has_a_helper", {"mark": str(mark)}, None))
    running.until(lambda job: mark.exists() and mark.read_text())
    helper = int(mark.read_text())
    assert alive(helper)
    at = time.monotonic()
    jobs_services.cancel_job(running.job)
    running.thread.join(5)
    assert time.monotonic() - at < 1.2
    time.sleep(0.05)
    assert not alive(helper)
    assert Job.objects.get(pk=running.job.pk).state == State.CANCELLED


def test_job_of_a_process_killed_midway_is_done_once_by_another(transactional_db, tmp_path):
    diary = tmp_path / "diary"
    running = RunningJob(jobs_services.request_job("counts", {"to": 20, "pace": 0.02, "diary": str(diary)}, None))
    running.until(lambda job: diary.exists() and diary.read_text())
    os.kill(int(diary.read_text().split()[1]), signal.SIGKILL)
    running.thread.join(10)
    job = Job.objects.get(pk=running.job.pk)
    assert (job.state, job.result, job.attempts) == (State.DONE, {"counted": 20}, 2)
    assert [line.split()[0] for line in diary.read_text().splitlines()] == ["begin", "begin", "end"]


def test_running_job_shows_progress_and_renews_its_lease(transactional_db, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "LEASE", 0.9)
    running = RunningJob(
        jobs_services.request_job("counts", {"to": 60, "pace": 0.03, "diary": str(tmp_path / "diary")}, None)
    )
    first = running.until(lambda job: 0 < job.done < 60)
    assert (first.stage, first.total) == ("Counting", 60)
    until = first.lease_until
    running.until(lambda job: job.lease_until is not None and job.lease_until > until)
    running.thread.join(10)
    job = Job.objects.get(pk=first.pk)
    assert (job.state, job.attempts) == (State.DONE, 1)  # two seconds of work on leases of less than one


@pytest.mark.clock
def test_stopping_site_requeues_its_job_without_counting_the_attempt(transactional_db, tmp_path):
    running = RunningJob(
        jobs_services.request_job("counts", {"to": 500, "pace": 0.02, "diary": str(tmp_path / "diary")}, None)
    )
    running.until(lambda job: job.done > 0)
    at = time.monotonic()
    runner.stopping.set()
    try:
        running.thread.join(5)
        assert time.monotonic() - at < 1
    finally:
        runner.stopping.clear()
    job = Job.objects.get(pk=running.job.pk)
    assert (job.state, job.attempts) == (State.QUEUED, 0)


class TestLeases:
    def test_row_is_taken_once(self, transactional_db):
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, None)
        assert runner.take_lease(job.pk) is not None
        assert runner.take_lease(job.pk) is None

    def test_expired_lease_is_taken_over_and_its_old_holder_writes_nothing(self, transactional_db):
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, None)
        slow, slow_token = runner.take_lease(job.pk)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
        quick, quick_token = runner.take_lease(job.pk)
        assert runner.write_end(quick, quick_token, state=State.DONE, result={"by": "quick"})
        assert not runner.write_end(slow, slow_token, state=State.DONE, result={"by": "slow"})
        assert not runner.write_end(quick, quick_token, state=State.DONE, result={"by": "quick, twice"})
        job.refresh_from_db()
        assert (job.result, job.attempts) == ({"by": "quick"}, 2)

    def test_landing_shares_the_transaction_that_ends_the_job(self, do, monkeypatch):
        landed = []

        def land(job: Job) -> None:
            assert connection.in_atomic_block
            landed.append((job.state, job.result))

        monkeypatch.setitem(
            jobs_registry.KIND, "adds", jobs_registry.JobKind("adds", "Add", "tests.jobs.sample_jobs:adds", landed=land)
        )
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, None))
        assert landed == [(State.DONE, {"sum": 3})]
        assert job.state == State.DONE

    def test_refused_landing_fails_the_job(self, do, monkeypatch):
        def land(job: Job) -> None:
            Job.objects.create(kind="adds", state=State.DONE)
            raise Refusal("The kingdom is gone.")

        monkeypatch.setitem(
            jobs_registry.KIND, "adds", jobs_registry.JobKind("adds", "Add", "tests.jobs.sample_jobs:adds", landed=land)
        )
        job = do(jobs_services.request_job("adds", {"a": 1, "b": 2}, None))
        assert (job.state, job.error) == (State.FAILED, "The kingdom is gone.")
        assert Job.objects.count() == 1

    def test_expired_lease_of_the_last_attempt_fails_the_job(self, transactional_db):
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, None)
        Job.objects.filter(pk=job.pk).update(
            state=State.RUNNING, attempts=3, lease_token="x", lease_until=timezone.now() - dt.timedelta(seconds=1)
        )
        runner.run_if_waiting(job.pk)
        job.refresh_from_db()
        assert (job.state, "interrupted" in job.error) == (State.FAILED, True)


class TestSweeper:
    @pytest.fixture
    def job(self, transactional_db, sent):
        job = jobs_services.request_job("adds", {"a": 1, "b": 2}, None)
        sent.clear()
        return job

    def at(self, job: Job, **values) -> Job:
        Job.objects.filter(pk=job.pk).update(**values)
        return job

    def test_recently_sent_job_is_left_alone(self, job, sent):
        self.at(job, sent_at=timezone.now())
        assert (sweeper.sweep(), sent) == (0, [])

    def test_job_waiting_too_long_is_sent_again_but_not_on_every_sweep(self, job, sent):
        self.at(job, sent_at=timezone.now() - dt.timedelta(seconds=6))
        assert (sweeper.sweep(), sweeper.sweep(), sent) == (1, 0, [job.pk])

    def test_job_never_sent_is_sent(self, job, sent):
        self.at(job, sent_at=None, created_at=timezone.now() - dt.timedelta(seconds=2))
        assert (sweeper.sweep(), sent) == (1, [job.pk])

    def test_only_jobs_with_an_expired_lease_are_sent_again(self, job, sent):
        now = timezone.now()
        self.at(
            job,
            state=State.RUNNING,
            lease_token="x",
            lease_until=now + dt.timedelta(seconds=5),
            sent_at=now - dt.timedelta(minutes=1),
        )
        assert (sweeper.sweep(), sent) == (0, [])
        self.at(job, lease_until=now - dt.timedelta(seconds=1))
        assert (sweeper.sweep(), sent) == (1, [job.pk])

    def test_long_queue_is_not_sent_repeatedly(self, job, sent):
        old = timezone.now() - dt.timedelta(minutes=5)
        Job.objects.bulk_create(Job(kind="adds", sent_at=old) for _ in range(50))
        sweeper.sweep()
        assert len(sent) <= sweeper.FEW

    def test_sweeper_runs_the_job_itself_without_a_broker(self, job, monkeypatch):
        from jobs.execution import dispatch

        monkeypatch.setattr(dispatch, "send_message", lambda job_id: False)
        self.at(job, sent_at=None, created_at=timezone.now() - dt.timedelta(seconds=2))
        before = set(threading.enumerate())
        sweeper.sweep()
        for thread in set(threading.enumerate()) - before:
            thread.join(10)
        job.refresh_from_db()
        assert (job.state, job.result) == (State.DONE, {"sum": 3})
