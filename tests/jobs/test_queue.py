"""People take turns: one person's jobs never hold up another's."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from jobs import services as jobs_services, turns_and_leases
from jobs.display import display_job
from jobs.models import Job, State
from jobs.turns_and_leases import count_jobs_ahead, next_waiting_job, take_lease
from people.requester import Who


def order(person, number: int = 1) -> list[Job]:
    return [jobs_services.request_job("adds", {"a": count, "b": 1}, person) for count in range(number)]


def begin(pk: int, minutes_ago: float = 0) -> None:
    """A worker of another process has it."""
    now = timezone.now()
    began, until = now - dt.timedelta(minutes=minutes_ago), now + dt.timedelta(minutes=5)
    Job.objects.filter(pk=pk).update(state=State.RUNNING, lease_token="x", lease_until=until, started_at=began)


def test_twenty_jobs_of_one_person_delay_another_by_one_at_most(do, player, other_player, sent):
    """The attack: all slots of the queue, then somebody wants a print."""
    many = order(player, jobs_services.MAX_OPEN)
    [print_job] = order(other_player)
    assert sent == [many[0].pk], "the broker has one message; the others follow when it is their turn"
    while sent:
        do(Job.objects.get(pk=sent.pop(0)))
    started = list(Job.objects.filter(state=State.DONE).order_by("started_at").values_list("pk", flat=True))
    assert len(started) == len(many) + 1
    assert started.index(print_job.pk) <= 1


def test_print_is_next_while_another_persons_job_runs(db, player, other_player):
    many = order(player, 5)
    begin(many[0].pk)
    [print_job] = order(other_player)
    assert next_waiting_job() == print_job.pk
    assert count_jobs_ahead(print_job) == 2, "the one that runs, and perhaps one more"
    assert display_job(print_job, Who.of(other_player)).before_it == 2


def test_people_take_turns_and_each_persons_jobs_keep_their_order(db, player, other_player, master):
    rows = {person: [job.pk for job in order(person, 3)] for person in (player, other_player, master)}
    result = []
    while (pk := next_waiting_job()) is not None:
        result.append(pk)
        begin(pk)
        Job.objects.filter(pk=pk).update(state=State.DONE)
    turns = [result[n : n + 3] for n in (0, 3, 6)]
    assert [sorted(turn) for turn in turns] == [sorted(rows[person][n] for person in rows) for n in range(3)]


def test_jobs_of_the_site_take_turns_with_people(db, player):
    house = order(None, 10)
    [print_job] = order(player)
    begin(house[0].pk)
    assert next_waiting_job() == print_job.pk
    begin(print_job.pk)
    assert next_waiting_job() == house[1].pk


def test_nobody_waits_for_ever(db, player, other_player):
    """Somebody new each time goes first, but not before those who have waited since an older job."""
    first, second = order(player, 2)
    begin(first.pk, minutes_ago=90)
    Job.objects.filter(pk=first.pk).update(state=State.DONE)
    order(other_player)
    assert next_waiting_job() == second.pk


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.CANCELLED])
def test_only_waiting_jobs_are_next(db, player, state):
    [job] = order(player)
    Job.objects.filter(pk=job.pk).update(state=state)
    assert next_waiting_job() is None


def count_slowly(person, number: int = 1) -> list[Job]:
    return [jobs_services.request_job("plods", {"to": count}, person) for count in range(number)]


def test_slow_jobs_run_one_at_a_time_and_delay_no_quick_one(transactional_db, player, other_player, sent):
    first, second = count_slowly(player, 2)
    [third] = count_slowly(other_player)
    assert sent == [first.pk]
    begin(first.pk)
    turns_and_leases.sweep()
    assert sent == [first.pk]
    assert take_lease(second.token) is None
    [quick] = order(player)
    assert sent == [first.pk, quick.pk]
    assert take_lease(quick.token) is not None
    Job.objects.filter(pk=first.pk).update(state=State.DONE, lease_token="", lease_until=None)
    turns_and_leases.sweep()
    assert sent == [first.pk, quick.pk, third.pk], "whose last one began the longest ago"


def test_whoever_takes_a_job_sends_the_next(transactional_db, player, do, sent):
    first, second, _ = order(player, 3)
    assert sent == [first.pk]
    do(first)
    assert sent == [first.pk, second.pk]
