"""What a bot is given besides its view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cardgames.engine import Deck, Game, Live, Rng, View


@dataclass(frozen=True, slots=True)
class Mind:
    """The game's printed facts, and imagined tables: they look the same to the seat and are otherwise made up."""

    game: Game
    deck: Deck
    imagine: Callable[[Rng], Live]


class Bot(Protocol):
    def choose(self, view: View, mind: Mind, rng: Rng) -> str: ...


def mind_of(live: Live, seat: int) -> Mind:
    """The mind of one seat at this table. It can imagine, and cannot look."""
    return Mind(live.game, live.record.deck, lambda rng: live.determinize(seat, rng))


def bot_key(bot: Bot, live: Live, seat: int, rng: Rng) -> str:
    """The key this bot chooses for the seat that is asked now."""
    return bot.choose(live.view(seat), mind_of(live, seat), rng)
