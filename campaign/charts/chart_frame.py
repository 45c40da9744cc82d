"""What every chart has: a frame with its sentence, and the same numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from campaign.drawn import Drawn


def signed(value: float) -> str:
    """+2, −2, 0: with a true minus."""
    text = f"{abs(value):g}"
    return f"+{text}" if value > 0 else f"−{text}" if value < 0 else "0"


def plain_number(value: float) -> str:
    return f"−{-value:g}" if value < 0 else f"{value:g}"


def named(name: str) -> str:
    """A name somebody typed, its writing direction kept to itself."""
    return f"<bdi>{escape(name)}</bdi>"


def figure(drawing: str, sentence: str, table: str = "", css: str = "") -> Drawn:
    """A chart on the page: drawing, sentence, and the numbers folded away beneath."""
    said = f'<figcaption class="chart-says">{escape(sentence)}</figcaption>' if sentence else ""
    folded = (
        f'<details class="fold chart-table"><summary>The same as a table</summary>{table}</details>' if table else ""
    )
    return Drawn(f'<figure class="{f"chart-box {css}".strip()}">{drawing}{said}{folded}</figure>')


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A table that scrolls by itself where it is wide. Cells are markup already; the first of a row is its heading."""
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    # The caption is read out but not shown: it would be as wide as the table and scroll away with it.
    words = escape(f"{caption} {note}".strip())
    shown = f'<p class="small quiet">{escape(note)}</p>' if note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table class="stats">'
        f'<caption class="sr">{words}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>{shown}'
    )


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers to mark an axis with: whole steps of 1, 2 or 5, at most so many."""
    span = max(high - low, 1)
    size = 1.0
    while span / size > most:
        size *= 2.5 if str(int(size)).startswith("2") else 2
    first = math.ceil(low / size)
    return [at * size for at in range(first, math.floor(high / size) + 1)]


def percent(share: float) -> int:
    return max(0, min(100, round(share * 100)))
