"""Format numbers (a builtin library): true minus, percent of a fraction, one decimal, inches."""

from __future__ import annotations

import re
from fractions import Fraction

from django import template

from text import format_signed

register = template.Library()
register.filter("signed", format_signed)


@register.filter
def percent(chance: Fraction | float) -> str:
    """Rounded, but never to 0 % or 100 % unless it is exact."""
    if 0 < chance < Fraction(1, 200):
        return "<1 %"
    if Fraction(199, 200) < chance < 1:
        return ">99 %"
    return f"{float(chance) * 100:.0f} %"


@register.filter
def tenths(number: Fraction | float) -> str:
    return f"{float(number):.1f}"


@register.filter
def inches(text: object) -> str:
    """Typographic inches: 8″ for 8", ¾ for 3/4."""
    whole = str(text).replace("1 1/2", "1½").replace("3/4", "¾")
    return re.sub(r'(?<=[\d½¾])"', "″", whole)
