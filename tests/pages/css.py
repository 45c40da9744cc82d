"""Reads our stylesheets well enough to measure them."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent.parent / "static"


def tokens() -> str:
    return (STATIC / "css" / "tokens.css").read_text()


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def block(css: str, opening: str) -> dict[str, str]:
    """The custom properties set in the first block that begins with ``opening``."""
    css = without_comments(css)
    start = css.index(opening + " {") + len(opening) + 2
    body = css[start : css.index("}", start)]
    return dict(re.findall(r"(--[a-z0-9-]+):\s*([^;]+);", body))


def light() -> dict[str, str]:
    return block(tokens(), ":root")


def dark() -> dict[str, str]:
    return light() | block(tokens(), ':root[data-theme="dark"]')


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance of #rrggbb."""
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
