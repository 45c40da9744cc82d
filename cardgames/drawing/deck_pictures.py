"""All pictures of one deck, by the id of the card's face. Each game's drawings are a module ``<game>_cards`` here."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgames.drawing.card_content import CardContent, LegendSign
from cardgames.drawing.card_svg import back_svg, card_svg
from cardgames.engine import Deck
from cardgames.games import find_game

_SUFFIX = "_cards"


@dataclass(frozen=True, slots=True)
class Drawings:
    """How a game's cards look. ``legend`` explains the signs of a deck to whoever sees them for the first time."""

    title: str
    backs: Mapping[str, tuple[str, str]]
    card_content: Callable[[Any], CardContent]
    legend: Callable[[Mapping[str, CardContent]], Sequence[tuple[LegendSign, str]]]


DRAWINGS: dict[str, Drawings] = {}


def register_drawings(game: str, drawings: Drawings) -> None:
    """Registers the drawings of a game. The modules here are found automatically; a game from elsewhere calls this."""
    DRAWINGS[game] = drawings


@cache
def _find_drawings() -> None:
    for found in pkgutil.iter_modules([str(Path(__file__).parent)], "cardgames.drawing."):
        if found.name.endswith(_SUFFIX):
            module = import_module(found.name)
            key = found.name.rpartition(".")[2].removesuffix(_SUFFIX)
            DRAWINGS.setdefault(key, Drawings(module.TITLE, module.BACKS, module.card_content, module.legend))


def drawings_of(game: str) -> Drawings:
    _find_drawings()
    return DRAWINGS[game]


class DeckPictures:
    """The pictures of a deck. A face the deck does not hold is an error: nothing unknown is ever drawn."""

    __slots__ = ("deck", "drawings", "pictures")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.drawings = drawings_of(deck.game)
        faces = find_game(deck.game).faces(deck)
        self.pictures = {face.id: self.drawings.card_content(face) for face in faces}

    def picture(self, face: str) -> CardContent:
        return self.pictures[face]

    @property
    def legend(self) -> Sequence[tuple[LegendSign, str]]:
        return self.drawings.legend(self.pictures)

    def svg(self, face: str, size: str = "s", decorative: bool = False) -> str:
        return card_svg(self.pictures[face], size, decorative)

    def back(self, kind: str = "", size: str = "s", decorative: bool = False) -> str:
        """The back of a pile: "play" or "role" in Royal Menagerie, "court" or "starting" in Of Mice and Monarchs."""
        backs = self.drawings.backs
        charge, tincture = backs[kind or next(iter(backs))]
        return back_svg(self.drawings.title, charge, tincture, size, decorative)


@lru_cache(maxsize=64)
def deck_pictures_of(deck: Deck) -> DeckPictures:
    return DeckPictures(deck)
