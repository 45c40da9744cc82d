"""Numbers as pages write them: with a true minus, as percent of an exact fraction, with one decimal, in inches (a builtin library)."""

from __future__ import annotations

import re
from fractions import Fraction

from django import template

register = template.Library()


@register.filter
def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


@register.filter
def percent(chance: Fraction | float) -> str:
    """Rounded for reading; what can happen is never shown as 0 %, what may fail never as 100 %."""
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
    """8″ with a double prime and ¾ as one sign, where the rows hold what any keyboard has."""
    whole = str(text).replace("1 1/2", "1½").replace("3/4", "¾")
    return re.sub(r'(?<=[\d½¾])"', "″", whole)
