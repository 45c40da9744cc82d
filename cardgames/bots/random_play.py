"""The bot that plays anything."""

from __future__ import annotations

from cardgames.bots.mind import Mind
from cardgames.engine import Rng, View


class AtRandom:
    def choose(self, view: View, mind: Mind, rng: Rng) -> str:
        keys: list[str] = view["ask"]["keys"]
        return keys[rng.below(len(keys))]
