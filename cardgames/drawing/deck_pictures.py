"""All pictures of one deck, by the id of the face, as views and sheets name it."""

from __future__ import annotations

from functools import lru_cache

from cardgames.drawing import menagerie, monarchs
from cardgames.drawing.picture import Picture
from cardgames.drawing.svg import back_svg, card_svg
from cardgames.engine import Deck
from cardgames.games.menagerie.faces import faces_of as animals_of
from cardgames.games.monarchs.faces import faces_of as mice_of

TITLES = {"menagerie": menagerie.TITLE, "monarchs": monarchs.TITLE}
BACKS = {"menagerie": menagerie.BACKS, "monarchs": monarchs.BACKS}


class Pack:
    """The pictures of a deck. A face the deck does not hold is an error: nothing unknown is ever drawn."""

    __slots__ = ("deck", "pictures")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.pictures = {found.id: found for found in _pictures(deck)}

    def picture(self, face: str) -> Picture:
        return self.pictures[face]

    def svg(self, face: str, size: str = "s", decorative: bool = False) -> str:
        return card_svg(self.pictures[face], size, decorative)

    def back(self, kind: str = "", size: str = "s", decorative: bool = False) -> str:
        """The back of a pile: "play" or "role" in Royal Menagerie, "court" or "starting" in Of Mice and Monarchs."""
        backs = BACKS[self.deck.game]
        charge, tincture = backs[kind or next(iter(backs))]
        return back_svg(TITLES[self.deck.game], charge, tincture, size, decorative)


def _pictures(deck: Deck) -> list[Picture]:
    if deck.game == "menagerie":
        return [menagerie.picture(face) for face in animals_of(deck)]
    return [monarchs.picture(face) for face in mice_of(deck)]


@lru_cache(maxsize=64)
def pack_of(deck: Deck) -> Pack:
    return Pack(deck)
