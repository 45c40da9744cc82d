"""Battles by scenario: how often each was fought, and whom it favoured."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from campaign.charts.figure_html import draw_figure, draw_table
from campaign.map.label_fitting import fit_text
from campaign.map.points_and_svg_paths import coord
from trusted_markup import SafeMarkup


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


def draw_scenario_bars(chart: ScenarioChart, ident: str = "bars") -> SafeMarkup:
    fought = [row for row in chart.rows if row.total]
    if not fought:
        return draw_figure("", "No battle has been fought yet.")
    most = max(row.total for row in chart.rows)
    unit = (_WIDTH - 60) / most
    drawn = []
    for at, row in enumerate(chart.rows):
        top = at * _ROW
        words = (fit_text(row.name, _WIDTH - 40, 30, 25, most_lines=1, share=0) or (row.name,))[0]
        css = "nm red-words" if chart.mark == at else "nm"
        drawn.append(f'<text class="{css}" x="1" y="{coord(top + 24)}">{escape(words)}</text>')
        x, y = 1.0, top + 34
        for kind, count in (("attacker", row.attacker), ("drawn", row.drawn), ("defender", row.defender)):
            if not count:
                continue
            box = f'x="{coord(x)}" y="{coord(y)}" width="{coord(count * unit)}" height="{coord(_BAR)}"'
            drawn.append(f'<rect class="bar-{kind}" {box}/>')
            if kind != "drawn":
                drawn.append(f'<rect fill="url(#{ident}-{kind})" {box}/>')
            drawn.append(f'<rect class="bar-edge" {box}/>')
            x += count * unit
        drawn.append(f'<text class="ax" x="{coord(x + 10)}" y="{coord(y + _BAR / 2)}" dy=".34em">{row.total}</text>')
    height = coord(len(chart.rows) * _ROW)
    title, description = f"{ident}-t", f"{ident}-d"
    drawing = (
        f'<svg class="chart chart-bars" viewBox="0 0 {coord(_WIDTH)} {height}" role="img" '
        f'aria-labelledby="{title} {description}">'
        f'<title id="{title}">{escape(chart.title)}</title><desc id="{description}">{escape(chart.sentence)}</desc>'
        f'<defs><pattern id="{ident}-attacker" width="9" height="9" patternUnits="userSpaceOnUse">'
        '<path class="bar-line" d="M4.5 0V9"/>'
        f'</pattern><pattern id="{ident}-defender" width="9" height="9" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)">'
        f'<path class="bar-line" d="M4.5 0V9"/></pattern></defs>{"".join(drawn)}</svg>'
        f'<ul class="key chart-key">{"".join(_draw_key_sample(ident, kind, words) for kind, words in _WORDS)}</ul>'
    )
    numbers = draw_table(
        chart.title + ".",
        ["Scenario", "Attacker won", "Drawn", "Defender won", "All"],
        [
            [escape(row.name), str(row.attacker), str(row.drawn), str(row.defender), str(row.total)]
            for row in chart.rows
        ],
    )
    return draw_figure(drawing, chart.sentence, numbers)


_WORDS = (("attacker", "the attacker won"), ("drawn", "drawn"), ("defender", "the defender won"))


def _draw_key_sample(ident: str, kind: str, words: str) -> str:
    hatched = f'<rect width="32" height="32" fill="url(#{ident}-{kind})"/>' if kind != "drawn" else ""
    return (
        '<li><svg class="map-swatch" viewBox="0 0 32 32" aria-hidden="true">'
        f'<rect class="bar-{kind}" width="32" height="32"/>'
        f"{hatched}</svg>{words}</li>"
    )
