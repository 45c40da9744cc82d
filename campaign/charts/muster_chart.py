"""A chart of what the nobles will send: exact chances at today's loyalty, with one less and one more beside them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape

from art import draw_figure, percent
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.distribution import hits_then_saves
from rulebook.odds.muster import house_odds
from text import SafeMarkup, format_signed


@dataclass(frozen=True, slots=True)
class LoyaltyColumn:
    """One loyalty: the chance of each row of the muster table, including nobody."""

    loyalty: int
    chances: tuple[tuple[str, Fraction], ...]
    models: Fraction  # to be expected of one house


@dataclass(frozen=True, slots=True)
class MusterChart:
    columns: tuple[LoyaltyColumn, ...]
    now: int  # which column is today's
    houses: int = 4
    sentence: str = ""


def build_muster_chart(loyalty: int, houses: int = 4, options: Options = BY_THE_BOOK) -> MusterChart:
    """From the rulebook: today's loyalty and one step to either side; a step that changes nothing is left out."""
    columns: list[LoyaltyColumn] = []
    now = 0
    for step in (-1, 0, 1):
        odds = house_odds(loyalty + step, options)
        column = LoyaltyColumn(loyalty + step, tuple((row.name, row.chance) for row in odds.rows), odds.models)
        if step and any(column.chances == other.chances for other in columns):
            continue
        if step == 0:
            # Below the least that counts, one less is no different.
            columns = [other for other in columns if other.chances != column.chances]
            now = len(columns)
        columns.append(column)
    return MusterChart(tuple(columns), now, houses, _sentence(columns, now, houses))


def _sentence(columns: list[LoyaltyColumn], now: int, houses: int) -> str:
    today = columns[now]
    nobody = dict(today.chances).get("Nobody", Fraction(0))
    parts = [
        f"At loyalty {format_signed(today.loyalty)} a house sends nobody {_of_100(nobody)} times in 100,"
        f" and about {_one_decimal(today.models)} models on average."
    ]
    if now + 1 < len(columns):
        more = columns[now + 1]
        parts.append(f"One more point of loyalty makes that {_one_decimal(more.models)}.")
    if houses and nobody:
        lost = hits_then_saves(houses, nobody).at_least(1)
        parts.append(f"At least one house is lost {_of_100(lost)} times in 100.")
    if houses != 4:
        count = {1: "One house answers", 0: "No house answers"}.get(houses, f"{houses} houses answer")
        parts.append(f"{count} the call.")
    return " ".join(parts)


def _of_100(chance: Fraction) -> str:
    value = float(chance * 100)
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def _one_decimal(value: Fraction) -> str:
    return f"{float(value):.1f}".removesuffix(".0")


def draw_muster_chart(chart: MusterChart) -> SafeMarkup:
    today = chart.columns[chart.now]
    parts = [(name, percent(float(chance))) for name, chance in today.chances if chance]
    label = ", ".join(f"{name} {share} in 100" for name, share in parts)
    bar = "".join(
        f'<i class="{"o4" if name == "Nobody" else f"o{at % 3 + 1}"} p-{share}">'
        f"{f'<span>{share}</span>' if share >= 9 else ''}</i>"
        for at, (name, share) in enumerate(parts)
    )
    head = "".join(
        f'<th scope="col"{" class=now" if at == chart.now else ""}>{"today, " if at == chart.now else ""}'
        f"{format_signed(column.loyalty)}</th>"
        for at, column in enumerate(chart.columns)
    )
    most = max((chance for _, chance in today.chances), default=Fraction(1)) or Fraction(1)
    rows = []
    for row, (name, _) in enumerate(today.chances):
        cells = []
        for at, column in enumerate(chart.columns):
            chance = column.chances[row][1]
            if at == chart.now:
                cells.append(
                    f'<td class="now"><span class="odds-cell"><span class="odds-bar" aria-hidden="true">'
                    f'<i class="p-{percent(float(chance / most))}"></i></span><b>{_of_100(chance)}</b></span></td>'
                )
            else:
                cells.append(f"<td>{_of_100(chance)}</td>")
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    foot = "".join(
        f"<td{' class=now' if at == chart.now else ''}>{_one_decimal(column.models)}</td>"
        for at, column in enumerate(chart.columns)
    )
    drawing = (
        f'<div class="odds" role="img" aria-label="One house: {escape(label)}.">{bar}</div>'
        f'<table class="stats odds-table"><caption>How often in 100 musters one house sends it, by loyalty.</caption>'
        f'<thead><tr><th scope="col">Sends</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f'<tfoot><tr><th scope="row">models on average</th>{foot}</tr></tfoot></table>'
    )
    return draw_figure(drawing, chart.sentence, css="chart-odds")
