"""Asking for work, calling it off, asking again."""

from __future__ import annotations

import pytest
from django.db import transaction

from jobs import desk, post, runner
from jobs.models import Job, State
from refusal import Refusal


def test_asking_makes_a_row_and_sends_its_number_once_that_is_certain(transactional_db, player, sent):
    with transaction.atomic():
        job = desk.ask("adds", {"a": 1, "b": 2}, player)
        assert sent == []
    assert sent == [job.pk]
    assert (job.state, job.owner, job.args) == (State.QUEUED, player, {"a": 1, "b": 2})


def test_a_broker_that_is_away_loses_nothing(transactional_db, player, monkeypatch, caplog):
    from jobs import tasks

    monkeypatch.undo()  # the real post
    monkeypatch.setattr(post, "_quiet_until", 0.0)
    monkeypatch.setattr(post, "heard_here", True)
    monkeypatch.setattr(tasks.look_at, "apply_async", _away)
    monkeypatch.setitem(desk.KIND, "adds", _kind("adds"))
    job = desk.ask("adds", {"a": 1, "b": 2}, player)
    assert "could not be sent (nobody there)" in caplog.text
    assert Job.objects.get(pk=job.pk).state == State.QUEUED
    assert Job.objects.get(pk=job.pk).sent_at is None


def _away(*args, **kwargs):
    raise ConnectionError("nobody there")


def _kind(name):
    from jobs.kinds import Kind

    return Kind(name, name, work=f"tests.jobs.works:{name}")


def test_a_kind_nobody_registered_is_a_mistake_in_the_code(db):
    with pytest.raises(KeyError):
        desk.ask("juggles", {}, None)


def test_one_person_cannot_fill_the_queue(db, player, other_player):
    for number in range(desk.MOST_OPEN):
        desk.ask("adds", {"a": number, "b": 0}, player)
    with pytest.raises(Refusal) as refused:
        desk.ask("adds", {"a": 1, "b": 1}, player)
    assert refused.value.status == 429
    assert desk.ask("adds", {"a": 1, "b": 1}, other_player).state == State.QUEUED


class TestTheSameContentIsNotMadeTwice:
    def test_pressed_twice_it_is_one_job(self, db, player):
        first = desk.ask("adds", {}, player, key="content-1")
        assert desk.ask("adds", {}, player, key="content-1") == first
        assert desk.ask("adds", {}, player, key="content-2") != first

    def test_the_house_has_no_person_and_asks_once_all_the_same(self, db):
        assert desk.ask("adds", {}, None, key="night") == desk.ask("adds", {}, None, key="night")

    def test_two_presses_at_once_meet_in_the_database(self, db, player, monkeypatch):
        first = desk.ask("adds", {}, player, key="content-1")
        monkeypatch.setattr(desk, "_before", lambda *args: None)  # the second press looked before the first had written
        assert desk.ask("adds", {}, player, key="content-1") == first
        assert Job.objects.count() == 1

    def test_what_was_made_is_given_again_as_long_as_its_file_is_kept(self, do, player, other_player):
        done = do(desk.ask("writes", {"text": "Oakhold"}, player, key="content-1"))
        assert desk.ask("writes", {"text": "Oakhold"}, player, key="content-1") == done
        handed_over = desk.ask("writes", {"text": "Oakhold"}, other_player, key="content-1")
        assert (handed_over.owner, handed_over.state, handed_over.path) == (other_player, State.DONE, done.path)
        done.path.unlink()
        again = desk.ask("writes", {"text": "Oakhold"}, player, key="content-1")
        assert (again.state, again.pk > handed_over.pk) == (State.QUEUED, True)


class TestCallingOff:
    def test_a_waiting_job_is_never_begun(self, do, player):
        job = desk.cancel(desk.ask("adds", {"a": 1, "b": 2}, player))
        assert do(job).state == State.CANCELLED
        assert desk.cancel(job).state == State.CANCELLED

    def test_what_is_done_cannot_be_called_off(self, do, player):
        job = do(desk.ask("adds", {"a": 1, "b": 2}, player))
        with pytest.raises(Refusal) as refused:
            desk.cancel(job)
        assert refused.value.status == 409
        assert Job.objects.get(pk=job.pk).state == State.DONE


class TestAskingAgain:
    def test_a_failed_job_starts_afresh(self, do, player, sent):
        job = do(desk.ask("refuses", {}, player))
        assert job.state == State.FAILED
        sent.clear()
        desk.retry(job)
        assert (job.state, job.error, job.attempts, job.finished_at) == (State.QUEUED, "", 0, None)
        assert sent == [job.pk]
        desk.retry(job)
        assert sent == [job.pk]

    def test_a_job_that_is_done_is_not_done_again(self, do, player):
        job = do(desk.ask("adds", {"a": 1, "b": 2}, player))
        with pytest.raises(Refusal) as refused:
            desk.retry(job)
        assert refused.value.status == 409

    def test_not_while_the_same_work_waits_anew(self, db, player):
        old = desk.cancel(desk.ask("adds", {}, player, key="content-1"))
        desk.ask("adds", {}, player, key="content-1")
        with pytest.raises(Refusal):
            desk.retry(old)


def test_a_worker_done_with_one_job_takes_the_next_without_being_told(do, player):
    jobs = [desk.ask("adds", {"a": number, "b": 1}, player) for number in range(3)]
    do(jobs[0])
    assert [Job.objects.get(pk=job.pk).result for job in jobs] == [{"sum": 1}, {"sum": 2}, {"sum": 3}]
    assert runner.oldest_waiting() is None
