"""Cards as pictures: what is on a card as data (``CardContent``), and that data as SVG. Pure."""

from __future__ import annotations

from cardgames.drawing.card_svg import SIZES, back_svg, badge_svg, card_svg, sign_svg
from cardgames.drawing.deck_pictures import DeckPictures, deck_pictures_of
from cardgames.engine.card_content import Badge, CardContent, CardSign, Drawings, LegendSign

__all__ = [
    "SIZES",
    "Badge",
    "CardContent",
    "CardSign",
    "DeckPictures",
    "Drawings",
    "LegendSign",
    "back_svg",
    "badge_svg",
    "card_svg",
    "deck_pictures_of",
    "sign_svg",
]
