"""Random games against a referee written from the ledger alone: it hears what happens and keeps the courts itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardgames.games.majesty as majesty
from cardgames.engine import FastRng, RunningTable
from cardgames.games import new_table, replay
from tests.cardgames.engine.game_laws import step

DECK = json.loads((Path(majesty.__file__).parent / "deck.json").read_text(encoding="utf-8"))
CARDS = {row["id"]: row["values"] for row in DECK["cards"]}
BELOW = {3: 1, 5: 3}


def printed(card: str) -> dict[str, Any]:
    """What is printed on a card; copies of one card have a number after a dot."""
    found: dict[str, Any] = CARDS[card.partition(".")[0]]
    return found


class Referee:
    """Courts, scandals and hand sizes, from what happens; and whether each of it was allowed."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.philosophes: list[list[str]] = [[] for _ in range(seats)]
        self.colonies: list[list[str]] = [[] for _ in range(seats)]
        self.reforms: list[list[str]] = [[] for _ in range(seats)]
        self.scandals = [0] * seats
        self.hands = [0] * seats
        self.limits = [4] * seats
        self.abolished = False
        self.turn_of = -1
        self.taken: list[str] = []
        self.subscribed = self.paid = False

    def hear(self, key: str, said: dict[str, Any]) -> None:
        getattr(self, f"on_{key.replace('-', '_')}", lambda **_: None)(**said)
        # Y10, Y11
        assert all(0 <= hand <= limit for hand, limit in zip(self.hands, self.limits, strict=True))

    def prestige(self) -> list[int]:
        """Y70 to Y74"""
        return [
            sum(printed(card)["prestige"] for card in self.philosophes[seat])
            + sum(printed(card)["level"] for card in self.reforms[seat])
            - (0 if self.abolished else sum(bool(printed(card)["slavery"]) for card in self.colonies[seat]))
            for seat in range(self.seats)
        ]

    def act(self, seat: int, kind: str) -> None:
        """Y30, Y31: two actions of different types in a turn."""
        if seat != self.turn_of:
            self.turn_of, self.taken = seat, []
        assert kind not in self.taken
        self.taken.append(kind)
        assert len(self.taken) <= 2
        self.subscribed = False

    def levels(self, seat: int) -> set[int]:
        return {printed(card)["level"] for card in self.reforms[seat]}

    def on_dealt(self, n: int, **_: Any) -> None:
        assert n == 4
        self.hands = [4] * self.seats

    def on_passed(self, seat: int) -> None:
        self.turn_of = -1

    def on_paid(self, seat: int, card: str) -> None:
        self.hands[seat] -= 1
        self.paid = True

    def on_claimed(self, seat: int, card: str) -> None:
        if self.paid:
            self.act(seat, "colony")
        self.paid = False
        assert all(card not in court for court in self.colonies)
        self.colonies[seat].append(card)

    def on_arrived(self, seat: int, card: str) -> None:
        self.act(seat, "philosophe")
        self.paid = False
        self.join(seat, card)

    def join(self, seat: int, card: str) -> None:
        assert all(card not in court for court in self.philosophes)
        self.philosophes[seat].append(card)

    def on_played(self, seat: int, card: str) -> None:
        self.act(seat, "event")
        self.hands[seat] -= 1
        self.subscribed = card.startswith("ev-subscription-list")

    def on_drew(self, seat: int, n: int) -> None:
        if self.subscribed:
            assert n <= 3
        else:
            self.act(seat, "refill")
        self.subscribed = False
        self.hands[seat] += n

    def on_introduced(self, seat: int, card: str, n: int) -> None:
        self.join(seat, card)

    def on_married(self, seat: int) -> None:
        self.scandals[seat] += 1

    def on_married_well(self, seat: int, card: str) -> None:
        self.scandals[seat] += 1
        self.join(seat, card)

    def on_cancelled(self, seat: int, of: int, card: str) -> None:
        assert card in self.philosophes[seat]
        self.hands[seat] -= 1

    def on_poached(self, seat: int, of: int, card: str) -> None:
        assert seat != of
        self.philosophes[of].remove(card)
        self.philosophes[seat].append(card)

    def on_died(self, seat: int, of: int, card: str) -> None:
        self.philosophes[of].remove(card)

    def on_smallpox(self, seat: int, card: str) -> None:
        self.philosophes[seat].remove(card)

    def on_resigned(self, seat: int, card: str) -> None:
        self.philosophes[seat].remove(card)

    def on_rose(self, seat: int, of: int, card: str) -> None:
        assert printed(card)["slavery"]
        self.colonies[of].remove(card)

    def on_exchanged(self, seat: int, of: int, first: str, second: str) -> None:
        self.colonies[seat].remove(first)
        self.colonies[of].remove(second)
        self.colonies[seat].append(second)
        self.colonies[of].append(first)

    def on_stole(self, seat: int, of: int, n: int) -> None:
        assert n <= 3
        self.hands[seat] += n
        self.hands[of] -= n

    def on_lost_cards(self, seat: int, by: int, cards: list[str]) -> None:
        self.hands[seat] -= len(cards)

    def on_scandal(self, seat: int, to: int, card: str) -> None:
        assert seat != to
        self.scandals[to] += 1

    def on_passed_on(self, seat: int, to: int, card: str) -> None:
        self.scandals[seat] -= 1
        self.scandals[to] += 1

    def on_erased(self, seat: int, cards: list[str]) -> None:
        self.scandals[seat] -= len(cards)
        assert self.scandals[seat] >= 0

    def on_despot(self, seat: int) -> None:
        self.limits[seat] = 5

    def on_attacks(self, seat: int, of: int, card: str, other_card: str) -> None:
        self.act(seat, "campaign")
        assert seat != of
        assert card in self.colonies[of]
        assert printed(other_card)["kind"] == "campaign"
        self.hands[seat] -= 1

    def on_defended(self, seat: int, of: int, card: str, other_card: str) -> None:
        assert printed(other_card)["kind"] == "campaign"
        self.hands[seat] -= 1

    def on_seized(self, seat: int, of: int, card: str) -> None:
        self.colonies[of].remove(card)
        self.colonies[seat].append(card)

    def on_declared(self, seat: int, card: str) -> None:
        """Y45, Y46, Y52"""
        self.act(seat, "salon")
        self.paid = False
        reform = printed(card)
        assert all(card not in court for court in self.reforms)
        assert any(printed(guest)["muse"] == reform["muse"] for guest in self.philosophes[seat])
        below = BELOW.get(reform["level"])
        if below is not None and below not in self.levels(seat):
            assert 2 * sum(below in self.levels(other) for other in range(self.seats)) >= self.seats

    def judge(self, seat: int, card: str, number: int, sophia: int, difficulty: int, won: bool) -> None:
        """Y61, Y62, Y63"""
        assert difficulty == printed(card)["level"] + number + self.scandals[seat]
        assert won == (sophia > difficulty)

    def on_salon_failed(self, seat: int, card: str, other_card: str, number: int, sophia: int, difficulty: int) -> None:
        self.judge(seat, card, number, sophia, difficulty, False)

    def on_salon_won(self, seat: int, card: str, other_card: str, number: int, sophia: int, difficulty: int) -> None:
        self.judge(seat, card, number, sophia, difficulty, True)
        self.reforms[seat].append(card)

    def on_abolished(self, seat: int) -> None:
        self.abolished = True


