"""Charts: every line told apart without colour, every number also in a table, every point traced to its entry."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from art import axis_steps
from campaign.charts.bars import (
    ChartKingdom,
    HeadToHead,
    ScenarioChart,
    ScenarioRow,
    Waterfall,
    WaterfallStep,
    draw_head_to_head,
    draw_scenario_bars,
    draw_waterfall,
)
from campaign.charts.line_chart import Highlight, LineChart, Series, draw_line_chart, spread_labels, thin_points
from campaign.map.kingdom_colours import Livery
from heraldry import Arms
from tests.campaign.map import gallery

HOSTILE = '<script>alert(1)</script>"&'


class Parts(HTMLParser):
    """What a browser would find: elements, their attributes, and text outside of SVG."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.feed(markup)
        assert self.open == [], f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("br", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict]:
        return [attrs for name, attrs in self.found if name == tag]


def every_chart() -> dict[str, str]:
    return {
        "lines": draw_line_chart(gallery.some_lines(4)),
        "twelve lines": draw_line_chart(gallery.some_lines(12)),
        "many lines": draw_line_chart(gallery.some_lines(100, 30)),
        "a long war": draw_line_chart(gallery.some_lines(3, 4000)),
        "waterfall": draw_waterfall(gallery.a_waterfall()),
        "meetings": draw_head_to_head(gallery.some_meetings(12)),
        "scenarios": draw_scenario_bars(gallery.some_scenarios()),
    }


@pytest.mark.parametrize("name", list(every_chart()))
def test_a_chart_is_well_formed_and_keeps_to_the_policy(name):
    parts = Parts(every_chart()[name])
    for tag, attrs in parts.found:
        assert "style" not in attrs
        assert tag != "script"
        assert not [name for name in attrs if name.startswith("on")]
    ids = [attrs["id"] for _, attrs in parts.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    # A picture says what it shows; whatever is no picture is a list or a table that can be read.
    spoken = [a for a in parts.all("svg") if a.get("role") == "img" and a.get("aria-labelledby")]
    assert spoken or parts.all("table") or parts.all("ol")
    assert all(a.get("aria-hidden") == "true" or a in spoken for a in parts.all("svg"))


def test_names_and_reasons_are_text():
    livery = Livery("gules")
    drawn = [
        draw_line_chart(
            LineChart(
                HOSTILE,
                HOSTILE,
                (Series(HOSTILE, livery, ((0, 1), (1, 2))),),
                HOSTILE,
                ((0, HOSTILE),),
                Highlight(0, 1, HOSTILE),
            )
        ),
        draw_waterfall(Waterfall(HOSTILE, HOSTILE, (WaterfallStep(1, HOSTILE, 1, HOSTILE, HOSTILE),), unit=HOSTILE)),
        draw_head_to_head(
            HeadToHead(
                HOSTILE,
                HOSTILE,
                (ChartKingdom("a", HOSTILE, Arms("gules")), ChartKingdom("b", "B", Arms("or"))),
            )
        ),
        draw_scenario_bars(ScenarioChart(HOSTILE, HOSTILE, (ScenarioRow(HOSTILE, 1, 0),))),
    ]
    for row in drawn:
        assert "<script" not in row
        assert "&lt;script" in row
        Parts(row)


# ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────


def test_twelve_lines_differ_in_dashes_as_well_as_in_colour():
    drawn = draw_line_chart(gallery.some_lines(12))
    looks = re.findall(r'<path class="ln ln-(\w+)" d="[^"]+"(?: stroke-dasharray="([^"]+)")?/>', drawn)
    assert len(looks) == 12
    assert len({tincture for tincture, _ in looks}) == 12
    assert len({dashes for _, dashes in looks}) == 12


def test_every_line_is_named_at_its_end_and_no_name_covers_another():
    drawn = draw_line_chart(gallery.some_lines(12))
    svg = ET.fromstring(re.search(r"<svg.*?</svg>", drawn)[0])
    names = [node for node in svg.iter("text") if node.get("class") == "nm"]
    assert len(names) == 12
    heights = sorted(float(node.get("y")) for node in names)
    assert all(b - a >= 26.9 for a, b in pairwise(heights))
    _, _, _, height = map(float, svg.get("viewBox").split())
    assert heights[0] > 0
    assert heights[-1] < height


def test_lines_stay_inside_the_drawing():
    for chart in (gallery.some_lines(12), gallery.some_lines(3, 4000)):
        svg = ET.fromstring(re.search(r"<svg.*?</svg>", draw_line_chart(chart))[0])
        _, _, width, height = map(float, svg.get("viewBox").split())
        for node in svg.iter("path"):
            if "ln " in node.get("class", "") + " " and node.get("class", "").startswith("ln"):
                points = [tuple(map(float, pair.split())) for pair in node.get("d")[1:].split("L")]
                assert all(0 <= x <= width and 0 <= y <= height for x, y in points)


def test_the_table_holds_every_number_of_the_chart():
    chart = gallery.some_lines(4)
    drawn = draw_line_chart(chart)
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', drawn)
    assert [int(no) for no, _ in rows] == list(range(13))
    for (_, cells), at in zip(rows, range(13), strict=True):
        shown = [int(cell.replace("−", "-")) for cell in re.findall(r"<td>([^<]+)</td>", cells)]
        assert shown == [int(series.points[at][1]) for series in chart.series]


def test_a_long_war_is_drawn_with_few_points_and_keeps_its_peaks():
    points = tuple((float(x), float(x % 97)) for x in range(10_000))
    kept = thin_points(points)
    assert len(kept) <= 124
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]
    assert max(y for _, y in kept) == 96
    assert min(y for _, y in kept) == 0
    assert all(a[0] < b[0] for a, b in pairwise(kept))
    drawn = draw_line_chart(LineChart("t", "s", (Series("A", Livery("or"), points),)))
    assert len(drawn) < 20_000


