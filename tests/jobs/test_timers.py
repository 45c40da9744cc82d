"""Timers fire when they are due, in one process, once, even after a crash."""

from __future__ import annotations

import datetime as dt
import threading
import time

import pytest
from django.utils import timezone

from jobs import timers
from jobs.models import Due
from log import services as log_services
from refusal import Refusal

NOW = dt.datetime(2026, 5, 14, 20, 0, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def fired(db, monkeypatch):
    """The timers that fired, of a kind that only this test registers."""
    heard: list[str] = []
    monkeypatch.setattr(timers, "_timer_kinds", {})
    timers.register_timer("bot", lambda due: heard.append(due.ref))
    return heard


def test_timer_fires_once_when_due(fired):
    timers.set_timer("bot", 7, NOW)
    assert (timers.fire_due_timers(NOW - SECOND), fired) == (0, [])
    assert (timers.fire_due_timers(NOW), fired) == (1, ["7"])
    assert (timers.fire_due_timers(NOW + SECOND), fired, Due.objects.count()) == (0, ["7"], 0)


def test_earliest_timer_fires_first(fired):
    timers.set_timer("bot", "late", NOW)
    timers.set_timer("bot", "early", NOW - SECOND)
    timers.fire_due_timers(NOW)
    assert fired == ["early", "late"]


def test_setting_a_timer_again_replaces_its_time(fired):
    timers.set_timer("bot", 7, NOW)
    timers.set_timer("bot", 7, NOW + 5 * SECOND)
    assert timers.fire_due_timers(NOW) == 0
    assert timers.fire_due_timers(NOW + 5 * SECOND) == 1


def test_cancelled_timer_does_not_fire(fired):
    timers.set_timer("bot", 7, NOW)
    timers.cancel_timer("bot", 7)
    assert timers.fire_due_timers(NOW) == 0


def test_handler_can_set_its_timer_again(fired):
    timers.register_timer("bot", lambda due: timers.set_timer("bot", due.ref, due.due_at + SECOND))
    timers.set_timer("bot", 7, NOW)
    timers.fire_due_timers(NOW)
    assert Due.objects.get().due_at == NOW + SECOND


def test_held_timer_is_left_alone_until_the_hold_expires(fired):
    timers.set_timer("bot", 7, NOW)
    Due.objects.update(held_until=NOW + timers.HOLD)  # another process took it just now
    assert (timers.fire_due_timers(NOW), fired) == (0, [])
    assert (timers.fire_due_timers(NOW + timers.HOLD + SECOND), fired) == (1, ["7"])


def test_timer_read_twice_fires_once(fired):
    timers.set_timer("bot", 7, NOW)
    seen = Due.objects.get()
    assert timers.fire_timer(seen, NOW)
    assert not timers.fire_timer(seen, NOW)
    assert fired == ["7"]


def test_refused_timer_is_dropped(fired):
    def refuse(due: Due) -> None:
        raise Refusal("The game is over.")

    timers.register_timer("bot", refuse)
    timers.set_timer("bot", 7, NOW)
    timers.fire_due_timers(NOW)
    assert not Due.objects.exists()


def test_failing_handler_is_retried_with_growing_delays_without_blocking_others(fired, caplog):
    def fail(due: Due) -> None:
        raise RuntimeError("a bug")

    timers.register_timer("broken", fail)
    timers.set_timer("broken", 1, NOW - SECOND)
    timers.set_timer("bot", 7, NOW)
    timers.fire_due_timers(NOW)
    assert fired == ["7"]
    delays = []
    for _ in range(15):
        due = Due.objects.get()
        timers.fire_due_timers(due.due_at)
        delays.append(Due.objects.get().due_at - due.due_at)
    assert delays[:4] == [2 * SECOND, 4 * SECOND, 8 * SECOND, 16 * SECOND]
    assert delays[-1] == timers.MAX_DELAY
    assert "a bug" in caplog.text


def test_timer_of_an_unknown_kind_is_kept(fired):
    timers.set_timer("unheard-of", 1, NOW)
    assert timers.fire_due_timers(NOW) == 0
    assert Due.objects.count() == 1


def test_timer_key_writes_to_a_log_only_once(fired, transactional_db):
    log = log_services.create_log("table")

    def move(due: Due) -> None:
        log_services.write(
            log.pk,
            who="bot",
            key=due.key,
            body={},
            act=lambda writer: {"entry": writer.append("move", actor=None).number},
        )

    timers.set_timer("bot", log.pk, NOW)
    due = Due.objects.get()
    move(due)  # by a process that died before it could record that
    timers.register_timer("bot", move)
    timers.fire_due_timers(NOW)
    log.refresh_from_db()
    assert log.length == 1


class TestRecurringTimers:
    def test_recurring_timer_is_started_once_and_repeats(self, fired):
        timers.register_timer("pulse", lambda due: fired.append("pulse"), again=timers.every(15 * SECOND))
        timers.start_recurring_timers(NOW)
        timers.start_recurring_timers(NOW + 10 * SECOND)  # a second process starts later and changes nothing
        assert Due.objects.get().due_at == NOW + 15 * SECOND
        before = timezone.now()
        timers.fire_due_timers(NOW + 15 * SECOND)
        assert fired == ["pulse"]
        assert Due.objects.get().due_at >= before + 15 * SECOND

    @pytest.mark.parametrize(
        ("now", "then"),
        [
            ("2026-05-14T20:00", "2026-05-15T04:00"),
            ("2026-05-15T03:59", "2026-05-15T04:00"),
            ("2026-05-15T04:00", "2026-05-16T04:00"),
            ("2026-12-31T23:00", "2027-01-01T04:00"),
        ],
    )
    def test_nightly_is_the_next_time_at_that_hour(self, now, then):
        def moment(text: str) -> dt.datetime:
            return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)

        assert timers.nightly(4)(moment(now)) == moment(then)

    def test_missed_nightly_run_is_made_up_once(self, fired):
        timers.register_timer("night", lambda due: fired.append("night"), again=timers.nightly(4))
        timers.start_recurring_timers(timezone.now() - dt.timedelta(days=9))
        timers.fire_due_timers()
        assert fired == ["night"]
        assert timezone.now() < Due.objects.get().due_at <= timezone.now() + dt.timedelta(days=1)


