"""Drawings that several apps share. Pure: knows no Django.

Here is what every chart has: a frame with its sentence, and the same numbers as a table. ``picture`` makes a PNG.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape

from text import SafeMarkup


def plain_number(value: float) -> str:
    return f"−{-value:g}" if value < 0 else f"{value:g}"


def isolate_name(name: str) -> str:
    """A typed name, isolated so that its writing direction does not affect the rest."""
    return f"<bdi>{escape(name)}</bdi>"


def draw_figure(drawing: str, sentence: str, table: str = "", css: str = "") -> SafeMarkup:
    """A chart on the page: drawing, sentence, and the numbers folded away beneath."""
    caption = f'<figcaption class="chart-says">{escape(sentence)}</figcaption>' if sentence else ""
    folded = f'<details class="fold chart-table"><summary>Show as a table</summary>{table}</details>' if table else ""
    return SafeMarkup(f'<figure class="{f"chart-box {css}".strip()}">{drawing}{caption}{folded}</figure>')


def draw_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A table that scrolls sideways. Cells are safe markup; the first cell of a row is its heading."""
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


def axis_steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers to mark an axis with: whole steps of 1, 2 or 5, at most so many."""
    span = max(high - low, 1)
    size = 1.0
    while span / size > most:
        size *= 2.5 if str(int(size)).startswith("2") else 2
    first = math.ceil(low / size)
    return [at * size for at in range(first, math.floor(high / size) + 1)]


def percent(share: float) -> int:
    return max(0, min(100, round(share * 100)))
