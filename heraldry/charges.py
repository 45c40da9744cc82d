"""The charges with the words a blazon uses for one and for several; and the sprite that draws them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heraldry.ordinaries import DIVISIONS


@dataclass(frozen=True, slots=True)
class Charge:
    key: str
    symbol: str
    one: str  # with its article
    many: str
    scale: float = 1.0  # slender charges may stand a little taller


# fmt: off
CHARGES = (
    Charge("mouse",      "c-mouse",      "a mouse statant",          "mice statant",            1.08),
    Charge("mouse_head", "c-mouse-head", "a mouse’s head caboshed",  "mice’s heads caboshed"),
    Charge("cat",        "c-cat",        "a cat’s head caboshed",    "cats’ heads caboshed"),
    Charge("tortoise",   "c-tortoise",   "a tortoise",               "tortoises"),
    Charge("tiger",      "c-tiger",      "a tiger’s face",           "tigers’ faces"),
    Charge("ibis",       "c-ibis",       "an ibis",                  "ibises"),
    Charge("lizard",     "c-komodo",     "a lizard",                 "lizards",                 1.12),
    Charge("antelope",   "c-antelope",   "an antelope’s face",       "antelopes’ faces"),
    Charge("mammoth",    "c-mammoth",    "a mammoth",                "mammoths"),
    Charge("hopper",     "c-hoppers",    "a hopper",                 "hoppers",                 1.12),
    Charge("acorn",      "c-acorn",      "an acorn",                 "acorns"),
    Charge("thorn",      "c-thorn",      "a sprig of thorn",         "sprigs of thorn",         1.10),
    Charge("wheat",      "c-wheat",      "an ear of wheat",          "ears of wheat",           1.22),
    Charge("apple",      "c-windfall",   "an apple",                 "apples"),
    Charge("mushroom",   "c-mushroom",   "a mushroom",               "mushrooms"),
    Charge("rose",       "c-rose",       "a rose",                   "roses"),
    Charge("cheese",     "c-cheese",     "a cheese",                 "cheeses"),
    Charge("bell",       "c-bell",       "a bell",                   "bells"),
    Charge("key",        "c-key",        "a key",                    "keys",                    1.22),
    Charge("sword",      "c-sword",      "a sword",                  "swords",                  1.38),
    Charge("crown",      "c-crown",      "a crown",                  "crowns"),
    Charge("castle",     "c-castle",     "a castle",                 "castles"),
    Charge("candle",     "c-candle",     "a candle",                 "candles",                 1.06),
    Charge("book",       "c-book",       "an open book",             "open books"),
    Charge("hand",       "c-hand",       "a hand",                   "hands"),
    Charge("sun",        "c-sun",        "a sun",                    "suns",                    1.06),
    Charge("crescent",   "c-crescent",   "a crescent",               "crescents"),
    Charge("mullet",     "c-mullet",     "a mullet",                 "mullets"),
)
# fmt: on
CHARGE = {row.key: row for row in CHARGES}


# ── The sprite: charges, marks and hatchings ─────────────────────────────────────────────────────────────
# A page points at a symbol as ``#c-mouse``. Pages of the site get the file's address put before it
# (``pages.answer_middleware``), so that a browser fetches the file once; the patterns stand in each page.


_HERE = Path(__file__).parent
SYMBOL_FILE = _HERE / "symbols" / "symbols.svg"
_PATTERNS = _HERE / "patterns.svg"
_SYMBOL = re.compile(r'<symbol id="(?P<id>[^"]+)"[^>]*>(?P<body>.*?)</symbol>', re.DOTALL)


@cache
def read_patterns() -> str:
    """Hatchings and clips, to stand once in each page: patterns take their colours from the page around them."""
    # Counterchanging cuts a drawing along the parting of the field.
    parts = "".join(
        f'<clipPath id="part-{row.key}"><path d="{row.second}"/></clipPath>'
        for row in DIVISIONS
        if row.second and not row.is_varied
    )
    return _PATTERNS.read_text(encoding="utf-8").strip().replace("</defs>", f"{parts}</defs>", 1)


@cache
def read_sprite() -> str:
    """Patterns and symbols together, for a page that must stand alone."""
    symbols = "".join(found[0] for found in _SYMBOL.finditer(_read_symbol_file()))
    return read_patterns().replace("</svg>", f"{symbols}</svg>")


@cache
def read_symbols() -> dict[str, str]:
    """What each symbol draws, by its id, for drawings that must carry everything themselves."""
    return {found["id"]: found["body"] for found in _SYMBOL.finditer(_read_symbol_file())}


def _read_symbol_file() -> str:
    return SYMBOL_FILE.read_text(encoding="utf-8")