class TestTicker:
    def test_failing_heartbeat_stops_neither_the_timers_nor_other_heartbeats(
        self, transactional_db, monkeypatch, caplog
    ):
        heard = threading.Event()
        beaten = threading.Event()
        monkeypatch.setattr(timers, "_timer_kinds", {})
        monkeypatch.setattr(timers, "_beats", {})
        monkeypatch.setattr(timers, "EVERY", 0.01)

        def fail() -> None:
            raise RuntimeError("a bug")

        timers.register_heartbeat(0.01, fail)
        timers.register_heartbeat(0.01, beaten.set)
        timers.register_timer("bot", lambda due: heard.set())
        timers.set_timer("bot", 7, timezone.now())
        ticker = timers.Ticker()
        ticker.start()
        try:
            assert heard.wait(5)
            assert beaten.wait(5)
        finally:
            ticker.stop(5)
        assert "a bug" in caplog.text


def test_killed_process_holds_a_timer_for_at_most_five_seconds():
    assert dt.timedelta(seconds=5) > timers.HOLD
    assert timers.HOLD.total_seconds() > timers.RENEW_EVERY * 2, "a slow handler keeps its row"


@pytest.mark.django_db(transaction=True)
def test_slow_handler_keeps_its_row(monkeypatch):
    monkeypatch.setattr(timers, "RENEW_EVERY", 0.05)
    monkeypatch.setattr(timers, "_timer_kinds", {})
    seen = []

    def slow(due: Due) -> None:
        before = Due.objects.get(pk=due.pk).held_until
        end = time.monotonic() + 10
        while Due.objects.get(pk=due.pk).held_until == before and time.monotonic() < end:
            time.sleep(0.02)
        seen.append(Due.objects.get(pk=due.pk).held_until > before)

    timers.register_timer("slow", slow)
    timers.set_timer("slow", 1, timezone.now() - timers.HOLD)
    timers.fire_due_timers()
    assert seen == [True]
    assert not Due.objects.exists()
