"""The sprite: every charge, mark and hatching as one SVG, and the look-up of a single symbol."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from heraldry.divisions import DIVISIONS

_FILE = Path(__file__).with_name("sprite.svg")
_SYMBOL = re.compile(r'<symbol id="(?P<id>[^"]+)"[^>]*>(?P<body>.*?)</symbol>', re.DOTALL)


@cache
def read_sprite() -> str:
    """The whole file, to stand once in each page: patterns take their colours from the page around them."""
    # Counterchanging cuts a drawing along the parting of the field.
    parts = "".join(
        f'<clipPath id="part-{row.key}"><path d="{row.second}"/></clipPath>'
        for row in DIVISIONS
        if row.second and not row.is_varied
    )
    return _FILE.read_text(encoding="utf-8").strip().replace("</defs>", f"{parts}</defs>", 1)


@cache
def read_symbols() -> dict[str, str]:
    """What each symbol draws, by its id, for drawings that must carry everything themselves."""
    return {found["id"]: found["body"] for found in _SYMBOL.finditer(read_sprite())}
