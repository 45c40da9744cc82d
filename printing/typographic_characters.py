"""Figures and rule texts for paper: proper minus, inch and apostrophe characters, ranges as in the book."""

from __future__ import annotations

import re

from text import format_signed

NONE = "–"
_INCHES = re.compile(r'(?<=\d)"')


def typeset(text: str) -> str:
    """Rule text with typographic inch marks and apostrophes."""
    return _INCHES.sub("″", text).replace("'", "’")


def format_range(low: int | None, high: int | None) -> str:
    """1–2, 10, 0 or less, 9 +."""
    if low is None:
        return f"{high} or less"
    if high is None:
        return f"{low} +"
    return str(low) if low == high else f"{low}–{high}"


def format_loyalty(number: int) -> str:
    return format_signed(number)
