"""All pictures of one deck, by the id of the card's face."""

from __future__ import annotations

from functools import lru_cache

from cardgames.drawing import menagerie_cards, monarchs_cards
from cardgames.drawing.card_content import CardContent
from cardgames.drawing.card_svg import back_svg, card_svg
from cardgames.engine import Deck
from cardgames.games.menagerie.card_faces import faces_of as animals_of
from cardgames.games.monarchs.card_faces import faces_of as mice_of

TITLES = {"menagerie": menagerie_cards.TITLE, "monarchs": monarchs_cards.TITLE}
BACKS = {"menagerie": menagerie_cards.BACKS, "monarchs": monarchs_cards.BACKS}


class DeckPictures:
    """The pictures of a deck. A face the deck does not hold is an error: nothing unknown is ever drawn."""

    __slots__ = ("deck", "pictures")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.pictures = {found.id: found for found in _card_contents(deck)}

    def picture(self, face: str) -> CardContent:
        return self.pictures[face]

    def svg(self, face: str, size: str = "s", decorative: bool = False) -> str:
        return card_svg(self.pictures[face], size, decorative)

    def back(self, kind: str = "", size: str = "s", decorative: bool = False) -> str:
        """The back of a pile: "play" or "role" in Royal Menagerie, "court" or "starting" in Of Mice and Monarchs."""
        backs = BACKS[self.deck.game]
        charge, tincture = backs[kind or next(iter(backs))]
        return back_svg(TITLES[self.deck.game], charge, tincture, size, decorative)


def _card_contents(deck: Deck) -> list[CardContent]:
    if deck.game == "menagerie":
        return [menagerie_cards.card_content(face) for face in animals_of(deck)]
    return [monarchs_cards.card_content(face) for face in mice_of(deck)]


@lru_cache(maxsize=64)
def deck_pictures_of(deck: Deck) -> DeckPictures:
    return DeckPictures(deck)