def agree(referee: Referee, running: RunningTable) -> None:
    """What the referee kept lies on the table."""
    table: Any = running.table
    for kept, zones in (
        (referee.philosophes, table.philosophes),
        (referee.colonies, table.colonies),
        (referee.reforms, table.reforms),
    ):
        assert [sorted(cards) for cards in kept] == [sorted(card.key for card in zone.cards) for zone in zones]
    if running.result is not None:
        return  # It can end in the middle of a rule (Y75).
    assert referee.scandals == [len(zone.cards) for zone in table.scandals]
    assert referee.hands == [len(zone.cards) for zone in table.hands]


def check(seats: int, number: int, rounds: int = 20) -> int:
    """Plays a random game and returns how many choices it took."""
    record = new_table("majesty", seats, seed=b"referee %d" % number, options={"round_limit": rounds})
    running, rng = replay(record), FastRng(number)
    referee, heard = Referee(seats), 0
    while True:
        for key, said, _ in running.table.events[heard:]:
            referee.hear(key, dict(said))
        heard = len(running.table.events)
        # Between two actions no card is in use.
        if running.result is not None or running.kind == "act":
            agree(referee, running)
        best = max(referee.prestige())
        if running.result is not None:
            break
        assert best < 20  # Y75
        step(running, rng)
    result = running.result
    assert list(result.scores) == referee.prestige()
    # Y76, Y77; at the round limit the highest wins too (YR-20).
    assert list(result.winners) == [seat for seat, score in enumerate(referee.prestige()) if score == best]
    assert (result.outcome in ("reached", "shared")) == (best >= 20)
    return len(running.line)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_referee_agrees_on_random_games(seats: int) -> None:
    """YI-5, YI-6, YI-8, YI-9"""
    for number in range(3):
        assert check(seats, number) > 20


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_referee_agrees_on_many_games(seats: int) -> None:
    for number in range(1000, 1200):
        check(seats, number)
