"""Bots: each gets its seat's view, and at most a way to imagine tables that look the same to it. Never the true one.

    key = bot_key(LEVEL["thinker"].bot, live, seat, rng)

The same view and the same ``rng`` give the same choice, whatever the others really hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardgames.bots.greedy import Greedy
from cardgames.bots.mind import Bot, Mind, bot_key, mind_of
from cardgames.bots.monte_carlo import MonteCarlo
from cardgames.bots.random_play import AtRandom


@dataclass(frozen=True, slots=True)
class Level:
    """A strength to choose for a seat."""

    key: str
    name: str
    text: str
    bot: Bot


LEVELS = (
    Level("random", "Carefree", "Plays any card it may.", AtRandom()),
    Level("greedy", "Eager", "Takes what is best at once and does not look ahead.", Greedy()),
    Level("thinker", "Thoughtful", "Imagines many endings of the game before it chooses.", MonteCarlo(seconds=0.1)),
)
LEVEL = {level.key: level for level in LEVELS}

__all__ = ["LEVEL", "LEVELS", "AtRandom", "Bot", "Greedy", "Level", "Mind", "MonteCarlo", "bot_key", "mind_of"]
