"""Cards as pictures: what is on a card as data (``CardContent``), and that data as SVG. Pure."""

from __future__ import annotations

from cardgames.drawing.card_content import CardContent, CardSign
from cardgames.drawing.card_svg import SIZES, back_svg, badge_svg, card_svg, sign_svg
from cardgames.drawing.deck_pictures import DeckPictures, deck_pictures_of

__all__ = [
    "SIZES",
    "CardContent",
    "CardSign",
    "DeckPictures",
    "back_svg",
    "badge_svg",
    "card_svg",
    "deck_pictures_of",
    "sign_svg",
]
