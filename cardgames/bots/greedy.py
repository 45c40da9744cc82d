"""The bot that takes what looks best at once, by the game's opinion of its view."""

from __future__ import annotations

from cardgames.bots.bot_context import BotContext
from cardgames.engine import Rng, View, pick_best


class GreedyBot:
    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        return pick_best(context.game.rate_choices(view, context.deck), rng)
