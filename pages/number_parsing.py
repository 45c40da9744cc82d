"""Whole numbers as people and programs send them."""

from __future__ import annotations

DIGITS = 9  # more than anything here counts to, and few enough for every database


def whole(typed: str, *, signed: bool = False) -> int | None:
    """The number, or None for anything else: ``²`` and ``--5`` look like digits to Python and are no numbers to it."""
    text = typed.strip()
    bare = text[1:] if signed and text[:1] in ("+", "-") else text
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) <= DIGITS else None
