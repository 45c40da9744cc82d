"""One job in a process of its own: how it ends, and that it ends once."""

from __future__ import annotations

import datetime as dt
import os
import signal
import threading
import time

import pytest
from django.db import connection
from django.utils import timezone

from jobs import child, desk, kinds, runner, sweeper
from jobs.models import Job, State
from refusal import Refusal


def test_it_is_done_and_says_how_far_it_was(do):
    job = do(desk.ask("adds", {"a": 2, "b": 3}, None))
    assert (job.state, job.result, job.error) == (State.DONE, {"sum": 5}, "")
    assert (job.stage, job.done, job.total, job.attempts) == ("Adding", 1, 1, 1)
    assert job.started_at <= job.finished_at
    assert (job.lease_token, job.lease_until) == ("", None)


def test_its_file_is_kept_below_the_sites_folder(do, settings):
    job = do(desk.ask("writes", {"text": "Réservé 🧀"}, None))
    assert job.path.read_text() == "Réservé 🧀"
    assert job.path.is_relative_to(settings.MEDIA_ROOT)
    assert job.saved_as == "Muster of Oakhold.txt"


def test_a_refusal_is_its_sentence(do):
    job = do(desk.ask("refuses", {}, None))
    assert (job.state, job.error) == (State.FAILED, "The deck has no queen.")


def test_a_bug_is_a_sentence_for_people_and_a_trace_for_the_log(do, caplog):
    job = do(desk.ask("breaks", {}, None))
    assert job.state == State.FAILED
    assert "log" in job.error
    assert "RuntimeError" not in job.error
    assert "RuntimeError: a bug" in caplog.text
    assert not runner.folder_of(job.pk, job.lease_token).exists()


@pytest.mark.clock
def test_work_that_takes_too_long_is_stopped(do):
    begun = time.monotonic()
    job = do(desk.ask("spins", {}, None))
    assert 1 <= time.monotonic() - begun < 4
    assert (job.state, job.error) == (State.FAILED, "The work took longer than 1 seconds and was stopped.")


def test_work_that_eats_all_memory_is_stopped(do):
    job = do(desk.ask("eats", {}, None))
    assert job.state == State.FAILED
    assert "48 MB" in job.error
    assert job.done < 10  # eight megabytes each


def test_the_watcher_sees_memory_that_the_limit_inside_does_not(monkeypatch, do):
    monkeypatch.setattr("jobs.child.Child.is_too_big", lambda self: self.pid is not None)
    job = do(desk.ask("counts", {"to": 100, "diary": os.devnull}, None))
    assert (job.state, "MB" in job.error) == (State.FAILED, True)


def test_a_process_killed_once_is_followed_by_another(do, tmp_path, sent):
    job = do(desk.ask("kills_itself", {"mark": str(tmp_path / "mark")}, None))
    assert (job.state, job.result, job.attempts) == (State.DONE, {"survived": True}, 2)


def test_a_process_that_always_dies_is_given_up(do):
    job = do(desk.ask("always_dies", {}, None))
    assert (job.state, job.attempts) == (State.FAILED, 3)
    assert "3 times" in job.error


def test_a_nursery_that_was_killed_is_opened_again(do):
    do(desk.ask("adds", {"a": 1, "b": 1}, None))
    child._process.kill()
    child._process.wait()
    assert do(desk.ask("adds", {"a": 2, "b": 2}, None)).result == {"sum": 4}


