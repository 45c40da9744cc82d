"""How figures and rule texts look on paper: true signs for minus, inch and apostrophe, ranges as the book has them."""

from __future__ import annotations

import re

NONE = "–"
_INCHES = re.compile(r'(?<=\d)"')


def typeset(text: str) -> str:
    """Rule texts of ours as a printer would set them."""
    return _INCHES.sub("″", text).replace("'", "’")


def signed(number: int | None) -> str:
    if number is None:
        return NONE
    return f"−{-number}" if number < 0 else f"+{number}"


def span(low: int | None, high: int | None) -> str:
    """1–2, 10, 0 or less, 9 and more."""
    if low is None:
        return f"{high} or less"
    if high is None:
        return f"{low} +"
    return str(low) if low == high else f"{low}–{high}"


def loyalty(number: int) -> str:
    return "0" if number == 0 else signed(number)
