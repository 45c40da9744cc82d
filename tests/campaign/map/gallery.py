"""Every map and chart, to look at: ``python -m tests.campaign.map.gallery FOLDER`` writes pages and pictures."""

from __future__ import annotations

import os
import sys
from pathlib import Path

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
from campaign.charts.line_chart import Highlight, LineChart, Series, draw_line_chart
from campaign.map.display import build_map_display, list_map_kingdoms
from campaign.map.svg import draw_map_with_key
from heraldry import svg as heraldry_svg
from tests.campaign.map.sample_realms import a_realm

ROOT = Path(__file__).resolve().parents[3]
SIZES = (2, 3, 4, 5, 7, 8, 12, 100)


def page(body: str, theme: str = "light") -> str:
    """A page with the site's own stylesheets written into it, so that it opens from a file."""
    styles = "".join(
        f"<style>{(ROOT / 'static/css' / name).read_text()}</style>"
        for name in ("tokens.css", "components.css", "percent.css", "map.css")
    )
    return (
        f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>Gallery</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>'
        f'<body>{heraldry_svg.read_sprite()}<main class="leaf"><h1 class="sr">Gallery</h1>{body}</main></body></html>'
    )


def a_map(count: int, *, choosing: bool = True, at_war: bool = True) -> str:
    from django.template.loader import render_to_string

    state = a_realm(count, at_war=at_war)
    before = {**state.holders, "k2.border_2": "k2"}
    display = build_map_display(
        state,
        seed="gallery",
        title=f"The realm of {count} kingdoms",
        attacker="k1" if choosing else "",
        chosen="k2.lands" if choosing and count <= 4 else "",
        before=before if choosing else None,
        url=(lambda key: f"#{key}") if choosing else None,
    )
    drawn = render_to_string("campaign/home/_map.html", {"map": draw_map_with_key(display, f"map{count}")})
    return f'<div class="cols cols-wide"><section class="sec" id="realm-{count}">{drawn}</section><div></div></div>'


def some_lines(count: int, moments: int = 12) -> LineChart:
    kingdoms = list_map_kingdoms(a_realm(count))
    series = []
    for at, kingdom in enumerate(kingdoms):
        value, points = 0, []
        for when in range(moments + 1):
            if when:
                value = max(-3, min(3, value + ((when * (at + 3) + at * at) % 5 - 2) // 2 + ((when + at) % 3 == 0)))
            points.append((float(when), float(value)))
        series.append(Series(kingdom.name, kingdom.livery, tuple(points)))
    return LineChart(
        title=f"Loyalty of {count} kingdoms, battle by battle",
        sentence="Fenwick lost three battles in a row, and half its nobles with them.",
        series=tuple(series),
        mark=Highlight(1, 5, "three lost"),
    )


def a_waterfall() -> Waterfall:
    rows = (
        (4, "won battle 1", 1, "2 April"),
        (5, "won battle 1 with two kills", 4, "2 April"),
        (9, "drew battle 3", 1, "9 April"),
        (12, "spent on the fealty of House Sedge", -2, "9 April"),
        (18, "lost battle 6", -1, "30 April"),
        (24, "change by agreement of the table: counted twice in the second battle", -3, "7 May"),
        (31, "won battle 9", 6, "14 May"),
    )
    return Waterfall(
        title="Where the VP of Oakhold come from",
        sentence="Half of them fell at the crossing on 14 May.",
        steps=tuple(WaterfallStep(no, why, by, when, url=f"#entry-{no}") for no, why, by, when in rows),
        unit="VP",
    )


def some_meetings(count: int) -> HeadToHead:
    kingdoms = list_map_kingdoms(a_realm(count))
    won = {
        (a.id, b.id): (i * 3 + j * 5) % 4
        for i, a in enumerate(kingdoms)
        for j, b in enumerate(kingdoms)
        if i != j and (i + j) % 3
    }
    return HeadToHead(
        title="Head to head.",
        sentence="Nobody has beaten Thistledown twice.",
        sides=tuple(ChartKingdom(kingdom.id, kingdom.name, kingdom.arms) for kingdom in kingdoms),
        won=won,
        drawn={("k1", "k3"): 2},
    )


def some_scenarios() -> ScenarioChart:
    rows = (
        ("Open Battle", 5, 3, 1),
        ("Secure the Crossing", 2, 4, 0),
        ("Surrounded", 1, 6, 0),
        ("Take the Fortress", 3, 1, 2),
        ("Siege", 1, 0, 0),
    )
    return ScenarioChart(
        title="Battles by scenario",
        sentence="Surrounded favours whoever stands in the middle: six of seven.",
        rows=tuple(ScenarioRow(*row) for row in rows),
        mark=2,
    )


def all_charts() -> str:
    parts = (
        ("Loyalty", draw_line_chart(some_lines(4), "l4")),
        ("Twelve at once", draw_line_chart(some_lines(12), "l12")),
        ("A long war", draw_line_chart(some_lines(3, 400), "l400")),
        ("Where the VP come from", draw_waterfall(a_waterfall())),
        ("Head to head", draw_head_to_head(some_meetings(4))),
        ("Head to head of twelve", draw_head_to_head(some_meetings(12))),
        ("Scenarios", draw_scenario_bars(some_scenarios(), "sc")),
    )
    return (
        '<div class="cols cols-2">'
        + "".join(f'<section class="sec"><h2>{title}</h2>{drawn}</section>' for title, drawn in parts)
        + "</div>"
    )


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    bodies = {f"map-{count}": a_map(count) for count in SIZES} | {"charts": all_charts()}
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        for name, body in bodies.items():
            for theme in ("light", "dark"):
                path = folder / f"{name}-{theme}.html"
                path.write_text(page(body, theme))
                for width in (390, 1280):
                    tab = browser.new_page(viewport={"width": width, "height": 900})
                    tab.goto(path.as_uri())
                    tab.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
                    tab.close()
        browser.close()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    main(Path(sys.argv[1]))
