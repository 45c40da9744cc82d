"""The bot that plays at random."""

from __future__ import annotations

from cardgames.bots.bot_context import BotContext
from cardgames.engine import Rng, View


class RandomBot:
    def choose(self, view: View, mind: BotContext, rng: Rng) -> str:
        keys: list[str] = view["ask"]["keys"]
        return keys[rng.below(len(keys))]
