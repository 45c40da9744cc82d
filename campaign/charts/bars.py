"""Charts of bars and rows: battles by scenario, where a score comes from, who beat whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from art import draw_figure, draw_table, isolate_name, percent, plain_number
from campaign.map.geometry import coord
from campaign.map.labels import fit_text
from heraldry import Arms, draw_arms as shield
from text import SafeMarkup, format_signed


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
    head = ["Scenario", "Attacker won", "Drawn", "Defender won", "All"]
    counts = [[escape(row.name), *map(str, (row.attacker, row.drawn, row.defender, row.total))] for row in chart.rows]
    return draw_figure(drawing, chart.sentence, draw_table(chart.title + ".", head, counts))


_WORDS = (("attacker", "the attacker won"), ("drawn", "drawn"), ("defender", "the defender won"))


def _draw_key_sample(ident: str, kind: str, words: str) -> str:
    hatched = f'<rect width="32" height="32" fill="url(#{ident}-{kind})"/>' if kind != "drawn" else ""
    return (
        '<li><svg class="map-swatch" viewBox="0 0 32 32" aria-hidden="true">'
        f'<rect class="bar-{kind}" width="32" height="32"/>'
        f"{hatched}</svg>{words}</li>"
    )


# ── Where a score comes from ─────────────────────────────────────────────────────────────────────────────
# One row per step with its reason and entry. The steps add up to the score.


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    entry: int  # number of the chronicle's entry
    reason: str
    by: int
    when: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Waterfall:
    title: str
    sentence: str
    steps: tuple[WaterfallStep, ...]
    start: int = 0
    start_words: str = "At the start"
    end_words: str = "Now"
    unit: str = ""  # "VP", or nothing

    @property
    def total(self) -> int:
        return self.start + sum(step.by for step in self.steps)


def draw_waterfall(chart: Waterfall) -> SafeMarkup:
    """A list that is its own table: number, reason, step, and a bar from what was to what is."""
    levels = [chart.start]
    for step in chart.steps:
        levels.append(levels[-1] + step.by)
    low, high = min(0, *levels), max(0, *levels)
    span = max(high - low, 1)

    def bar(before: int, after: int, css: str) -> str:
        a, b = sorted((percent((before - low) / span), percent((after - low) / span)))
        # Three shares of the track: up to the bar, the bar, the rest.
        return (
            f'<span class="fall-track" aria-hidden="true"><i class="p-{a}"></i>'
            f'<i class="fall-bar {css} p-{max(b - a, 0)}"></i><i class="p-{100 - b}"></i></span>'
        )

    def end(words: str, total: int, unit: str = "") -> str:
        return (
            f'<li class="fall-end"><span class="no"></span><span class="fall-why">{escape(words)}</span>'
            f"<b>{plain_number(total)}{unit}</b>{bar(0, total, 'fall-sum')}</li>"
        )

    rows = [end(chart.start_words, chart.start)]
    for step, before, after in zip(chart.steps, levels, levels[1:], strict=False):
        no = f'<span class="no">{step.entry}</span>'
        if step.url:
            no = f'<a class="no" href="{escape(step.url)}">{step.entry}</a>'
        when = f" <small>{escape(step.when)}</small>" if step.when else ""
        css = "up" if step.by > 0 else "down" if step.by < 0 else "none"
        mood = {"up": "good", "down": "bad", "none": "quiet"}[css]
        rows.append(
            f'<li><span class="sr">Entry </span>{no}<span class="fall-why">{escape(step.reason)}{when}</span>'
            f'<b class="{mood}">{format_signed(step.by)}</b>{bar(before, after, f"fall-{css}")}'
            f'<span class="sr">, total {plain_number(after)}</span></li>'
        )
    rows.append(end(chart.end_words, chart.total, f" {escape(chart.unit)}" if chart.unit else ""))
    return draw_figure(f'<ol class="fall" aria-label="{escape(chart.title)}">{"".join(rows)}</ol>', chart.sentence)


# ── Who beat whom ────────────────────────────────────────────────────────────────────────────────────────
# One row and one column for each kingdom.


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
    for side in meetings.sides:
        cells = []
        won = lost = 0
        for other in meetings.sides:
            if side.id == other.id:
                cells.append('<td class="same" aria-label="itself">·</td>')
                continue
            pair, reverse = (side.id, other.id), (other.id, side.id)
            a, b = meetings.won.get(pair, 0), meetings.won.get(reverse, 0)
            even = meetings.drawn.get(pair, 0) + meetings.drawn.get(reverse, 0)
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
            f"{shield(side.arms, 's', decorative=True)}{isolate_name(side.name)}</span></th>"
            f'{"".join(cells)}<td class="n">{won}:{lost}</td></tr>'
        )
    body = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(meetings.title)}">'
        f'<table class="stats meet"><caption class="sr">{escape(meetings.title)} {_HOW}</caption>'
        f'<thead><tr><td></td>{head}<th scope="col">All</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
    return draw_figure(body, f"{meetings.sentence} {_HOW}".strip())
