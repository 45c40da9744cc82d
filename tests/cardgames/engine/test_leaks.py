"""No leaks: if everything a seat cannot see changes, all it is shown stays the same, byte for byte."""

from __future__ import annotations

import pytest

from cardgames.bots import GreedyBot, MonteCarloBot, RandomBot, choose_for_bot
from cardgames.engine import FastRng, RunningTable
from tests.cardgames.engine import game_laws
from tests.cardgames.engine.game_laws import starts
from tests.cardgames.engine.toy_games import GOSSIP, SEATS
from tests.cardgames.games.every_setup import EVERY, REAL


@pytest.mark.parametrize("name", EVERY)
def test_views_events_and_asks_are_identical_in_every_world_a_seat_cannot_rule_out(name: str) -> None:
    """GI-10, MI-6"""
    game, start = EVERY[name]
    tried, other, result, in_windows = game_laws.leaks(game, start, 120)
    assert result == 0
    # Asked to react or not, holding the means or not: that state was looked at, too.
    if name.startswith("majesty"):
        assert in_windows
    # The worlds were really others, or the test would prove nothing. Where all lies open there is no other world.
    if name != "salon":
        assert other > tried / 3


@pytest.mark.soak
@pytest.mark.parametrize("name", REAL)
def test_ten_thousand_states_of_each_game_leak_nothing(name: str) -> None:
    game, start = EVERY[name]
    tried, other, result, _ = game_laws.leaks(game, start, 10_000, first=1000)
    assert (tried, result) == (10_000, 0)
    assert other > 3000


def test_leak_test_finds_a_real_leak() -> None:
    game, _ = GOSSIP
    assert game_laws.leaks(game, starts(*GOSSIP, SEATS), 120).found > 3


@pytest.mark.parametrize("name", EVERY)
def test_imagined_tables_do_not_depend_on_hidden_cards(name: str) -> None:
    game, start = EVERY[name]
    tried = number = 0
    while tried < 40:
        live, rng = RunningTable(game, start(number)), FastRng(number)
        number += 1
        while live.result is None:
            seat = live.asked_seats[0]
            if live.question_for(seat) is not None and live.choice_count % 4 == 0:
                other = game_laws.elsewhere(live, seat, rng)
                mine, made = live.determinize(seat, FastRng(tried)), other.determinize(seat, FastRng(tried))
                assert not game_laws.differs(mine, made)
                tried += 1
            game_laws.step(live, rng)


BOTS = {"random": RandomBot(), "greedy": GreedyBot(), "thinker": MonteCarloBot(rollouts=6, breadth=3)}


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize(
    "name", ["menagerie", "monarchs, two", "monarchs, two, brisk, stacks hidden", "siege", "parcel"]
)
def test_bot_makes_the_same_move_in_worlds_it_cannot_tell_apart(name: str, level: str) -> None:
    game, start = EVERY[name]
    _same_moves(game, start, BOTS[level], states=20, every=5)


@pytest.mark.soak
@pytest.mark.parametrize("name", REAL)
def test_thinker_makes_the_same_move_in_a_thousand_worlds(name: str) -> None:
    game, start = EVERY[name]
    _same_moves(game, start, BOTS["thinker"], states=1000, every=3)


def _same_moves(game, start, bot, states: int, every: int) -> None:
    tried = number = 0
    while tried < states:
        live, rng = RunningTable(game, start(number)), FastRng(number)
        number += 1
        while live.result is None and tried < states:
            seat = live.asked_seats[0]
            ask = live.question_for(seat)
            if ask is not None and len(ask.options) > 1 and live.choice_count % every == 0:
                other = game_laws.elsewhere(live, seat, rng)
                assert choose_for_bot(bot, live, seat, FastRng(tried)) == choose_for_bot(
                    bot, other, seat, FastRng(tried)
                )
                tried += 1
            game_laws.step(live, rng)
