"""The bot that takes what looks best at once, by the game's opinion of its view."""

from __future__ import annotations

from cardgames.bots.mind import Mind
from cardgames.engine import Rng, View, pick_best


class Greedy:
    def choose(self, view: View, mind: Mind, rng: Rng) -> str:
        return pick_best(mind.game.opinion(view, mind.deck), rng)
