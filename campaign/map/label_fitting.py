"""How wide words are, roughly, and how they break into a box; the page's own font decides the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from text_width import estimate_width

LEADING = 1.05


@lru_cache(maxsize=4096)
def fit_text(
    text: str,
    room: float,
    height: float,
    size: float,
    *,
    most_lines: int = 2,
    small_caps: bool = False,
    share: float = 0.6,
) -> tuple[str, ...]:
    """The text as lines that fit a box of this room and height at this size; () where less than that share of it would.

    What does not fit is parted or cut short: the list beneath the map has every name in full.
    """
    count = min(
        most_lines, int((height + size * (LEADING - 1)) // (size * LEADING)) or (1 if height >= size * 0.9 else 0)
    )
    limit = room / size

    def wide(line: str) -> float:
        return estimate_width(line, small_caps=small_caps)

    if count < 1 or limit < 1:
        return ()
    if wide(text) <= limit:
        return (text,)
    words = text.split()
    if count > 1 and len(words) > 1:
        # The break that leaves the longer of two lines as short as can be.
        pairs = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        best = min(pairs, key=lambda pair: max(wide(pair[0]), wide(pair[1])))
        if max(map(wide, best)) <= limit:
            return best
        first, second = next((pair for pair in reversed(pairs) if wide(pair[0]) <= limit), ("", text))
        cut = _truncate(second, limit, small_caps) if first else ""
        if cut and len(first) + len(cut) > share * len(text):
            return first, cut
    if count > 1 and len(words) == 1 and (parts := _hyphenate(text, limit, wide)):
        return parts
    cut = _truncate(text, limit, small_caps)
    return (cut,) if len(cut) > max(3, share * len(text)) else ()


# Letters may be drawn this much narrower than they are before a name is cut short.
NARROWEST = 0.55


def squeeze_text(text: str, room: float, size: float, *, small_caps: bool = False) -> float | None:
    """The width to which a line is narrowed so that the whole name is read; nothing if that is too narrow."""
    whole = estimate_width(text, small_caps=small_caps) * size
    return room if room < whole * 1.05 and whole * NARROWEST <= room else None


_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôûåæøœ")
_ONSETS = re.compile("[bcfgps]l|[bcdfgptw]r|[cpstw]h|s[ckmnptw]|qu|tw")


def _hyphenate(word: str, limit: float, wide: Callable[[str], float]) -> tuple[str, str] | None:
    """A long word in two, parted where a reader would: between consonants, or before one that a vowel follows."""
    low = word.casefold()
    if len(low) != len(word) or not all("a" <= mark <= "z" or mark in _VOWELS for mark in low):
        return None  # how other scripts part their words we do not know
    ways = []
    for at in range(3, len(word) - 2):
        before, after = low[:at], low[at:]
        syllables = _VOWELS & set(before) and _VOWELS & set(after)
        starts = after[0] not in _VOWELS and (after[1] in _VOWELS or _ONSETS.match(after))
        if syllables and starts and wide(word[:at] + "-") <= limit and wide(word[at:]) <= limit:
            # Best is a part that ends in a consonant: "Acorn-fall", not "Aco-rnfall".
            ways.append(((before[-1] in _VOWELS) * 1.5 + abs(at - len(word) / 2), at))
    if not ways:
        return None
    at = min(ways)[1]
    return f"{word[:at]}-", word[at:]


def _truncate(text: str, limit: float, small_caps: bool) -> str:
    """The beginning of a text with an ellipsis."""
    taken = 0.0
    room = limit - 0.5
    for at, mark in enumerate(text):
        taken += estimate_width(mark, small_caps=small_caps)
        if taken > room:
            kept = text[:at].rstrip(" -,.")
            return f"{kept}…" if kept else ""
    return text
