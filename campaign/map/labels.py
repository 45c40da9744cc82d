"""Labels on the map: how wide words are, roughly, how they break into a box, and where a name or a number stands."""

import re
from collections.abc import Callable
from functools import lru_cache

from campaign.map.geometry import Box
from campaign.map.map_layout import MapGeometry, TerritoryShape
from text import estimate_width

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


# ── On the map ───────────────────────────────────────────────────────────────────────────────────────────
# How large letters are on the map, where names fit and where numbers must do, and where a label stands.


# Widths of the map on the page in pixels, and the size of letters there in units of the map: never less than 12 px.
# Exception: 11 px for five or more kingdoms on the narrowest phones (map below 366 px); a list below repeats the names.
# ``map.css`` sets the same sizes; a test keeps the two alike. The picture for link previews has sizes of its own.
TIERS = ("xs", "s", "m", "l")
PICTURE = "picture"
LEAST_WIDTH = {"xs": 296, "s": 366, "m": 530, "l": 700}
LETTERS = {"xs": 30.0, "s": 24.4, "m": 17.0, "l": 15.0, PICTURE: 18.0}
LETTERS_MANY = {"xs": 27.0, "s": 24.4, "m": 17.0, "l": 13.0, PICTURE: 16.0}
KINGDOM_LETTERS = {"xs": 34.0, "s": 30.0, "m": 25.0, "l": 22.0, PICTURE: 26.0}
KINGDOM_LETTERS_MANY = {"xs": 31.0, "s": 27.0, "m": 20.0, "l": 17.0, PICTURE: 21.0}
MANY = 5  # from so many kingdoms on, letters are smaller where they can be

# Beyond so many kingdoms shields, differences and swords would be specks.
SWARM = 36

# On a crowded map every kingdom has its number at the coast up to so many; beyond, every fifth.
NUMBERED = 48


def letter_size(count: int, tier: str, *, of_kingdom: bool = False) -> float:
    """The size of letters on a map of so many kingdoms, in units of the map."""
    if of_kingdom:
        return (KINGDOM_LETTERS if count < MANY else KINGDOM_LETTERS_MANY)[tier]
    return (LETTERS if count < MANY else LETTERS_MANY)[tier]


def names_fit(land: MapGeometry, size: float, place: str) -> bool:
    """Names if most territories of a kind have room for two short lines or a long one; else numbers for all."""
    if land.is_crowded:
        return False
    boxes = [plot.label for plot in land.plots if place_kind(plot) == place]
    roomy = [
        box.width >= 4.4 * size or (box.width >= 3 * size and box.height >= size * (1 + LEADING) * 0.98)
        for box in boxes
    ]
    return sum(roomy) * 4 >= len(roomy) * 3


def place_kind(plot: TerritoryShape) -> str:
    """castle, lands or border."""
    return plot.place.partition("_")[0]


def place_label(plot: TerritoryShape, *, marked: bool) -> Box:
    """Where the name stands: without a mark above it, in the middle of the room for both."""
    box = plot.label
    stacked = plot.marks.x == box.x and plot.marks.width == box.width
    if marked or not stacked:
        return box
    return Box(box.x, (plot.marks.y + box.bottom - box.height) / 2, box.width, box.height)


def place_rim_numbers(land: MapGeometry) -> tuple[tuple[int, float, float], ...]:
    """Numbers round the coast of a crowded map, each with its place."""
    step = 1 if len(land.kingdoms) <= NUMBERED else 5
    return tuple((shape.number, *shape.rim) for shape in land.kingdom_shapes if shape.number % step == 0)
