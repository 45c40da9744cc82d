"""What a bot is given besides its view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cardgames.engine import Deck, Game, Rng, RunningTable, View


@dataclass(frozen=True, slots=True)
class BotContext:
    """The deck, and imagined tables that look the same to the seat but are otherwise made up."""

    game: Game
    deck: Deck
    imagine: Callable[[Rng], RunningTable]


class Bot(Protocol):
    def choose(self, view: View, mind: BotContext, rng: Rng) -> str: ...


def bot_context_of(live: RunningTable, seat: int) -> BotContext:
    """The context of one seat's bot: it can imagine hidden cards but not see them."""
    return BotContext(live.game, live.record.deck, lambda rng: live.determinize(seat, rng))


def choose_for_bot(bot: Bot, live: RunningTable, seat: int, rng: Rng) -> str:
    """The key this bot chooses for the seat that is asked now."""
    return bot.choose(live.view(seat), bot_context_of(live, seat), rng)
