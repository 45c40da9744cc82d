"""Cards in templates: {% load cards %}, then {% card pack "mammoth" "s" %} and {% card_back pack "role" %}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from cardgames.drawing import Badge, DeckPictures, LegendSign, badge_svg, sign_svg
from cardgames.drawing.monarchs_cards import COLOURS

register = template.Library()


@register.simple_tag
def card(pack: DeckPictures, face: str, size: str = "s", decorative: bool = False) -> SafeString:
    """A card face by its id. Decorative if its name is beside it; otherwise screen readers read its label."""
    return mark_safe(pack.svg(face, size, decorative))  # pack.svg escapes all deck texts


@register.simple_tag
def card_back(pack: DeckPictures, kind: str = "", size: str = "s", decorative: bool = False) -> SafeString:
    return mark_safe(pack.back(kind, size, decorative))


@register.filter
def card_name(pack: DeckPictures, face: str) -> str:
    return pack.picture(face).name


@register.filter
def picture(pack: DeckPictures, face: str) -> object:
    """The card's picture and texts, for templates that lay it out themselves."""
    return pack.picture(face)


@register.filter
def card_text(pack: DeckPictures, face: str) -> str:
    return pack.picture(face).text


@register.filter
def card_group(face: str, pack: DeckPictures) -> str:
    """The group of a card, which is the kind of its back where every group has its own."""
    return pack.deck.row(face).group


@register.simple_tag
def colour_badge(colour: str) -> SafeString:
    """The badge of a court colour, to be shown beside its name."""
    return mark_safe(badge_svg(*COLOURS[colour]))


@register.simple_tag
def badge(tincture: str, shape: str) -> SafeString:
    return mark_safe(badge_svg(tincture, shape))


@register.simple_tag
def legend_sign(sign: LegendSign) -> SafeString:
    """A sign of the cards, to be shown beside its meaning."""
    return mark_safe(badge_svg(sign.tincture, sign.shape) if isinstance(sign, Badge) else sign_svg(sign))


@register.filter
def at(rows: Sequence[Any], index: int) -> Any:
    return rows[index]


@register.filter
def chosen_option(options: Mapping[str, Any], key: str) -> Any:
    """What the players chose for this option."""
    return options.get(key)
