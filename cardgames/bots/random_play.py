"""The bot that plays at random."""

from __future__ import annotations

from cardgames.bots.bot_context import BotContext
from cardgames.engine import Rng, View


class RandomBot:
    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        keys = view.asked.keys
        return keys[rng.below(len(keys))]
