"""Who beat whom: one row and one column for each kingdom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from campaign.charts.figure_html import draw_figure, isolate_name
from heraldry import Arms
from heraldry import draw_arms as shield
from trusted_markup import SafeMarkup


@dataclass(frozen=True, slots=True)
class ChartKingdom:
    id: str
    name: str
    arms: Arms


@dataclass(frozen=True, slots=True)
class HeadToHead:
    title: str
    sentence: str
    sides: tuple[ChartKingdom, ...]
    # (one, other): battles that one won against the other, and battles they drew (given once, in either order).
    won: Mapping[tuple[str, str], int] = field(default_factory=dict)
    drawn: Mapping[tuple[str, str], int] = field(default_factory=dict)


_HOW = "Read each row as won:lost, with draws after the = sign."


def draw_head_to_head(meetings: HeadToHead) -> SafeMarkup:
    head = "".join(
        f'<th scope="col" title="{escape(side.name)}">{shield(side.arms, "s", decorative=True)}'
        f'<span class="sr">{isolate_name(side.name)}</span></th>'
        for side in meetings.sides
    )
    rows = []
    for one in meetings.sides:
        cells = []
        won = lost = 0
        for other in meetings.sides:
            if one.id == other.id:
                cells.append('<td class="same" aria-label="itself">·</td>')
                continue
            a, b = meetings.won.get((one.id, other.id), 0), meetings.won.get((other.id, one.id), 0)
            even = meetings.drawn.get((one.id, other.id), 0) + meetings.drawn.get((other.id, one.id), 0)
            won, lost = won + a, lost + b
            if not (a or b or even):
                cells.append('<td class="quiet" aria-label="never met">–</td>')
                continue
            css = "ahead" if a > b else "behind" if a < b else "even"
            words = f"won {a}, lost {b}" + (f", drawn {even}" if even else "")
            more = f"<small>={even}</small>" if even else ""
            cells.append(f'<td class="{css}" aria-label="{words}">{a}:{b}{more}</td>')
        rows.append(
            '<tr><th scope="row"><span class="who">'
            f"{shield(one.arms, 's', decorative=True)}{isolate_name(one.name)}</span></th>"
            f'{"".join(cells)}<td class="n">{won}:{lost}</td></tr>'
        )
    body = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(meetings.title)}">'
        f'<table class="stats meet"><caption class="sr">{escape(meetings.title)} {_HOW}</caption>'
        f'<thead><tr><td></td>{head}<th scope="col">All</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
    return draw_figure(body, f"{meetings.sentence} {_HOW}".strip())
