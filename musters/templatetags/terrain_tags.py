"""Pieces of terrain in templates."""

from __future__ import annotations

from django import template

from campaign.drawn import Drawn
from musters.ground import Pair, half_inches, piece_svg

register = template.Library()
register.filter(half_inches)


@register.simple_tag
def terrain_piece(pair: Pair) -> Drawn:
    """A piece as the table shows it, with its number."""
    return piece_svg(pair.terrain, pair.number)
