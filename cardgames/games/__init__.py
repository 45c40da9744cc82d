"""The games we have, each a folder here. A table names its game by key and rules version; old versions stay in use."""

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgames.engine import Deck, Game, Record, RunningTable, complete_options
from cardgames.engine.deck_data import read_deck
from cardgames.engine.how_to_play import HowTo
from cardgames.engine.printed_game import Companion
from refusal import Refusal

GAMES: dict[tuple[str, int], Game] = {}
# The newest version of each, for new tables.
SHELF: dict[str, Game] = {}
HOWTO: dict[str, HowTo] = {}
HOUSE: dict[str, Callable[[], Deck]] = {}


def register_game(game: Game, howto: HowTo, folder: Path) -> None:
    """Registers a game and the folder of its deck. Those here are found by themselves; a game elsewhere calls this."""
    GAMES[game.key, game.version] = game
    SHELF[game.key] = game
    HOWTO[game.key] = howto
    HOUSE[game.key] = cache(lambda: read_deck(game.schema, (folder / "deck.json").read_text(encoding="utf-8")))


def _find_games() -> None:
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            package, howto = (import_module(f"{__name__}.{module.name}{end}") for end in ("", ".how_to_play"))
            register_game(package.GAME, howto.HOWTO, Path(__file__).parent / module.name)


def find_game(key: str, version: int | None = None) -> Game:
    game = SHELF.get(key) if version is None else GAMES.get((key, version))
    if game is None:
        raise Refusal("There is no such game.", status=404)
    return game


def find_companion(key: str) -> Companion:
    """A game's companion beside printed cards."""
    game = find_game(key)
    if game.companion is None:
        raise Refusal(f"{game.title} has no page for printed cards. Print its score sheet instead.", status=404)
    return game.companion


def house_deck(key: str) -> Deck:
    """The deck that comes with a game."""
    find_game(key)
    return HOUSE[key]()


def new_table(
    key: str,
    seats: int,
    *,
    seed: bytes,
    options: Mapping[str, Any] | None = None,
    deck: Deck | None = None,
    manual: bool = False,
) -> Record:
    """A table to be stored and played: the newest rules, checked options, a seed that only the store knows."""
    game = find_game(key)
    deck = deck or house_deck(key)
    if deck.game != key:
        raise Refusal("This deck is for another game.")
    if type(seats) is not int or seats not in game.seat_range(deck):
        low, high = game.seat_limits(deck)
        wanted = f"exactly {low}" if low == high else f"{low} to {high}"
        raise Refusal(f"{game.title} is for {wanted} players.", field="seats")
    if not seed and not manual:
        raise ValueError("A table dealt by the site needs a seed.")
    return Record(
        key, game.version, deck, seats, complete_options(game.options, options or {}, seats), seed, (), manual
    )


def replay(record: Record) -> RunningTable:
    """Load a table as it is now. The only way to load one."""
    return RunningTable(find_game(record.game, record.version), record)


_find_games()