def test_an_empty_chart_says_so():
    empty = LineChart("t", "s", (Series("A", Livery("or"), ()),))
    assert "Nothing has happened yet." in draw_line_chart(empty)


def test_one_moment_is_drawn_too():
    drawn = draw_line_chart(LineChart("t", "s", (Series("A", Livery("or"), ((3, 0),)),)))
    Parts(drawn)
    assert "NaN" not in drawn


def test_there_is_one_red_mark_where_one_is_wanted():
    chart = gallery.some_lines(4)
    assert draw_line_chart(chart).count('class="red-mark"') == 1


@pytest.mark.parametrize(
    ("low", "high", "most", "marks"),
    [
        (-3, 3, 7, [-3, -2, -1, 0, 1, 2, 3]),
        (0, 12, 6, [0, 2, 4, 6, 8, 10, 12]),
        (0, 40, 6, [0, 10, 20, 30, 40]),
        (0, 0, 6, [0]),
    ],
)
def test_axes_are_marked_with_round_numbers(low, high, most, marks):
    result = axis_steps(low, high, most)
    assert result == marks
    assert len(result) <= most + 1


def test_names_are_moved_no_further_than_necessary():
    assert spread_labels([(10, 0), (100, 1)], 27, 0, 200) == [(10, 0), (100, 1)]
    assert spread_labels([(10, 0), (12, 1)], 27, 0, 200) == [(10, 0), (37, 1)]
    assert spread_labels([(190, 0), (199, 1)], 27, 0, 200) == [(173, 0), (200, 1)]


# ── Waterfall ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_steps_add_up_and_each_names_its_entry():
    chart = gallery.a_waterfall()
    drawn = draw_waterfall(chart)
    assert chart.total == 6
    assert "<b>6 VP</b>" in drawn
    assert sum(int(by.replace("−", "-")) for by in re.findall(r'<b class="(?:good|bad)">([+−]\d+)</b>', drawn)) == 6
    assert [int(no) for no in re.findall(r'<a class="no" href="#entry-\d+">(\d+)</a>', drawn)] == [
        step.entry for step in chart.steps
    ]
    running = [int(n.replace("−", "-")) for n in re.findall(r"total (−?\d+)</span>", drawn)]
    assert running == [1, 5, 6, 4, 3, 0, 6]


def test_every_bar_lies_on_its_track():
    drawn = draw_waterfall(gallery.a_waterfall())
    for a, b, c in re.findall(
        r'<i class="p-(\d+)"></i><i class="fall-bar fall-\w+ p-(\d+)"></i><i class="p-(\d+)"></i>', drawn
    ):
        assert int(a) + int(b) + int(c) == 100


def test_a_negative_score_is_drawn():
    chart = Waterfall("t", "", (WaterfallStep(2, "lost", -3), WaterfallStep(3, "lost again", -2)), start=1)
    assert chart.total == -4
    drawn = draw_waterfall(chart)
    assert "<b>−4</b>" in drawn
    Parts(drawn)


# ── Tables and bars ──────────────────────────────────────────────────────────────────────────────────────


def test_head_to_head_reads_the_same_from_both_sides():
    sides = tuple(ChartKingdom(key, key.upper(), Arms("gules")) for key in "abc")
    drawn = draw_head_to_head(
        HeadToHead("Head to head.", "", sides, won={("a", "b"): 3, ("b", "a"): 1}, drawn={("b", "a"): 2})
    )
    rows = re.findall(r"<tr><th.*?</tr>", drawn[drawn.index("<tbody>") :])
    assert 'class="ahead" aria-label="won 3, lost 1, drawn 2">3:1<small>=2</small>' in rows[0]
    assert 'class="behind" aria-label="won 1, lost 3, drawn 2">1:3<small>=2</small>' in rows[1]
    assert 'aria-label="never met"' in rows[2]
    assert [re.search(r'<td class="n">(\d+:\d+)</td>', row)[1] for row in rows] == ["3:1", "1:3", "0:0"]


def test_scenario_bars_are_as_long_as_their_battles():
    drawn = draw_scenario_bars(gallery.some_scenarios(), "x")
    svg = ET.fromstring(re.search(r"<svg.*?</svg>", drawn)[0])
    wide = {}
    for node in svg.iter("rect"):
        if node.get("class") in ("bar-attacker", "bar-drawn", "bar-defender"):
            wide.setdefault(node.get("y"), []).append(float(node.get("width")))
    totals = [sum(widths) for widths in wide.values()]
    battles = [row.total for row in gallery.some_scenarios().rows]
    assert [round(total / totals[0] * battles[0], 1) for total in totals] == battles
    assert max(totals) < 640


def test_before_the_first_battle_the_bars_say_so():
    assert "No battle has been fought yet." in draw_scenario_bars(ScenarioChart("t", "s", ()))
