"""Nothing leaks: change everything a seat cannot see, and all it is shown stays the same, byte for byte."""

from __future__ import annotations

import pytest

from cardgames.bots import AtRandom, Greedy, MonteCarlo, bot_key
from cardgames.engine import Live, Quick
from tests.cardgames import laws
from tests.cardgames.laws import starts
from tests.cardgames.shelf import EVERY, REAL
from tests.cardgames.toys import GOSSIP, SEATS


@pytest.mark.parametrize("name", EVERY)
def test_views_events_and_asks_stay_the_same_in_every_world_a_seat_must_hold_possible(name: str) -> None:
    """GI-10, MI-6"""
    game, start = EVERY[name]
    tried, other, found = laws.leaks(game, start, 120)
    assert found == 0
    # The worlds were really others, or the test would prove nothing. Where all lies open there is no other world.
    if name != "salon":
        assert other > tried / 3


@pytest.mark.soak
@pytest.mark.parametrize("name", REAL)
def test_ten_thousand_states_of_each_game_leak_nothing(name: str) -> None:
    game, start = EVERY[name]
    tried, other, found = laws.leaks(game, start, 10_000, first=1000)
    assert (tried, found) == (10_000, 0)
    assert other > 3000


def test_the_test_finds_a_leak_where_there_is_one() -> None:
    game, _ = GOSSIP
    _, _, found = laws.leaks(game, starts(*GOSSIP, SEATS), 120)
    assert found > 3


@pytest.mark.parametrize("name", EVERY)
def test_what_a_seat_imagines_does_not_depend_on_the_truth(name: str) -> None:
    game, start = EVERY[name]
    tried = number = 0
    while tried < 40:
        live, rng = Live(game, start(number)), Quick(number)
        number += 1
        while live.result is None:
            seat = live.asked[0]
            if live.ask_of(seat) is not None and len(live.line) % 4 == 0:
                other = laws.elsewhere(live, seat, rng)
                mine, made = live.determinize(seat, Quick(tried)), other.determinize(seat, Quick(tried))
                assert not laws.differs(mine, made)
                tried += 1
            laws.step(live, rng)


BOTS = {"random": AtRandom(), "greedy": Greedy(), "thinker": MonteCarlo(rollouts=6, breadth=3)}


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize(
    "name", ["menagerie", "monarchs, two", "monarchs, two, brisk, stacks hidden", "siege", "parcel"]
)
def test_a_bot_moves_alike_in_every_world_it_cannot_tell_apart(name: str, level: str) -> None:
    game, start = EVERY[name]
    _same_moves(game, start, BOTS[level], states=20, every=5)


@pytest.mark.soak
@pytest.mark.parametrize("name", REAL)
def test_the_thinker_moves_alike_in_a_thousand_worlds(name: str) -> None:
    game, start = EVERY[name]
    _same_moves(game, start, BOTS["thinker"], states=1000, every=3)


def _same_moves(game, start, bot, states: int, every: int) -> None:
    tried = number = 0
    while tried < states:
        live, rng = Live(game, start(number)), Quick(number)
        number += 1
        while live.result is None and tried < states:
            seat = live.asked[0]
            ask = live.ask_of(seat)
            if ask is not None and len(ask.options) > 1 and len(live.line) % every == 0:
                other = laws.elsewhere(live, seat, rng)
                assert bot_key(bot, live, seat, Quick(tried)) == bot_key(bot, other, seat, Quick(tried))
                tried += 1
            laws.step(live, rng)
