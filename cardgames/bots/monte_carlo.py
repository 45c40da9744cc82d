"""The bot that imagines: it re-deals what it cannot see, tries a choice, plays on quickly to the end, and counts.

Choices that fall behind are dropped (successive halving), so time goes to comparing the good ones. With ``seconds`` it
stops at the clock; with ``rollouts`` alone it is a function of view and ``rng``, which the leak test needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from cardgames.bots.bot_context import BotContext
from cardgames.engine import FastRng, Rng, RunningTable, View

# How many imagined games the game's own opinion counts for, and how much of a win it puts between best and worst.
PRIOR = 16
LEAN = 0.2
# How many choices of its own right after the one it tries.
FOLLOW = 2


class MonteCarloBot:
    def __init__(
        self,
        rollouts: int = 160,
        seconds: float | None = None,
        breadth: int = 6,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.rollouts = rollouts
        self.seconds = seconds
        self.breadth = breadth
        self.clock = clock

    def choose(self, view: View, mind: BotContext, rng: Rng) -> str:
        keys: list[str] = view["ask"]["keys"]
        if len(keys) == 1:
            return keys[0]
        seat: int = view["seat"]
        end = None if self.seconds is None else self.clock() + self.seconds
        weights = mind.game.opinion(view, mind.deck)
        # The game's own opinion decides what is worth imagining, and counts like a few imagined games.
        left = sorted(keys, key=lambda key: (-weights[key], key))[: self.breadth]
        quick = FastRng(rng.below(1 << 30))
        top, spread = weights[left[0]], weights[left[0]] - weights[left[-1]] or 1.0
        total = {key: PRIOR * (0.5 - LEAN * (top - weights[key]) / spread) for key in left}
        tries = dict.fromkeys(left, PRIOR)
        rounds = max(1, (len(left) - 1).bit_length())
        budget = self.rollouts
        for turn in range(rounds):
            each = max(1, budget // (rounds * len(left)))
            for _ in range(each):
                # The same imagined deal for every choice in a round of tries: luck of the deal cancels out.
                deal = quick.below(1 << 30)
                for key in left:
                    if end is not None and self.clock() >= end:
                        return self._best(left, total, tries)
                    world = mind.imagine(FastRng(deal))
                    world.choose(seat, key)
                    follow_up(world, seat, mind)
                    total[key] += play_to_end(world, seat, FastRng(deal + 1))
                    tries[key] += 1
            if turn < rounds - 1:
                left = sorted(left, key=lambda key: (-total[key] / tries[key], key))[: (len(left) + 1) // 2]
        return self._best(left, total, tries)

    @staticmethod
    def _best(left: Sequence[str], total: dict[str, float], tries: dict[str, int]) -> str:
        return max(left, key=lambda key: (total[key] / tries[key], key))


def follow_up(world: RunningTable, seat: int, mind: BotContext) -> None:
    """What belongs to the same move is chosen with care: a card is worth what its best target makes of it."""
    for _ in range(FOLLOW):
        ask = world.single
        if ask is None or ask.seat != seat:
            return
        weights = mind.game.opinion(world.view(seat), mind.deck)
        world.choose(seat, max(weights, key=lambda key: (weights[key], key)))


def play_to_end(world: RunningTable, seat: int, rng: Rng) -> float:
    """Play an imagined table to its end with quick choices; returns its value for the seat."""
    hunch, below, choose = world.game.hunch, rng.below, world.choose
    while world.result is None:
        ask = world.single
        if ask is None:
            ask = world.ask_of(world.awaited[0])
            assert ask is not None
        if hunch is not None:
            choose(ask.seat, hunch(world.table, ask, rng, seat))
        else:
            keys = list(ask.options)
            choose(ask.seat, keys[below(len(keys))])
    return world.game.worth(world.result, seat)
