"""Cards as pictures: what stands on a card as data (``Picture``), and that data as SVG in the look of the project. Pure."""

from __future__ import annotations

from cardgames.drawing.pack import Pack, pack_of
from cardgames.drawing.picture import Mark, Picture
from cardgames.drawing.svg import SIZES, back_svg, badge_svg, card_svg, sign_svg

__all__ = ["SIZES", "Mark", "Pack", "Picture", "back_svg", "badge_svg", "card_svg", "pack_of", "sign_svg"]
