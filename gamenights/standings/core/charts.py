"""Charts of the standings: how sure a rating is, and win rates as bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from art import draw_figure, draw_table, percent
from campaign.map.geometry import coord
from campaign.map.labels import fit_text
from gamenights.standings.core.ratings import Rating
from text import SafeMarkup

_WIDTH, _HEIGHT = 200.0, 36.0


def rating_scale(ratings: Sequence[Rating]) -> tuple[float, float]:
    """The ends of an axis that holds every span."""
    low = min((rating.mean - rating.margin for rating in ratings), default=0.0)
    high = max((rating.mean + rating.margin for rating in ratings), default=50.0)
    return low, max(high, low + 1)


def draw_rating_span(rating: Rating, scale: tuple[float, float]) -> SafeMarkup:
    """One bar: where the true strength lies, its lower end in red. The figures are beside it."""
    low, high = scale

    def x(value: float) -> float:
        return 4 + (value - low) / (high - low) * (_WIDTH - 8)

    start, end = x(rating.mean - rating.margin), x(rating.mean + rating.margin)
    step = 5 if high - low <= 40 else 10
    marks = range(int(low // step + 1) * step, int(high) + 1, step)
    axes = "".join(f'<path class="axis" d="M{coord(x(mark))} 0V{coord(_HEIGHT)}"/>' for mark in marks)
    css = "wide" if rating.is_shown else "wide is-early"
    return SafeMarkup(
        f'<svg class="spanbar" viewBox="0 0 {coord(_WIDTH)} {coord(_HEIGHT)}" preserveAspectRatio="none" '
        f'aria-hidden="true">{axes}'
        f'<rect class="{css}" x="{coord(start)}" y="11" width="{coord(end - start)}" height="14"/>'
        f'<rect class="sure" x="{coord(start)}" y="8" width="3" height="20"/>'
        f'<rect class="mid" x="{coord(x(rating.mean) - 1.5)}" y="11" width="3" height="14"/></svg>'
    )


@dataclass(frozen=True, slots=True)
class WinRate:
    """A bar: wins out of plays, and what chance alone would give."""

    name: str
    wins: int
    plays: int
    fair: float | None = None  # share of plays

    @property
    def share(self) -> float:
        return self.wins / self.plays if self.plays else 0.0


_CHART_WIDTH, _ROW, _BAR = 640.0, 70.0, 28.0


def draw_win_rates(title: str, sentence: str, rows: Sequence[WinRate], ident: str = "rates") -> SafeMarkup:
    """A bar for each row from 0 to 100 %, with a dashed mark at its fair share."""
    shown = [row for row in rows if row.plays]
    if not shown:
        return draw_figure("", "Nothing has been played yet.")
    width = _CHART_WIDTH - 90
    drawn = []
    for at, row in enumerate(shown):
        top = at * _ROW
        words = (fit_text(row.name, _CHART_WIDTH - 40, 26, 22, most_lines=1, share=0) or (row.name,))[0]
        y = top + 34
        drawn.append(f'<text class="nm" x="1" y="{coord(top + 24)}">{escape(words)}</text>')
        drawn.append(f'<rect class="bar-drawn" x="1" y="{coord(y)}" width="{coord(width)}" height="{coord(_BAR)}"/>')
        box = f'x="1" y="{coord(y)}" width="{coord(width * row.share)}" height="{coord(_BAR)}"'
        drawn.append(f'<rect class="bar-attacker" {box}/><rect class="bar-edge" {box}/>')
        if row.fair is not None:
            drawn.append(f'<path class="fair" d="M{coord(1 + width * row.fair)} {coord(y - 4)}v{coord(_BAR + 8)}"/>')
        at_bar = f'x="{coord(width + 12)}" y="{coord(y + _BAR / 2)}" dy=".34em"'
        drawn.append(f'<text class="ax" {at_bar}>{percent(row.share)}%</text>')
    svg = (
        f'<svg class="chart" viewBox="0 0 {coord(_CHART_WIDTH)} {coord(len(shown) * _ROW + 8)}" role="img" '
        f'aria-labelledby="{ident}-t"><title id="{ident}-t">{escape(title)}</title>{"".join(drawn)}</svg>'
    )
    table = draw_table(
        title,
        ("Name", "Wins", "Plays", "Share"),
        [(f"<bdi>{escape(row.name)}</bdi>", str(row.wins), str(row.plays), f"{percent(row.share)}%") for row in shown],
    )
    return draw_figure(svg, sentence, table)
