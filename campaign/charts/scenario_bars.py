"""Battles by scenario: how often each was fought, and whom it favoured."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from campaign.charts.frame import figure, table
from campaign.drawn import Drawn
from campaign.map.lettering import fitted
from campaign.map.pen import number


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    name: str
    attacker: int  # battles won by the attacker
    defender: int
    drawn: int = 0

    @property
    def total(self) -> int:
        return self.attacker + self.defender + self.drawn


@dataclass(frozen=True, slots=True)
class ScenarioChart:
    title: str
    sentence: str
    rows: tuple[ScenarioRow, ...]
    mark: int | None = None  # the row worth seeing


_WIDTH, _ROW, _BAR = 640.0, 74.0, 30.0


def scenario_bars(chart: ScenarioChart, ident: str = "bars") -> Drawn:
    fought = [row for row in chart.rows if row.total]
    if not fought:
        return figure("", "No battle has been fought yet.")
    most = max(row.total for row in chart.rows)
    unit = (_WIDTH - 60) / most
    drawn = []
    for at, row in enumerate(chart.rows):
        top = at * _ROW
        words = (fitted(row.name, _WIDTH - 40, 30, 25, most_lines=1, share=0) or (row.name,))[0]
        css = "nm red-words" if chart.mark == at else "nm"
        drawn.append(f'<text class="{css}" x="1" y="{number(top + 24)}">{escape(words)}</text>')
        x, y = 1.0, top + 34
        for kind, count in (("attacker", row.attacker), ("drawn", row.drawn), ("defender", row.defender)):
            if not count:
                continue
            box = f'x="{number(x)}" y="{number(y)}" width="{number(count * unit)}" height="{number(_BAR)}"'
            drawn.append(f'<rect class="bar-{kind}" {box}/>')
            if kind != "drawn":
                drawn.append(f'<rect fill="url(#{ident}-{kind})" {box}/>')
            drawn.append(f'<rect class="bar-edge" {box}/>')
            x += count * unit
        drawn.append(f'<text class="ax" x="{number(x + 10)}" y="{number(y + _BAR / 2)}" dy=".34em">{row.total}</text>')
    height = number(len(chart.rows) * _ROW)
    title, said = f"{ident}-t", f"{ident}-d"
    drawing = (
        f'<svg class="chart chart-bars" viewBox="0 0 {number(_WIDTH)} {height}" role="img" aria-labelledby="{title} {said}">'
        f'<title id="{title}">{escape(chart.title)}</title><desc id="{said}">{escape(chart.sentence)}</desc>'
        f'<defs><pattern id="{ident}-attacker" width="9" height="9" patternUnits="userSpaceOnUse"><path class="bar-line" d="M4.5 0V9"/>'
        f'</pattern><pattern id="{ident}-defender" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<path class="bar-line" d="M4.5 0V9"/></pattern></defs>{"".join(drawn)}</svg>'
        f'<ul class="key chart-key">{"".join(_sample(ident, kind, words) for kind, words in _WORDS)}</ul>'
    )
    numbers = table(
        chart.title + ".",
        ["Scenario", "Attacker won", "Drawn", "Defender won", "All"],
        [
            [escape(row.name), str(row.attacker), str(row.drawn), str(row.defender), str(row.total)]
            for row in chart.rows
        ],
    )  # fmt: skip
    return figure(drawing, chart.sentence, numbers)


_WORDS = (("attacker", "the attacker won"), ("drawn", "drawn"), ("defender", "the defender won"))


def _sample(ident: str, kind: str, words: str) -> str:
    hatched = f'<rect width="32" height="32" fill="url(#{ident}-{kind})"/>' if kind != "drawn" else ""
    return (
        f'<li><svg class="map-swatch" viewBox="0 0 32 32" aria-hidden="true"><rect class="bar-{kind}" width="32" height="32"/>'
        f"{hatched}</svg>{words}</li>"
    )
