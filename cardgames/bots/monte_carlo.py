"""The bot that imagines: it re-deals what it cannot see, tries a choice, plays on quickly to the end, and counts.

It remembers what happened: imagined tables count by how well they fit it. Choices that fall behind are dropped
(successive halving), so time goes to comparing the good ones. With ``seconds`` it stops at the clock; with ``rollouts``
alone it is a function of view and ``rng``, which the leak test needs.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence

from cardgames.bots.bot_context import BotContext
from cardgames.engine import FastRng, Rng, RunningTable, View

# How many imagined games the game's own rating counts for, and how much of a win it puts between best and worst.
PRIOR = 16
LEAN = 0.3
# How many choices of its own right after the one it tries.
FOLLOW = 2
# No imagined game is played on for longer, whatever the game says. What is not finished then counts by the game's value
# of a position.
MAX_STEPS = 150


class MonteCarloBot:
    def __init__(
        self,
        rollouts: int = 160,
        seconds: float | None = None,
        breadth: int = 4,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.rollouts = rollouts
        self.seconds = seconds
        self.breadth = breadth
        self.clock = clock

    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        keys = view.asked.keys
        if len(keys) == 1:
            return keys[0]
        if view.asked.kind in context.game.settled_by_rating:
            weights = context.game.rate_choices(view, context.deck)
            return max(weights, key=lambda key: (weights[key], key))
        values = self.rate(view, context, rng)
        return max(values, key=lambda key: (values[key], key))

    def rate(self, view: View, context: BotContext, rng: Rng) -> Mapping[str, float]:
        """The choices that were compared to the end, each with its average value from 0 to 1."""
        seat = view.reader
        end = None if self.seconds is None else self.clock() + self.seconds
        read_history = context.game.read_history
        insight = read_history(view, context.deck, context.events()) if read_history else None
        weights = insight.rate_choices(view) if insight else context.game.rate_choices(view, context.deck)
        # The rating decides what is worth imagining, and counts like a few imagined games.
        left = _best_rated(weights)[: self.breadth]
        quick = FastRng(rng.below(1 << 30))
        top, spread = weights[left[0]], weights[left[0]] - weights[left[-1]]
        if not 0 < spread < math.inf:
            spread = 1.0
        total = {key: PRIOR * (0.5 - LEAN * min(1.0, (top - weights[key]) / spread)) for key in left}
        tries: dict[str, float] = dict.fromkeys(left, PRIOR)
        rounds = max(1, (len(left) - 1).bit_length())
        budget = self.rollouts
        for turn in range(rounds):
            each = max(1, budget // (rounds * len(left)))
            for _ in range(each):
                # The same imagined deal for every choice in a round of tries: luck of the deal cancels out.
                deal = quick.below(1 << 30)
                for key in left:
                    if end is not None and self.clock() >= end:
                        return {key: total[key] / tries[key] for key in left}
                    world = context.imagine(FastRng(deal))
                    weight = insight.likelihood(world.table) if insight else 1.0
                    if weight < 0.05:
                        break
                    world.choose(seat, key)
                    follow_up(world, seat, context)
                    total[key] += weight * play_to_end(world, seat, FastRng(deal + 1))
                    tries[key] += weight
            if turn < rounds - 1:
                left = sorted(left, key=lambda key: (-total[key] / tries[key], key))[: (len(left) + 1) // 2]
        return {key: total[key] / tries[key] for key in left}


def _best_rated(weights: Mapping[str, float]) -> Sequence[str]:
    """The keys, best first, without those that are only a last resort."""
    keys = sorted(weights, key=lambda key: (-weights[key], key))
    return [key for key in keys if weights[key] > -math.inf] or keys


def follow_up(world: RunningTable, seat: int, context: BotContext) -> None:
    """What belongs to the same move is chosen with care: a card is worth what its best target makes of it."""
    for _ in range(FOLLOW):
        ask = world.single
        if ask is None or ask.seat != seat:
            return
        weights = context.game.rate_choices(world.view(seat), context.deck)
        world.choose(seat, max(weights, key=lambda key: (weights[key], key)))


def play_to_end(world: RunningTable, seat: int, rng: Rng) -> float:
    """Play an imagined table on with quick choices, to its end or for so many steps; returns its value for the seat."""
    choose_quickly, below, choose = world.game.choose_quickly, rng.below, world.choose
    value_of_position = world.game.value_of_position
    left = min(MAX_STEPS, world.game.imagined_steps)
    while world.result is None:
        if value_of_position is not None and not left:
            return value_of_position(world.table, seat)
        left -= 1
        ask = world.single
        if ask is None:
            ask = world.question_for(world.unanswered_seats[0])
            assert ask is not None
        if choose_quickly is not None:
            choose(ask.seat, choose_quickly(world.table, ask, rng, seat))
        else:
            keys = list(ask.options)
            choose(ask.seat, keys[below(len(keys))])
    return world.game.value_of_result(world.result, seat)
