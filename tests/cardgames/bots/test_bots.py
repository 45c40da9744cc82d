"""Bots: what they are given, that their choices are legal, and that each level beats the one before."""

from __future__ import annotations

import inspect
import math

import pytest

from cardgames.bots import LEVEL, LEVELS, GreedyBot, MonteCarloBot, RandomBot, bot_context_of, choose_for_bot
from cardgames.bots.bot_context import Bot
from cardgames.engine import FastRng, RunningTable
from cardgames.games import new_table, replay


def played(key: str, seats: int, number: int, choose_bots, **options: object) -> RunningTable:
    """Plays a whole game of bots; ``choose_bots(live)`` names the bot of each seat."""
    live = replay(new_table(key, seats, seed=b"bots %d" % number, options=options))
    bots = choose_bots(live)
    rngs = [FastRng(number * 10 + seat) for seat in range(seats)]
    while live.result is None:
        seat = live.awaited[0]
        live.choose(seat, choose_for_bot(bots[seat], live, seat, rngs[seat]))
    return live


def as_vizier(bot: Bot, games: int, first: int = 0) -> int:
    """How often this bot wins as Vizier, alone or shared, against three random players."""
    won = 0
    for number in range(first, first + games):
        live = played(
            "menagerie",
            4,
            number,
            lambda live: [bot if seat == live.table.vizier else RandomBot() for seat in range(4)],
        )
        assert live.result is not None
        won += live.table.vizier in live.result.winners
    return won


def lower_bound(won: int, games: int, other: int, others: int) -> float:
    """The lower 95 % bound of the difference of two shares."""
    p, q = won / games, other / others
    return p - q - 1.96 * math.sqrt(p * (1 - p) / games + q * (1 - q) / others)


def test_bots_never_get_the_seed() -> None:
    for level in LEVELS:
        assert list(inspect.signature(level.bot.choose).parameters) == ["view", "mind", "rng"]
    live = replay(new_table("menagerie", 4, seed=b"the secret seed"))
    seat = live.asked[0]
    mind = bot_context_of(live, seat)
    assert "seed" not in live.view(seat)
    world = mind.imagine(FastRng(1))
    assert world.record.seed == b""
    assert world.stored().rows == ()
    true_hands = [[card.key for card in hand.cards] for hand in live.table.hands]
    made = [[[card.key for card in hand.cards] for hand in mind.imagine(FastRng(n)).table.hands] for n in range(6)]
    assert all(hands[seat] == true_hands[seat] for hands in made)
    assert any(hands != true_hands for hands in made)
    # What comes next is imagined as well, not taken from the seed.
    futures = {tuple(card.key for card in mind.imagine(FastRng(n)).table.deck.cards[-5:]) for n in range(6)}
    assert len(futures) > 3


@pytest.mark.parametrize("level", [level.key for level in LEVELS])
@pytest.mark.parametrize(("key", "seats"), [("menagerie", 4), ("monarchs", 1), ("monarchs", 2)])
def test_every_level_makes_legal_choices(level: str, key: str, seats: int) -> None:
    bot = LEVEL[level].bot if level != "thinker" else MonteCarloBot(rollouts=4, breadth=2)
    live = replay(new_table(key, seats, seed=b"open"))
    rng = FastRng(1)
    for _ in range(40):
        if live.result is not None:
            break
        seat = live.awaited[0]
        again = FastRng(7)
        key_chosen = choose_for_bot(bot, live, seat, FastRng(7))
        assert key_chosen in live.ask_of(seat).options
        assert choose_for_bot(bot, live, seat, again) == key_chosen
        keys = list(live.ask_of(seat).options)
        live.choose(seat, keys[rng.below(len(keys))])


def test_thinker_respects_its_time_limit() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    live = replay(new_table("menagerie", 4, seed=b"time"))
    seat = live.asked[0]
    imagined = 0
    mind = bot_context_of(live, seat)

    def counted(rng):
        nonlocal imagined
        imagined += 1
        return mind.imagine(rng)

    from dataclasses import replace

    bot = MonteCarloBot(rollouts=10_000, seconds=0.05, clock=clock)
    key = bot.choose(live.view(seat), replace(mind, imagine=counted), FastRng(1))
    assert key in live.ask_of(seat).options
    assert 40 <= imagined <= 51


def test_greedy_beats_random_at_both_games() -> None:
    viziers = as_vizier(GreedyBot(), 150), as_vizier(RandomBot(), 300)
    assert lower_bound(viziers[0], 150, viziers[1], 300) > 0.0
    won = 0.0
    for number in range(20):
        live = played(
            "monarchs",
            2,
            number,
            lambda live, first=number % 2: [[GreedyBot(), RandomBot()][seat ^ first] for seat in range(2)],
        )
        assert live.result is not None
        won += (number % 2 in live.result.winners) / len(live.result.winners)
    assert won >= 18


def test_greedy_solo_score_matches_the_house_deck_target() -> None:
    scores = [played("monarchs", 1, number, lambda live: [GreedyBot()]).result.scores[0] for number in range(12)]
    assert sorted(scores)[6] > 15


def test_thinker_is_a_much_better_vizier_than_random() -> None:
    """The short version: few games and few imagined endings. The long version is below and in the benchmarks."""
    games = 30
    thinking, chance = as_vizier(MonteCarloBot(rollouts=14), games), as_vizier(RandomBot(), 600)
    assert lower_bound(thinking, games, chance, 600) > 0.0


@pytest.mark.soak
def test_thinker_beats_random_by_fifteen_points_with_confidence() -> None:
    games = 400
    bot = MonteCarloBot(seconds=0.1)
    thinking, chance = as_vizier(bot, games, first=5000), as_vizier(RandomBot(), games, first=5000)
    assert lower_bound(thinking, games, chance, games) >= 0.15
