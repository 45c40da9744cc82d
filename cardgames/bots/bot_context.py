"""What a bot is given besides its view, and the two bots that need no more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from cardgames.engine import Deck, Game, Rng, RunningTable, View, pick_best
from cardgames.engine.seat_reading import EventView


@dataclass(frozen=True, slots=True)
class BotContext:
    """The deck, imagined tables that look the same to the seat but are otherwise made up, and what it saw happen."""

    game: Game
    deck: Deck
    imagine: Callable[[Rng], RunningTable]
    events: Callable[[], Sequence[EventView]] = lambda: ()


class Bot(Protocol):
    def choose(self, view: View, context: BotContext, rng: Rng) -> str: ...


def bot_context_of(running: RunningTable, seat: int) -> BotContext:
    """The context of one seat's bot: it can imagine hidden cards but not see them."""
    return BotContext(
        running.game, running.record.deck, lambda rng: running.determinize(seat, rng), lambda: running.events(seat)
    )


def choose_for_bot(bot: Bot, running: RunningTable, seat: int, rng: Rng) -> str:
    """The key this bot chooses for the seat that is asked now."""
    return bot.choose(running.view(seat), bot_context_of(running, seat), rng)


class RandomBot:
    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        keys = view.asked.keys
        return keys[rng.below(len(keys))]


class GreedyBot:
    def choose(self, view: View, context: BotContext, rng: Rng) -> str:
        return pick_best(context.game.rate_choices(view, context.deck), rng)
