"""Random games against a referee written from the ledger alone: it hears what happens openly and judges the end."""

from __future__ import annotations

from typing import Any

import pytest

from cardgames.engine import FastRng
from cardgames.games import new_table, replay
from tests.cardgames.engine.game_laws import step

# D04, D10
GENRE = {
    "mood-joyous": "comedy",
    "mood-brooding": "drama",
    "mood-lamenting": "tragedy",
    "mood-passionate": "romance",
    "mood-operatic": "musical",
}
DEALT = {2: 5, 3: 4, 4: 3}


class Referee:
    """Keeps the plays, the discard pile and the number of cards in the deck from what happens openly."""

    def __init__(self, seats: int, two_cards: bool) -> None:
        self.seats, self.two_cards = seats, two_cards
        self.plays: list[list[str]] = [[] for _ in range(seats)]
        self.discard: list[str] = []
        self.deck = 15
        self.next = self.active = -1
        self.gave = self.acted = self.extra = False
        self.king = ""
        self.muses: dict[int, str] = {}

    def hear(self, key: str, said: dict[str, Any]) -> None:
        getattr(self, f"on_{key.replace('-', '_')}", lambda **_: None)(**said)

    def all_cut(self) -> None:
        assert all(len(play) <= 3 for play in self.plays)

    def on_dealt(self, n: int) -> None:
        assert n == DEALT[self.seats]

    def on_begins(self, seat: int) -> None:
        self.next = seat

    def on_drew(self, seat: int) -> None:
        self.all_cut()
        assert self.deck > 0
        self.deck -= 1
        if self.extra:
            assert seat == self.active
            self.extra = False
            return
        assert seat == self.next
        self.active, self.next = seat, (seat + 1) % self.seats
        self.gave = self.acted = False

    def on_kept(self, seat: int, card: str) -> None:
        assert seat == self.active
        self.plays[seat].append(card)

    def on_gave(self, seat: int, to: int, card: str) -> None:
        assert seat == self.active != to
        self.plays[to].append(card)
        self.gave = True

    def on_discarded(self, seat: int, card: str) -> None:
        self.plays[seat].remove(card)
        self.discard.append(card)

    def on_used(self, seat: int, card: str) -> None:
        self.all_cut()
        assert seat == self.active
        assert self.gave
        assert not self.acted
        self.acted = True
        self.extra = card == "double-bill" and self.deck > 0

    def on_called(self, seat: int, card: str) -> None:
        self.discard.remove(card)
        self.plays[seat].append(card)

    def on_swapped(self, seat: int, of: int, first: str, second: str) -> None:
        assert seat != of
        self.plays[seat].remove(first)
        self.plays[of].remove(second)
        self.plays[seat].append(second)
        self.plays[of].append(first)

    def on_reviewed(self, seat: int, of: int, card: str) -> None:
        assert seat != of
        assert card in self.plays[of]

    def on_recast(self, seat: int, of: int, to: int, card: str) -> None:
        assert len({seat, of, to}) == 3
        self.plays[of].remove(card)
        self.plays[to].append(card)

    def on_encore(self, seat: int, card: str) -> None:
        self.discard.remove(card)
        self.deck += 1

    def on_burnt(self, seat: int, card: str) -> None:
        self.deck -= 1
        self.discard.append(card)

    def on_passed(self, seat: int, to: int, card: str) -> None:
        assert to == (seat + 1) % self.seats
        self.plays[seat].remove(card)
        self.plays[to].append(card)

    def on_king(self, card: str) -> None:
        self.all_cut()
        assert self.deck == 0
        self.king = GENRE[card]

    def on_muse(self, seat: int, card: str) -> None:
        self.muses[seat] = card.removeprefix("muse-")

    def judge(self) -> tuple[list[int], list[int], list[int]]:
        """Winners, beheaded, without patron."""
        beheaded, lost = [], []
        for seat, play in enumerate(self.plays):
            genres = [card.removeprefix("play-") for card in play]
            muse = self.muses[seat]
            if self.king not in genres:
                beheaded.append(seat)
            if genres.count(muse) < (2 if self.two_cards and muse == self.king else 1):
                lost.append(seat)
        return [seat for seat in range(self.seats) if seat not in (*beheaded, *lost)], beheaded, lost


def check(seats: int, number: int) -> None:
    two_cards = bool(number % 2)
    record = new_table("moods", seats, seed=b"referee %d" % number, options={"two_cards_when_same": two_cards})
    running, rng = replay(record), FastRng(number)
    while running.result is None:
        step(running, rng)
    referee = Referee(seats, two_cards)
    for key, said, _ in running.table.events:
        referee.hear(key, said)
    table = running.table
    assert [sorted(play) for play in referee.plays] == [sorted(card.key for card in zone.cards) for zone in table.plays]
    assert sorted(referee.discard) == sorted(card.key for card in table.discard.cards)
    facts = running.result.facts
    assert referee.judge() == (list(running.result.winners), facts["beheaded"], facts["without_patron"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_referee_agrees_on_random_games(seats: int) -> None:
    for number in range(25):
        check(seats, number)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_referee_agrees_on_a_thousand_games(seats: int) -> None:
    for number in range(1000, 2000):
        check(seats, number)
