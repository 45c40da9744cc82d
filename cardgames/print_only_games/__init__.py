"""Card games that are printed here but not played on the site: house decks as data, and each card's picture. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cardgames.drawing.card_content import CardContent
from cardgames.engine import Deck, DeckSchema
from cardgames.engine.decks import read_deck
from cardgames.print_only_games import majesty, moods

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PrintOnlyGame:
    """``cards`` gives a picture for every single card of the box, with the key of its back."""

    key: str
    title: str
    schema: DeckSchema
    backs: dict[str, tuple[str, str]]
    cards: Callable[[Deck], Iterator[tuple[CardContent, str]]]


ON_PAPER = {
    game.key: game
    for game in (
        PrintOnlyGame("moods", moods.TITLE, moods.SCHEMA, moods.BACKS, moods.cards),
        PrintOnlyGame("majesty", majesty.TITLE, majesty.SCHEMA, majesty.BACKS, majesty.cards),
    )
}


@cache
def print_only_deck(key: str) -> Deck:
    return read_deck(ON_PAPER[key].schema, (HERE / f"{key}.json").read_text(encoding="utf-8"))
