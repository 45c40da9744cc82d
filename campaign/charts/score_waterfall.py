"""Where a score comes from: one row per step with its reason and entry. The steps add up to the score."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from campaign.charts.figure_html import draw_figure, percent, plain_number
from text import format_signed
from trusted_markup import SafeMarkup


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

    unit = f" {escape(chart.unit)}" if chart.unit else ""
    rows = [
        f'<li class="fall-end"><span class="no"></span><span class="fall-why">{escape(chart.start_words)}</span>'
        f"<b>{plain_number(chart.start)}</b>{bar(0, chart.start, 'fall-sum')}</li>"
    ]
    for step, before, after in zip(chart.steps, levels, levels[1:], strict=False):
        no = (
            f'<a class="no" href="{escape(step.url)}">{step.entry}</a>'
            if step.url
            else f'<span class="no">{step.entry}</span>'
        )
        when = f" <small>{escape(step.when)}</small>" if step.when else ""
        css = "up" if step.by > 0 else "down" if step.by < 0 else "none"
        mood = {"up": "good", "down": "bad", "none": "quiet"}[css]
        rows.append(
            f'<li><span class="sr">Entry </span>{no}<span class="fall-why">{escape(step.reason)}{when}</span>'
            f'<b class="{mood}">{format_signed(step.by)}</b>{bar(before, after, f"fall-{css}")}'
            f'<span class="sr">, total {plain_number(after)}</span></li>'
        )
    rows.append(
        f'<li class="fall-end"><span class="no"></span><span class="fall-why">{escape(chart.end_words)}</span>'
        f"<b>{plain_number(chart.total)}{unit}</b>{bar(0, chart.total, 'fall-sum')}</li>"
    )
    return draw_figure(f'<ol class="fall" aria-label="{escape(chart.title)}">{"".join(rows)}</ol>', chart.sentence)
