"""Template tags for terrain."""

from __future__ import annotations

from django import template

from musters.terrain import TerrainPair, format_half_inches, piece_svg
from trusted_markup import SafeMarkup

register = template.Library()
register.filter(format_half_inches)


@register.simple_tag
def terrain_piece(pair: TerrainPair) -> SafeMarkup:
    """A piece of terrain with its number."""
    return piece_svg(pair.terrain, pair.number)
