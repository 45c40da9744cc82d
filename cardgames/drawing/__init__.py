"""Cards as pictures: what is on a card as data (``CardContent``), and that data as SVG. Pure."""

from __future__ import annotations

from cardgames.drawing.card_content import Badge, CardContent, CardSign, LegendSign
from cardgames.drawing.card_svg import SIZES, back_svg, badge_svg, card_svg, sign_svg
from cardgames.drawing.deck_pictures import DeckPictures, Drawings, deck_pictures_of, drawings_of, register_drawings

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
    "drawings_of",
    "register_drawings",
    "sign_svg",
]
