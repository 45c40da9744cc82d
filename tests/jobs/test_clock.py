"""Due times: rung when they have come, by one, once, also after a fall."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.utils import timezone

from jobs import clock
from jobs.models import Due
from log import door
from refusal import Refusal

NOW = dt.datetime(2026, 5, 14, 20, 0, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def rung(db, monkeypatch):
    """What rang, with a bell of its own that no other test hears."""
    heard: list[str] = []
    monkeypatch.setattr(clock, "_bells", {})
    clock.rings("bot", lambda due: heard.append(due.ref))
    return heard


def test_it_rings_when_its_time_has_come_and_then_no_more(rung):
    clock.wake("bot", 7, NOW)
    assert (clock.tick(NOW - SECOND), rung) == (0, [])
    assert (clock.tick(NOW), rung) == (1, ["7"])
    assert (clock.tick(NOW + SECOND), rung, Due.objects.count()) == (0, ["7"], 0)


def test_what_is_due_first_rings_first(rung):
    clock.wake("bot", "late", NOW)
    clock.wake("bot", "early", NOW - SECOND)
    clock.tick(NOW)
    assert rung == ["early", "late"]


def test_a_new_time_takes_the_place_of_the_old(rung):
    clock.wake("bot", 7, NOW)
    clock.wake("bot", 7, NOW + 5 * SECOND)
    assert clock.tick(NOW) == 0
    assert clock.tick(NOW + 5 * SECOND) == 1


def test_let_be_it_does_not_ring(rung):
    clock.wake("bot", 7, NOW)
    clock.let_be("bot", 7)
    assert clock.tick(NOW) == 0


def test_a_handler_may_set_the_next_time(rung):
    clock.rings("bot", lambda due: clock.wake("bot", due.ref, due.due_at + SECOND))
    clock.wake("bot", 7, NOW)
    clock.tick(NOW)
    assert Due.objects.get().due_at == NOW + SECOND


def test_who_holds_it_is_not_disturbed_and_who_died_is_replaced(rung):
    clock.wake("bot", 7, NOW)
    Due.objects.update(held_until=NOW + clock.HOLD)  # another process took it just now
    assert (clock.tick(NOW), rung) == (0, [])
    assert (clock.tick(NOW + clock.HOLD + SECOND), rung) == (1, ["7"])


def test_of_two_who_saw_the_row_one_rings(rung):
    clock.wake("bot", 7, NOW)
    seen = Due.objects.get()
    assert clock.ring(seen, NOW)
    assert not clock.ring(seen, NOW)
    assert rung == ["7"]


def test_a_refusal_says_that_things_have_moved_on(rung):
    def moved_on(due: Due) -> None:
        raise Refusal("The game is over.")

    clock.rings("bot", moved_on)
    clock.wake("bot", 7, NOW)
    clock.tick(NOW)
    assert not Due.objects.exists()


def test_a_handler_that_breaks_is_tried_again_later_and_later_and_stops_nobody_else(rung, caplog):
    def breaks(due: Due) -> None:
        raise RuntimeError("a bug")

    clock.rings("broken", breaks)
    clock.wake("broken", 1, NOW - SECOND)
    clock.wake("bot", 7, NOW)
    clock.tick(NOW)
    assert rung == ["7"]
    delays = []
    for _ in range(15):
        due = Due.objects.get()
        clock.tick(due.due_at)
        delays.append(Due.objects.get().due_at - due.due_at)
    assert delays[:4] == [2 * SECOND, 4 * SECOND, 8 * SECOND, 16 * SECOND]
    assert delays[-1] == clock.LONGEST_DELAY
    assert "a bug" in caplog.text


def test_a_kind_nobody_here_knows_waits_for_who_does(rung):
    clock.wake("unheard-of", 1, NOW)
    assert clock.tick(NOW) == 0
    assert Due.objects.count() == 1


def test_its_key_opens_a_logs_door_once(rung, transactional_db):
    log = door.open_log("table")

    def move(due: Due) -> None:
        door.write(
            log.pk, who="bot", key=due.key, body={}, act=lambda pen: {"entry": pen.line("move", actor=None).number}
        )

    clock.wake("bot", log.pk, NOW)
    due = Due.objects.get()
    move(due)  # by one who died before it could say so
    clock.rings("bot", move)
    clock.tick(NOW)
    log.refresh_from_db()
    assert log.length == 1


class TestWhatComesRound:
    def test_it_is_wound_up_once_and_comes_again(self, rung):
        clock.rings("pulse", lambda due: rung.append("pulse"), again=clock.each(15 * SECOND))
        clock.wind_up(NOW)
        clock.wind_up(NOW + 10 * SECOND)  # a second process starts later and changes nothing
        assert Due.objects.get().due_at == NOW + 15 * SECOND
        before = timezone.now()
        clock.tick(NOW + 15 * SECOND)
        assert rung == ["pulse"]
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
    def test_every_night(self, now, then):
        def moment(text: str) -> dt.datetime:
            return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)

        assert clock.nightly(4)(moment(now)) == moment(then)

    def test_a_night_missed_is_made_up_for(self, rung):
        clock.rings("night", lambda due: rung.append("night"), again=clock.nightly(4))
        clock.wind_up(timezone.now() - dt.timedelta(days=9))
        clock.tick()
        assert rung == ["night"]
        assert timezone.now() < Due.objects.get().due_at <= timezone.now() + dt.timedelta(days=1)


class TestTheTicker:
    def test_one_beat_that_breaks_stops_neither_the_clock_nor_the_others(self, transactional_db, monkeypatch, caplog):
        heard = threading.Event()
        beaten = threading.Event()
        monkeypatch.setattr(clock, "_bells", {})
        monkeypatch.setattr(clock, "_beats", {})
        monkeypatch.setattr(clock, "EVERY", 0.01)

        def breaks() -> None:
            raise RuntimeError("a bug")

        clock.beats(0.01, breaks)
        clock.beats(0.01, beaten.set)
        clock.rings("bot", lambda due: heard.set())
        clock.wake("bot", 7, timezone.now())
        ticker = clock.Ticker()
        ticker.start()
        try:
            assert heard.wait(5)
            assert beaten.wait(5)
        finally:
            ticker.stop(5)
        assert "a bug" in caplog.text
