"""Reaction windows: who is asked and how long it takes reveals nothing about a hand. Uses a fake clock."""

from __future__ import annotations

import heapq

import pytest

from cardgames.engine import CLOCK, DEADLINE, HOLD, ForcedSource, RunningTable
from cardgames.engine.questions import BOT_PAUSE, bot_due_time, window_due_times
from refusal import Refusal
from tests.cardgames.engine.toy_games import SIEGE, STRICT_SIEGE, table_of


def siege(order: list[str], toy=SIEGE) -> RunningTable:
    live = RunningTable(toy[0], table_of(toy, b"siege"), source=lambda: ForcedSource([order]))
    live.choose(0, "attack")
    return live


def test_everyone_who_could_react_by_public_information_is_asked_alike() -> None:
    armed, bare = siege(["shield", "spoon", "shield", "spoon", "spoon", "spoon"]), siege(["spoon"] * 5)
    assert armed.asked_seats == bare.asked_seats == (1, 2)
    assert armed.window is not None
    assert armed.window.hold == 3.0
    # The one attacked sees the own means; for all others both tables look the same.
    assert list(armed.question_for(1).options) == ["shield", "pass"]
    assert list(bare.question_for(1).options) == ["pass"]
    for seat in (0, None):
        assert armed.seat_display(seat, ("a", "b", "c")).waiting == bare.seat_display(seat, ("a", "b", "c")).waiting
        assert armed.view(seat).asked_seats == bare.view(seat).asked_seats
        assert armed.view(seat).kind == bare.view(seat).kind == "defend"


def test_inside_a_window_nobody_sees_who_has_answered() -> None:
    live = siege(["shield", "spoon", "shield", "spoon", "spoon", "spoon"])
    before = [live.seat_display(seat, ("a", "b", "c")) for seat in (0, 2, None)]
    live.choose(1, "shield")
    assert [live.seat_display(seat, ("a", "b", "c")) for seat in (0, 2, None)] == before
    assert live.view(1).version == live.view(0).version + 1
    assert live.unanswered_seats == (2,)
    # Even when all are in, nothing is shown before the hold is over.
    live.choose(2, "pass")
    assert live.table.discard.cards == []
    assert [live.view(seat).zones for seat in (0, None)] == [before[0].view.zones, before[2].view.zones]
    assert live.pending_timer_keys() == (HOLD,)
    live.choose(CLOCK, HOLD)
    assert len(live.table.discard.cards) == 1
    assert live.kind == "attack"


def test_clock_answers_once_and_in_order() -> None:
    live = siege(["spoon"] * 5, STRICT_SIEGE)
    assert live.pending_timer_keys() == (HOLD, DEADLINE)
    for key in (DEADLINE, "pass", "tick"):
        with pytest.raises(Refusal):
            live.choose(CLOCK, key)
    live.choose(CLOCK, HOLD)
    with pytest.raises(Refusal):
        live.choose(CLOCK, HOLD)
    live.choose(1, "pass")
    live.choose(CLOCK, DEADLINE)
    # Whoever had not answered let it go, holder or not.
    assert live.kind == "attack"
    assert live.pending_timer_keys() == ()
    with pytest.raises(Refusal):
        live.choose(CLOCK, HOLD)
    assert RunningTable(STRICT_SIEGE[0], live.to_record(), source=lambda: ForcedSource([["spoon"] * 5])).view(
        0
    ) == live.view(0)


class FakeClock:
    """A ticker with simulated time: due rows go through ``choose`` like any other."""

    def __init__(self, live: RunningTable) -> None:
        self.live = live
        self.now = 100.0
        self.due: list[tuple[float, int, str]] = []
        self.seen: list[tuple[float, object]] = []

    def open(self, people: dict[int, tuple[float, str]]) -> None:
        """Opens the window now and schedules the clock, each person's answer after so many seconds, and the bots."""
        window = self.live.window
        assert window is not None
        for when, key in window_due_times(self.now, window):
            heapq.heappush(self.due, (when, CLOCK, key))
        for seat in self.live.asked_seats:
            if seat in people:
                after, key = people[seat]
                heapq.heappush(self.due, (self.now + after, seat, key))
            else:
                ask = self.live.question_for(seat)
                assert ask is not None
                heapq.heappush(self.due, (bot_due_time(self.now, window), seat, next(iter(ask.options))))

    def run(self, watcher: int | None) -> list[tuple[float, object]]:
        """What the watcher sees and when, until the window closes."""
        self.seen = [(self.now, self._shown(watcher))]
        while self.live.window is not None and self.due:
            self.now, seat, key = heapq.heappop(self.due)
            if seat == CLOCK and key not in self.live.pending_timer_keys():
                continue
            self.live.choose(seat, key)
            shown = self._shown(watcher)
            if shown != self.seen[-1][1]:
                self.seen.append((self.now, shown))
        return self.seen

    def _shown(self, watcher: int | None) -> object:
        view = self.live.view(watcher)
        return (view.asked_seats, view.kind, view.version, len(self.live.events(watcher)))


def opened(live: RunningTable, **people: tuple[float, str]) -> list[float]:
    clock = FakeClock(live)
    clock.open({int(seat[1:]): answer for seat, answer in people.items()})
    return [when - 100.0 for when, _ in clock.run(0)]


def test_timing_shown_to_the_attacker_does_not_depend_on_hands() -> None:
    holder, without = siege(["shield", "spoon", "shield", "spoon", "spoon", "spoon"]), siege(["spoon"] * 5)
    # Bots: one with a shield, one without, answer when the hold is over.
    assert opened(holder) == opened(without) == [0.0, 3.0]
    # People who answer at once, a holder who defends and one who cannot: still three seconds.
    quick = siege(["shield", "spoon", "shield", "spoon", "spoon", "spoon"])
    slow = siege(["spoon"] * 5)
    assert opened(quick, s1=(0.2, "shield"), s2=(0.1, "pass")) == [0.0, 3.0]
    assert opened(slow, s1=(2.9, "pass"), s2=(0.4, "pass")) == [0.0, 3.0]


def test_slow_holder_looks_like_someone_without_the_card_at_the_deadline() -> None:
    holder = siege(["shield", "spoon", "shield", "spoon", "spoon", "spoon"], STRICT_SIEGE)
    without = siege(["spoon"] * 5, STRICT_SIEGE)
    assert opened(holder, s1=(60.0, "shield"), s2=(1.0, "pass")) == [0.0, 20.0]
    assert opened(without, s1=(60.0, "pass"), s2=(1.0, "pass")) == [0.0, 20.0]


def test_bot_never_answers_before_its_pause() -> None:
    assert bot_due_time(5.0) == 5.0 + BOT_PAUSE == 5.6
    live = siege(["spoon"] * 5)
    assert live.window is not None
    assert bot_due_time(5.0, live.window) == 8.0
    assert window_due_times(5.0, live.window) == [(8.0, HOLD)]
    strict = siege(["spoon"] * 5, STRICT_SIEGE)
    assert strict.window is not None
    assert window_due_times(5.0, strict.window) == [(8.0, HOLD), (25.0, DEADLINE)]
