"""Who beat whom: one row and one column for each kingdom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from campaign.charts.frame import figure, named
from campaign.drawn import Drawn
from heraldry import Arms
from heraldry import svg as shield


@dataclass(frozen=True, slots=True)
class Side:
    id: str
    name: str
    arms: Arms


@dataclass(frozen=True, slots=True)
class HeadToHead:
    title: str
    sentence: str
    sides: tuple[Side, ...]
    # (one, other): battles the one won against the other, and battles drawn between them (given once, either way round).
    won: Mapping[tuple[str, str], int] = field(default_factory=dict)
    drawn: Mapping[tuple[str, str], int] = field(default_factory=dict)


_HOW = "Read along the row: won to lost, and after = how many were drawn."


def head_to_head(meetings: HeadToHead) -> Drawn:
    head = "".join(
        f'<th scope="col" title="{escape(side.name)}">{shield(side.arms, "s", decorative=True)}'
        f'<span class="sr">{named(side.name)}</span></th>'
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
            f'<tr><th scope="row"><span class="who">{shield(one.arms, "s", decorative=True)}{named(one.name)}</span></th>'
            f'{"".join(cells)}<td class="n">{won}:{lost}</td></tr>'
        )
    body = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(meetings.title)}">'
        f'<table class="stats meet"><caption class="sr">{escape(meetings.title)} {_HOW}</caption>'
        f'<thead><tr><td></td>{head}<th scope="col">All</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
    return figure(body, f"{meetings.sentence} {_HOW}".strip())
