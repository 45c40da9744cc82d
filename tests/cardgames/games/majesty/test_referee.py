"""Random games against a referee written from the ledger alone: it hears what happens and keeps the courts itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardgames.games.majesty as majesty
from cardgames.bots import GreedyBot, choose_for_bot
from cardgames.engine import FastRng, RunningTable
from cardgames.games import new_table, replay
from tests.cardgames.engine.game_laws import step

DECK = json.loads((Path(majesty.__file__).parent / "deck.json").read_text(encoding="utf-8"))
CARDS = {row["id"]: row["values"] for row in DECK["cards"]}
BELOW = {3: 1, 5: 3}


def printed(card: str) -> dict[str, Any]:
    """What is printed on a card; copies of one card have a number after a dot."""
    result: dict[str, Any] = CARDS[card.partition(".")[0]]
    return result


class Referee:
    """Courts, scandals and hand sizes, from what happens; and whether each of it was allowed."""

    def __init__(self, seats: int, *, paycheck: str = "none", faux_pas: bool = False) -> None:
        self.seats = seats
        self.paycheck, self.faux_pas = paycheck, faux_pas
        # Y75, Y92
        self.target = 16 if paycheck == "wealth" else 20
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
        # Lingering events by who played them: the row of the card, and what it names.
        self.lingering: list[list[tuple[str, tuple[str, ...]]]] = [[] for _ in range(seats)]
        # The salon that is going on: guests asked for and lent by court, and who attends as the table shows it.
        self.invited: dict[int, str] = {}
        self.lent: dict[int, str] = {}
        self.attending: list[str] = []

    def hear(self, key: str, said: dict[str, Any]) -> None:
        getattr(self, f"on_{key.replace('-', '_')}", lambda **_: None)(**said)
        # Y10, Y11
        assert all(0 <= hand <= limit for hand, limit in zip(self.hands, self.limits, strict=True))

    def marks(self, row: str) -> list[tuple[int, tuple[str, ...]]]:
        return [(seat, names) for seat, each in enumerate(self.lingering) for kind, names in each if kind == row]

    def wealth(self, seat: int) -> int:
        """Y41, with hurricanes and booms."""
        wrecked = {card for _, cards in self.marks("hurricane") for card in cards}
        coins = sum(0 if card in wrecked else printed(card)["coins"] for card in self.colonies[seat])
        booms = sum(owner == seat for owner, _ in self.marks("boom"))
        return coins + (2 * booms if self.colonies[seat] else 0)

    def prestige(self) -> list[int]:
        """Y70 to Y74, Y92"""
        out = []
        for seat in range(self.seats):
            worth = sorted((printed(card)["prestige"] for card in self.philosophes[seat]), reverse=True)
            if self.paycheck == "wealth":
                worth = worth[: self.wealth(seat)]
            slaves = 0 if self.abolished else sum(bool(printed(card)["slavery"]) for card in self.colonies[seat])
            out.append(sum(worth) + sum(printed(card)["level"] for card in self.reforms[seat]) - slaves)
        return out

    def winners(self) -> list[int]:
        """Y75, Y76, Y77, Y91: whoever has won at this moment."""
        scores = self.prestige()
        able = [
            seat
            for seat, score in enumerate(scores)
            if score >= self.target and (self.paycheck != "reform" or max(self.levels(seat), default=0) >= 3)
        ]
        return [seat for seat in able if scores[seat] == max(scores[other] for other in able)]

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
        assert not self.marks("peace")
        assert card in self.colonies[of]
        assert printed(other_card)["kind"] == "campaign"
        self.hands[seat] -= 1

    def on_defended(self, seat: int, of: int, card: str, other_card: str) -> None:
        assert printed(other_card)["kind"] == "campaign"
        self.hands[seat] -= 1

    def on_seized(self, seat: int, of: int, card: str) -> None:
        self.colonies[of].remove(card)
        self.colonies[seat].append(card)

    def on_boom(self, seat: int, card: str) -> None:
        self.lingering[seat].append(("boom", ()))

    def on_tour(self, seat: int, card: str) -> None:
        self.lingering[seat].append(("tour", ()))

    def on_peace(self, seat: int, card: str) -> None:
        self.lingering[seat].append(("peace", ()))

    def on_wrecked(self, seat: int, of: int, cards: list[str]) -> None:
        assert seat != of
        assert 1 <= len(set(cards)) == len(cards) <= 2
        assert all(card in self.colonies[of] for card in cards)
        self.lingering[seat].append(("hurricane", tuple(cards)))

    def on_censored(self, seat: int, muse: str) -> None:
        self.lingering[seat].append(("censor", (muse,)))

    def on_expired(self, seat: int, cards: list[str]) -> None:
        """Y27"""
        assert len(cards) == len(self.lingering[seat])
        self.lingering[seat] = []

    def on_declared(self, seat: int, card: str) -> None:
        """Y45, Y46, Y52, YR-7"""
        self.act(seat, "salon")
        self.paid = False
        self.invited, self.lent, self.attending = {}, {}, []
        reform = printed(card)
        assert all(card not in court for court in self.reforms)
        assert any(printed(guest)["muse"] == reform["muse"] for guest in self.philosophes[seat])
        assert self.wealth(seat) >= 2
        assert (reform["muse"],) not in [names for _, names in self.marks("censor")]
        below = BELOW.get(reform["level"])
        if below is not None and below not in self.levels(seat):
            assert 2 * sum(below in self.levels(other) for other in range(self.seats)) >= self.seats

    def owner_of(self, card: str) -> int:
        return next(seat for seat, court in enumerate(self.philosophes) if card in court)

    def on_invited(self, seat: int, cards: list[str]) -> None:
        """Y57: one guest from each other court at most."""
        self.invited = {self.owner_of(card): card for card in cards}
        assert len(self.invited) == len(cards)
        assert seat not in self.invited

    def on_lent(self, seat: int, of: int, card: str) -> None:
        """Y58: the owner lends the guest or offers another one of the same court."""
        assert self.owner_of(card) == seat
        assert seat in self.invited
        self.lent[seat] = card

    def on_refused(self, seat: int, of: int, card: str) -> None:
        assert self.invited[seat] == card
        assert seat not in self.lent

    def judge(self, seat: int, card: str, number: int, sophia: int, difficulty: int, won: bool) -> None:
        """Y55, Y56, Y57, Y60 to Y63, Y90"""
        self.paid = False
        reform = printed(card)
        assert 2 <= len(self.attending) <= self.wealth(seat)
        assert len(set(self.attending)) == len(self.attending)
        assert set(self.attending) <= {*self.philosophes[seat], *self.lent.values()}
        muses = [printed(guest)["muse"] for guest in self.attending]
        tours = sum(owner == seat for owner, _ in self.marks("tour"))
        assert sophia == sum(2 if muse == reform["muse"] else 1 for muse in muses) + 2 * tours
        assert difficulty == reform["level"] + number + self.scandals[seat]
        assert won == (sophia > difficulty and not (self.faux_pas and number == 6))

    def on_salon_failed(self, seat: int, card: str, other_card: str, number: int, sophia: int, difficulty: int) -> None:
        self.judge(seat, card, number, sophia, difficulty, False)

    def on_salon_won(self, seat: int, card: str, other_card: str, number: int, sophia: int, difficulty: int) -> None:
        self.judge(seat, card, number, sophia, difficulty, True)
        self.reforms[seat].append(card)
        # Y73
        self.abolished = self.abolished or card.startswith("re-abolition")

    def on_salon_off(self, seat: int, card: str) -> None:
        self.paid = False


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


def check(seats: int, number: int, rounds: int = 20, *, sensible: bool = False, **agreed: Any) -> str:
    """Plays a game at random, or with sensible players, and returns how it ended."""
    options = {"round_limit": rounds, **agreed}
    running = replay(new_table("majesty", seats, seed=b"referee %d" % number, options=options))
    rng, heard = FastRng(number), 0
    referee = Referee(seats, **{key: agreed[key] for key in ("paycheck", "faux_pas") if key in agreed})
    while True:
        for key, said, _ in running.table.events[heard:]:
            referee.hear(key, dict(said))
        heard = len(running.table.events)
        # Between two actions no card is in use.
        if running.result is not None or running.kind == "act":
            agree(referee, running)
        if running.result is not None:
            break
        assert not referee.winners()  # Y75
        if running.kind == "attend":
            referee.attending = list(running.view(None).fields["attending"])
        if sensible and running.unanswered_seats:
            seat = running.unanswered_seats[0]
            running.choose(seat, choose_for_bot(GreedyBot(), running, seat, rng))
        else:
            step(running, rng)
    result, scores = running.result, referee.prestige()
    assert list(result.scores) == scores
    is_reached = result.outcome in ("reached", "shared")
    assert is_reached == bool(referee.winners())
    # At the round limit the highest wins too, whatever else was agreed (YR-20, YR-32).
    highest = [seat for seat, score in enumerate(scores) if score == max(scores)]
    assert list(result.winners) == (referee.winners() if is_reached else highest)
    return result.outcome


# What was agreed at the table, for the rules of the options.
AGREED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "faux pas": {"faux_pas": True, "negotiate_first": True},
    "a reform is needed": {"paycheck": "reform", "muse_must_attend": True},
    "paid philosophes": {"paycheck": "wealth", "faux_pas": True},
}


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_referee_agrees_on_random_games(seats: int) -> None:
    """YI-5, YI-6, YI-8, YI-9"""
    for number in range(3):
        check(seats, number)


@pytest.mark.parametrize("agreed", AGREED.values(), ids=AGREED)
def test_referee_agrees_on_sensible_games_that_reach_the_target(agreed: dict[str, Any]) -> None:
    """Y90, Y91, Y92: with players who get somewhere, so that salons are full and the game is won."""
    ended = [check(seats, number, 40, sensible=True, **agreed) for number, seats in enumerate((3, 5))]
    assert "reached" in ended


@pytest.mark.soak
@pytest.mark.parametrize("agreed", AGREED.values(), ids=AGREED)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_referee_agrees_on_many_games(seats: int, agreed: dict[str, Any]) -> None:
    """Y55, Y56, Y57"""
    ended = [check(seats, number, sensible=number % 2 == 0, **agreed) for number in range(1000, 1100)]
    assert ended.count("reached") > 20
