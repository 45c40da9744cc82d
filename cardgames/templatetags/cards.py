"""Cards in templates: {% load cards %}, then {% card pack "mammoth" "s" %} and {% card_back pack "role" %}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from cardgames.drawing import Pack, badge_svg, sign_svg
from cardgames.drawing.monarchs import COLOURS, SIGNS

register = template.Library()


@register.simple_tag
def card(pack: Pack, face: str, size: str = "s", decorative: bool = False) -> SafeString:
    """A face by its id. Decorative where the name stands beside it, else its label is read out."""
    return mark_safe(pack.svg(face, size, decorative))  # every text of a deck is escaped there


@register.simple_tag
def card_back(pack: Pack, kind: str = "", size: str = "s", decorative: bool = False) -> SafeString:
    return mark_safe(pack.back(kind, size, decorative))


@register.filter
def card_name(pack: Pack, face: str) -> str:
    return pack.picture(face).name


@register.filter
def picture(pack: Pack, face: str) -> object:
    """What stands on the card, for templates that lay it out themselves."""
    return pack.picture(face)


@register.filter
def card_text(pack: Pack, face: str) -> str:
    return pack.picture(face).text


@register.simple_tag
def colour_badge(colour: str) -> SafeString:
    """The badge of a court colour; the word stands beside it."""
    return mark_safe(badge_svg(*COLOURS[colour]))


@register.simple_tag
def court_signs() -> list[tuple[SafeString, str]]:
    """The signs of a court card, each with its meaning."""
    return [(mark_safe(sign_svg(sign)), words) for sign, words in SIGNS]


@register.simple_tag
def court_colours() -> list[str]:
    return list(COLOURS)


@register.filter
def option_is(options: Mapping[str, Any], key: str) -> Any:
    """What a table agreed under this key."""
    return options.get(key)
