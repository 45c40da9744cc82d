"""Card games that are printed here but not played on the site: their house decks as data, and what stands on each card. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cardgames.drawing.picture import Picture
from cardgames.engine import Deck, DeckSchema
from cardgames.engine.decks import read_deck
from cardgames.on_paper import majesty, moods

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PaperGame:
    """``cards`` gives a picture for every single card of the box, with the key of its back."""

    key: str
    title: str
    schema: DeckSchema
    backs: dict[str, tuple[str, str]]
    cards: Callable[[Deck], Iterator[tuple[Picture, str]]]


ON_PAPER = {
    game.key: game
    for game in (
        PaperGame("moods", moods.TITLE, moods.SCHEMA, moods.BACKS, moods.cards),
        PaperGame("majesty", majesty.TITLE, majesty.SCHEMA, majesty.BACKS, majesty.cards),
    )
}


@cache
def paper_deck(key: str) -> Deck:
    return read_deck(ON_PAPER[key].schema, (HERE / f"{key}.json").read_text(encoding="utf-8"))
