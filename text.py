"""Text helpers for every layer: lists, signed numbers, and how wide a text is."""

import unicodedata
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


# ── The width of a text, where nothing can measure it ──────────────────────────────────────────────────


_NARROW = dict.fromkeys("iljI.,;:'’!|", 0.3) | dict.fromkeys('ftr()[]-/"“”', 0.38) | {" ": 0.26}
_WIDE = dict.fromkeys("mw", 0.82) | dict.fromkeys("MWÆŒ", 0.95) | dict.fromkeys("@%", 0.9)


def estimate_width(text: str, *, small_caps: bool = False) -> float:
    """How wide a text is in ems of a book face. Small caps are spaced out a little."""
    if small_caps:
        return sum(min(_glyph_width(glyph.upper()), 0.95) * 0.8 + 0.05 for glyph in text)
    return sum(map(_glyph_width, text))


def _glyph_width(glyph: str) -> float:
    if glyph in _NARROW:
        return _NARROW[glyph]
    if glyph in _WIDE:
        return _WIDE[glyph]
    if unicodedata.combining(glyph) or unicodedata.category(glyph) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(glyph) in "WF":
        return 1.0
    if glyph.isdigit():
        return 0.5
    return 0.7 if glyph.isupper() else 0.53


# ── Text that is already safe markup: templates print it unescaped ───────────────────────────────────────


class SafeMarkup(str):
    """Markup made by our own code, with everything people typed already escaped."""

    __slots__ = ()

    def __html__(self) -> str:
        return self