class Begun:
    """A job being done in another thread, as by a worker."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.thread = threading.Thread(target=self._do)
        self.thread.start()

    def _do(self) -> None:
        try:
            runner.look_at(self.job.pk)
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
def test_calling_it_off_ends_its_process_and_what_that_started_within_a_second(transactional_db, tmp_path):
    mark = tmp_path / "mark"
    begun = Begun(desk.ask("has_a_helper", {"mark": str(mark)}, None))
    begun.until(lambda job: mark.exists() and mark.read_text())
    helper = int(mark.read_text())
    assert alive(helper)
    at = time.monotonic()
    desk.cancel(begun.job)
    begun.thread.join(5)
    assert time.monotonic() - at < 1.2
    time.sleep(0.05)
    assert not alive(helper)
    assert Job.objects.get(pk=begun.job.pk).state == State.CANCELLED


def test_kill_9_of_the_process_in_the_middle_it_is_done_by_another_once(transactional_db, tmp_path):
    diary = tmp_path / "diary"
    begun = Begun(desk.ask("counts", {"to": 20, "pace": 0.02, "diary": str(diary)}, None))
    begun.until(lambda job: diary.exists() and diary.read_text())
    os.kill(int(diary.read_text().split()[1]), signal.SIGKILL)
    begun.thread.join(10)
    job = Job.objects.get(pk=begun.job.pk)
    assert (job.state, job.result, job.attempts) == (State.DONE, {"counted": 20}, 2)
    assert [line.split()[0] for line in diary.read_text().splitlines()] == ["begin", "begin", "end"]


def test_progress_shows_while_it_runs_and_the_lease_is_renewed(transactional_db, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "LEASE", 0.9)
    begun = Begun(desk.ask("counts", {"to": 60, "pace": 0.03, "diary": str(tmp_path / "diary")}, None))
    first = begun.until(lambda job: 0 < job.done < 60)
    assert (first.stage, first.total) == ("Counting", 60)
    until = first.lease_until
    begun.until(lambda job: job.lease_until is not None and job.lease_until > until)
    begun.thread.join(10)
    job = Job.objects.get(pk=first.pk)
    assert (job.state, job.attempts) == (State.DONE, 1)  # two seconds of work on leases of less than one


@pytest.mark.clock
def test_a_stopping_site_puts_its_job_back_and_does_not_count_the_attempt(transactional_db, tmp_path):
    begun = Begun(desk.ask("counts", {"to": 500, "pace": 0.02, "diary": str(tmp_path / "diary")}, None))
    begun.until(lambda job: job.done > 0)
    at = time.monotonic()
    runner.stopping.set()
    try:
        begun.thread.join(5)
        assert time.monotonic() - at < 1
    finally:
        runner.stopping.clear()
    job = Job.objects.get(pk=begun.job.pk)
    assert (job.state, job.attempts) == (State.QUEUED, 0)


class TestWhoHoldsTheTokenWritesTheEnd:
    def test_a_row_is_taken_once(self, transactional_db):
        job = desk.ask("adds", {"a": 1, "b": 2}, None)
        assert runner.take(job.pk) is not None
        assert runner.take(job.pk) is None

    def test_a_lease_that_ran_out_is_taken_over_and_the_late_one_writes_nothing(self, transactional_db):
        job = desk.ask("adds", {"a": 1, "b": 2}, None)
        slow, slow_token = runner.take(job.pk)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
        quick, quick_token = runner.take(job.pk)
        assert runner.end(quick, quick_token, state=State.DONE, result={"by": "quick"})
        assert not runner.end(slow, slow_token, state=State.DONE, result={"by": "slow"})
        assert not runner.end(quick, quick_token, state=State.DONE, result={"by": "quick, twice"})
        job.refresh_from_db()
        assert (job.result, job.attempts) == ({"by": "quick"}, 2)

    def test_landing_happens_in_the_transaction_of_the_end(self, do, monkeypatch):
        landed = []

        def land(job: Job) -> None:
            assert connection.in_atomic_block
            landed.append((job.state, job.result))

        monkeypatch.setitem(kinds.KIND, "adds", kinds.Kind("adds", "Add", "tests.jobs.works:adds", landed=land))
        job = do(desk.ask("adds", {"a": 1, "b": 2}, None))
        assert landed == [(State.DONE, {"sum": 3})]
        assert job.state == State.DONE

    def test_a_landing_refused_is_a_failed_job(self, do, monkeypatch):
        def land(job: Job) -> None:
            Job.objects.create(kind="adds", state=State.DONE)
            raise Refusal("The kingdom is gone.")

        monkeypatch.setitem(kinds.KIND, "adds", kinds.Kind("adds", "Add", "tests.jobs.works:adds", landed=land))
        job = do(desk.ask("adds", {"a": 1, "b": 2}, None))
        assert (job.state, job.error) == (State.FAILED, "The kingdom is gone.")
        assert Job.objects.count() == 1

    def test_after_the_last_try_a_lapsed_lease_is_the_end(self, transactional_db):
        job = desk.ask("adds", {"a": 1, "b": 2}, None)
        Job.objects.filter(pk=job.pk).update(
            state=State.RUNNING, attempts=3, lease_token="x", lease_until=timezone.now() - dt.timedelta(seconds=1)
        )
        runner.look_at(job.pk)
        job.refresh_from_db()
        assert (job.state, "given up" in job.error) == (State.FAILED, True)


class TestTheSweeper:
    @pytest.fixture
    def job(self, transactional_db, sent):
        job = desk.ask("adds", {"a": 1, "b": 2}, None)
        sent.clear()
        return job

    def at(self, job: Job, **values) -> Job:
        Job.objects.filter(pk=job.pk).update(**values)
        return job

    def test_what_was_just_sent_is_let_be(self, job, sent):
        self.at(job, sent_at=timezone.now())
        assert (sweeper.sweep(), sent) == (0, [])

    def test_what_waits_too_long_is_sent_again_but_not_at_every_look(self, job, sent):
        self.at(job, sent_at=timezone.now() - dt.timedelta(seconds=6))
        assert (sweeper.sweep(), sweeper.sweep(), sent) == (1, 0, [job.pk])

    def test_what_was_never_sent_is_sent(self, job, sent):
        self.at(job, sent_at=None, created_at=timezone.now() - dt.timedelta(seconds=2))
        assert (sweeper.sweep(), sent) == (1, [job.pk])

    def test_a_lease_that_ran_out_is_sent_again_a_live_one_is_not(self, job, sent):
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

    def test_a_long_queue_is_not_sent_over_and_over(self, job, sent):
        old = timezone.now() - dt.timedelta(minutes=5)
        Job.objects.bulk_create(Job(kind="adds", sent_at=old) for _ in range(50))
        sweeper.sweep()
        assert len(sent) <= sweeper.FEW

    def test_with_the_broker_away_the_work_is_done_here(self, job, monkeypatch):
        from jobs import post

        monkeypatch.setattr(post, "send", lambda job_id: False)
        self.at(job, sent_at=None, created_at=timezone.now() - dt.timedelta(seconds=2))
        before = set(threading.enumerate())
        sweeper.sweep()
        for thread in set(threading.enumerate()) - before:
            thread.join(10)
        job.refresh_from_db()
        assert (job.state, job.result) == (State.DONE, {"sum": 3})
