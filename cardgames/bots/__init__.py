"""Bots. Each gets its seat's view and can imagine tables that look the same to it; it never sees the real one.

    key = choose_for_bot(LEVEL["thinker"].bot, running, seat, rng)

The same view and the same ``rng`` give the same choice, whatever the others really hold.
"""

from dataclasses import dataclass

from cardgames.bots.bot_context import Bot, BotContext, GreedyBot, RandomBot, bot_context_of, choose_for_bot
from cardgames.bots.monte_carlo import MonteCarloBot


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A strength to choose for a seat."""

    key: str
    name: str
    text: str
    bot: Bot


LEVELS = (
    BotLevel("random", "Easy", "Plays any legal card.", RandomBot()),
    BotLevel("greedy", "Medium", "Takes what is best right now and does not look ahead.", GreedyBot()),
    BotLevel(
        "thinker",
        "Hard",
        "Remembers who did what, and imagines many endings of the game before it chooses.",
        MonteCarloBot(rollouts=400, seconds=0.1),
    ),
)
LEVEL = {level.key: level for level in LEVELS}

__all__ = ["LEVEL", "LEVELS", "Bot", "BotContext", "BotLevel", "GreedyBot", "MonteCarloBot", "RandomBot"]
__all__ += ["bot_context_of", "choose_for_bot"]
