"""The sprite: every charge and mark as symbols in one file, the hatchings apart, and the look-up of a single symbol.

A page points at a symbol as ``#c-mouse``. Pages of the site get the file's address put before it
(``pages.middleware.symbol_file``), so that a browser fetches the file once; the patterns stand in each page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from heraldry.divisions import DIVISIONS

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
