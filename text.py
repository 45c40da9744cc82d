"""Text helpers for every layer: lists and signed numbers."""

from __future__ import annotations

from collections.abc import Iterable

NONE = "–"


def join_list(words: Iterable[object], joint: str = "and") -> str:
    """``a``; ``a and b``; ``a, b and c``."""
    *first, last = [str(word) for word in words] or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last


def format_signed(number: float) -> str:
    """``+2``, ``0``, ``−2`` with a true minus."""
    if not number:
        return "0"
    size = f"{abs(number):g}" if isinstance(number, float) else str(abs(number))
    return f"−{size}" if number < 0 else f"+{size}"


def format_bonus(number: int | None) -> str:
    """A quality or bonus as the book prints it: ``+2``, ``+0``, ``−2``; a dash where there is none."""
    return NONE if number is None else format_signed(number) if number else "+0"
