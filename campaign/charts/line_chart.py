"""Lines over time: loyalty, VP or territories per kingdom. Each differs in colour, dashes and point shape."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from art import axis_steps, draw_figure, draw_table, isolate_name, plain_number
from campaign.map.geometry import coord
from campaign.map.kingdom_colours import Livery
from campaign.map.labels import fit_text
from text import SafeMarkup


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    livery: Livery
    points: tuple[tuple[float, float], ...]  # (when, how much), in order


@dataclass(frozen=True, slots=True)
class Highlight:
    """The one thing worth seeing."""

    series: int
    at: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class LineChart:
    title: str  # what a screen reader hears first: "Loyalty of four kingdoms, battle by battle"
    sentence: str  # what the chart shows, in plain words
    series: tuple[Series, ...]
    across: str = "battle"  # what is counted along the bottom
    ticks: tuple[tuple[float, str], ...] = ()  # words along the bottom; whole numbers where none are given
    mark: Highlight | None = None


_DASHES = ("", "10 6", "2 6", "14 6 3 6", "20 7", "5 4", "14 5 3 5 3 5", "24 5", "8 4 2 4", "12 12", "2 10", "16 4 7 4")
_WIDTH, _LEFT, _RIGHT, _TOP, _FOOT = 640.0, 52.0, 190.0, 18.0, 46.0
_DOT = 8.0
_LABEL = 27.0  # between the names at the right
_NAMED = 12  # so many names fit; the rest stand in the table
_DOTS = 16  # up to so many moments, on up to so many lines, each moment has its point
_DOTTED_LINES = 5
_MAX_POINTS = 120  # beyond so many moments a line keeps the highest and lowest of each stretch
_ROWS = 60


def draw_line_chart(chart: LineChart, ident: str = "chart") -> SafeMarkup:
    if not any(series.points for series in chart.series):
        return draw_figure("", "Nothing has happened yet.")
    drawing = "".join(_Plot(chart, ident).everything())
    return draw_figure(drawing, chart.sentence, _draw_numbers_table(chart))


class _Plot:
    def __init__(self, chart: LineChart, ident: str) -> None:
        self.chart = chart
        self.id = ident
        whens = [x for series in chart.series for x, _ in series.points]
        values = [y for series in chart.series for _, y in series.points]
        self.first, self.last = min(whens), max(whens)
        self.low, self.high = min(0.0, *values), max(1.0, *values)
        labelled = min(len(chart.series), _NAMED)
        self.height = max(320.0, labelled * _LABEL + _TOP + _FOOT)
        self.bottom = self.height - _FOOT
        # Lines of equal value are set a little apart, or the last would hide the rest.
        unit = (self.bottom - _TOP) / max(self.high - self.low, 1)
        self.apart = min(4.5, unit * 0.6 / max(len(chart.series), 1))
        # The highest value needs room for the lines above it and for their dots.
        self.top = _TOP + self.apart * (len(chart.series) - 1) / 2 + _DOT

    def x(self, when: float) -> float:
        span = self.last - self.first
        return _LEFT + (when - self.first) / span * (_WIDTH - _LEFT - _RIGHT) if span else _LEFT

    def y(self, value: float, at: int | None = None) -> float:
        shift = (at - (len(self.chart.series) - 1) / 2) * self.apart if at is not None else 0.0
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top) + shift

    def everything(self) -> Iterator[str]:
        title, description = f"{self.id}-t", f"{self.id}-d"
        yield (
            f'<svg class="chart chart-lines" viewBox="0 0 {coord(_WIDTH)} {coord(self.height)}" role="img"'
            f' aria-labelledby="{title} {description}"><title id="{title}">{escape(self.chart.title)}</title>'
            f'<desc id="{description}">{escape(self.chart.sentence)}</desc>'
        )
        yield from self.axes()
        for at, series in reversed(list(enumerate(self.chart.series))):
            yield from self.line(at, series)
        yield from self.red_mark()
        yield from self.names()
        yield "</svg>"

    def axes(self) -> Iterator[str]:
        right = coord(_WIDTH - _RIGHT)
        for value in axis_steps(self.low, self.high, 6):
            y = coord(self.y(value))
            css = "axis" if value == 0 else "grid"
            yield f'<path class="{css}" d="M{coord(_LEFT)} {y}H{right}"/>'
            yield f'<text class="ax" x="{coord(_LEFT - 12)}" y="{y}" dy=".34em" text-anchor="end">'
            yield f"{plain_number(value)}</text>"
        below = coord(self.bottom + 35)
        ticks = self.chart.ticks or tuple((when, f"{when:g}") for when in axis_steps(self.first, self.last, 7))
        for when, words in ticks:
            x = coord(self.x(when))
            yield f'<path class="tick" d="M{x} {coord(self.bottom + 4)}v7"/>'
            yield f'<text class="ax" x="{x}" y="{below}" text-anchor="middle">{escape(words)}</text>'
        yield f'<text class="ax" x="{coord(_WIDTH - _RIGHT + 36)}" y="{below}">{escape(self.chart.across)}</text>'

    def line(self, at: int, series: Series) -> Iterator[str]:
        points = thin_points(series.points)
        if not points:
            return
        placed = [(coord(self.x(when)), coord(self.y(value, at))) for when, value in points]
        path = "M" + "L".join(f"{x} {y}" for x, y in placed)
        dashes = _DASHES[at % len(_DASHES)]
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<path class="ln ln-{series.livery.tincture}" d="{path}"{dashed}/>'
        every = len(placed) <= _DOTS and len(self.chart.series) <= _DOTTED_LINES
        css, point = f"pt pt-{at % 4} ln-{series.livery.tincture}", _POINTS[at % 4]
        for x, y in placed if every else placed[-1:]:
            yield f'<path class="{css}" d="{point}" transform="translate({x} {y})"/>'

    def red_mark(self) -> Iterator[str]:
        mark = self.chart.mark
        if mark is None:
            return
        series = self.chart.series[mark.series]
        value = next((value for when, value in reversed(series.points) if when <= mark.at), None)
        if value is None:
            return
        x, y = self.x(mark.at), self.y(value, mark.series)
        yield f'<circle class="red-mark" cx="{coord(x)}" cy="{coord(y)}" r="13"/>'
        if mark.words:
            above = y - 22 if y - 22 > 24 else y + 36
            anchor = "start" if x < _WIDTH / 3 else "end" if x > (_WIDTH - _RIGHT) * 0.8 else "middle"
            yield f'<text class="nm red-words" x="{coord(x)}" y="{coord(above)}" text-anchor="{anchor}">'
            yield f"{escape(mark.words)}</text>"

    def names(self) -> Iterator[str]:
        """Each name at the end of its line, moved up or down so that none covers another."""
        named = [(at, series) for at, series in enumerate(self.chart.series[:_NAMED]) if series.points]
        ends = {at: self.y(series.points[-1][1], at) for at, series in named}
        x = _WIDTH - _RIGHT
        wanted = sorted((y, at) for at, y in ends.items())
        for y, at in spread_labels(wanted, _LABEL, _TOP + 4, self.bottom + 6):
            series = self.chart.series[at]
            # Names are set bold, which is a fifth wider than the estimate.
            words = (fit_text(series.name, (_RIGHT - 30) / 1.22, 30, 22, most_lines=1, share=0) or (f"{at + 1}",))[0]
            start = f"{coord(self.x(series.points[-1][0]) + 8)} {coord(ends[at])}"
            yield f'<path class="lead" d="M{start}L{coord(x + 22)} {coord(y)}"/>'
            yield f'<text class="nm" x="{coord(x + 27)}" y="{coord(y)}" dy=".34em">{escape(words)}</text>'


# A disc, a square, a lozenge, a triangle.
_POINTS = ("M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0", "M-5-5H5V5H-5z", "M0-7L7 0L0 7L-7 0z", "M0-7L6.5 5H-6.5z")


def spread_labels(wanted: Sequence[tuple[float, int]], gap: float, low: float, high: float) -> list[tuple[float, int]]:
    """Sorted heights, moved as little as possible so that they are ``gap`` apart and between ``low`` and ``high``."""
    placed: list[tuple[float, int]] = []
    for y, at in wanted:
        floor = placed[-1][0] + gap if placed else low
        placed.append((max(y, floor), at))
    ceiling = high
    for index in range(len(placed) - 1, -1, -1):
        y, at = placed[index]
        placed[index] = (min(y, ceiling), at)
        ceiling = placed[index][0] - gap
    return placed


def thin_points(points: Sequence[tuple[float, float]], most: int = _MAX_POINTS) -> list[tuple[float, float]]:
    """A long line drawn with fewer points: of each stretch the first, the lowest, the highest and the last stay."""
    if len(points) <= most:
        return list(points)
    size = len(points) / (most / 4)
    kept: list[tuple[float, float]] = []
    start = 0
    stretch = 1
    while start < len(points):
        end = max(start + 1, min(len(points), round(stretch * size)))
        part = range(start, end)
        lowest = min(part, key=lambda at: points[at][1])
        highest = max(part, key=lambda at: points[at][1])
        kept += [points[at] for at in sorted({start, lowest, highest, end - 1})]
        start, stretch = end, stretch + 1
    return kept


def _draw_numbers_table(chart: LineChart) -> str:
    """The value of each line at each point in time."""
    whens = sorted({when for series in chart.series for when, _ in series.points})
    note = ""
    if len(whens) > _ROWS:
        every = -(-len(whens) // _ROWS)
        whens = whens[::-1][::every][::-1]
        note = f"Every {every}th row is shown."
    words = dict(chart.ticks)
    columns = [
        [escape(words.get(when, f"{when:g}")) for when in whens],
        *(_values_at(series, whens) for series in chart.series),
    ]
    head = [escape(chart.across), *(isolate_name(series.name) for series in chart.series)]
    return draw_table(chart.title + ".", head, [list(row) for row in zip(*columns, strict=True)], note)


def _values_at(series: Series, whens: Sequence[float]) -> list[str]:
    values: list[str] = []
    at, value = 0, ""
    for when in whens:
        while at < len(series.points) and series.points[at][0] <= when:
            value = plain_number(series.points[at][1])
            at += 1
        values.append(value)
    return values
