"""Cards as pictures: what is on a card as data (``CardContent``), the same as SVG, and all pictures of a deck. Pure."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cardgames.drawing.card_svg import SIZES, back_svg, badge_svg, card_svg, sign_svg
from cardgames.engine import Deck
from cardgames.engine.card_content import Badge, CardContent, CardSign, Drawings, LegendSign
from cardgames.games import find_game

__all__ = ["SIZES", "Badge", "CardContent", "CardSign", "DeckPictures", "Drawings", "LegendSign", "back_svg"]
__all__ += ["badge_svg", "card_svg", "deck_pictures_of", "sign_svg"]


class DeckPictures:
    """The pictures of a deck. A face the deck does not hold is an error: nothing unknown is ever drawn."""

    __slots__ = ("deck", "drawings", "pictures", "title")

    def __init__(self, deck: Deck) -> None:
        game = find_game(deck.game)
        if game.drawings is None:
            raise ValueError(f"{game.title} has no drawings")
        self.deck = deck
        self.title = game.title
        self.drawings = game.drawings
        self.pictures = {face.id: self.drawings.card_content(face) for face in game.faces(deck)}

    def picture(self, face: str) -> CardContent:
        return self.pictures[face]

    @property
    def legend(self) -> Sequence[tuple[LegendSign, str]]:
        return self.drawings.legend(self.pictures)

    def svg(self, face: str, size: str = "s", decorative: bool = False) -> str:
        return card_svg(self.pictures[face], size, decorative)

    def pile_of(self, face: str) -> str:
        """The pile whose back this card has."""
        backs, kind = self.drawings.backs, self.pictures[face].kind
        return next((pile for pile in backs if pile in kind), next(iter(backs)))

    def back(self, pile: str = "", size: str = "s", decorative: bool = False) -> str:
        """The back of a pile, or of the first."""
        backs = self.drawings.backs
        charge, tincture = backs[pile or next(iter(backs))]
        return back_svg(self.title, charge, tincture, size, decorative)

    def to_print(self) -> Iterator[tuple[CardContent, str, str]]:
        """Every card of the deck: its picture, its kind and its pile."""
        if self.drawings.to_print is None:
            copies = {row.id: row.copies for row in self.deck.rows}
            cards = [(face, "") for face in self.pictures for _ in range(copies.get(face, 0))]
        else:
            cards = list(self.drawings.to_print(self.deck))
        for face, kind in cards:
            yield self.pictures[face], kind or self.pictures[face].kind, self.pile_of(face)


@lru_cache(maxsize=64)
def deck_pictures_of(deck: Deck) -> DeckPictures:
    return DeckPictures(deck)
