"""Maps and charts in a browser: readable letters, no overlaps, not wider than the phone, every tap lands."""

from __future__ import annotations

from itertools import combinations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.campaign.map import gallery

pytestmark = pytest.mark.browser


@pytest.fixture
def show(browser, tmp_path):
    """Open a body in a window of this width."""
    tabs = []

    def opened(body: str, width: int, theme: str = "light"):
        path = tmp_path / "page.html"
        path.write_text(gallery.page(body, theme))
        tab = browser.new_page(viewport={"width": width, "height": 900})
        tabs.append(tab)
        tab.goto(path.as_uri())
        return tab

    yield opened
    for tab in tabs:
        tab.close()


# Every label a reader sees: its words, its place, the size of its letters in pixels, the size of its lines' box.
LABELS = """() => [...document.querySelectorAll('.map .lbl')].filter(
  t => getComputedStyle(t).display !== 'none'
).map(t => {
  const r = t.getBoundingClientRect(), scale = t.ownerSVGElement.getBoundingClientRect().width / 740;
  const px = parseFloat(getComputedStyle(t).fontSize) * scale;
  return {words: t.textContent, x: r.x, y: r.y, right: r.right, bottom: r.bottom, px: px};
})"""


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 12])
def test_labels_can_be_read_and_none_lies_on_another(show, count, width):
    tab = show(gallery.a_map(count), width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    result = tab.evaluate(LABELS)
    least = 10.7 if width == 320 and count >= 5 else 11.9 if width == 320 else 12
    assert [label["words"] for label in result if label["px"] < least] == []
    assert len(result) >= count * 3, "lands and both borderlands of every kingdom"
    for a, b in combinations(result, 2):
        wide = min(a["right"], b["right"]) - max(a["x"], b["x"])
        high = min(a["bottom"], b["bottom"]) - max(a["y"], b["y"])
        # The box of a line is taller than its letters, so boxes may touch where letters do not.
        assert wide < 3 or high < a["px"] * 0.35, f"{a['words']} lies on {b['words']}"


@pytest.mark.parametrize("count", [24, 100])
def test_a_crowded_map_fits_a_phone(show, count):
    tab = show(gallery.a_map(count), 390)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert all(label["px"] >= 12 for label in tab.evaluate(LABELS))


def test_a_tap_on_a_territory_follows_its_link_and_the_castle_lies_on_top(show):
    tab = show(gallery.a_map(4), 390)
    for key in ("k1.lands", "k1.castle", "k3.border_1"):
        box = tab.locator(f"#map4-{key.replace('.', '-')}")
        spot = box.evaluate(
            """(path, key) => { const svg = path.ownerSVGElement, box = path.getBBox(), p = svg.createSVGPoint();
            for (let i = 0; i < 400; i++) {
              p.x = box.x + box.width * ((i * 7919) % 400) / 400; p.y = box.y + box.height * ((i * 104729) % 400) / 400;
              if (!path.isPointInFill(p)) continue;
              const q = p.matrixTransform(svg.getScreenCTM()), hit = document.elementFromPoint(q.x, q.y);
              const link = hit && hit.closest('a');
              if (link && link.getAttribute('href') === '#' + key) return [q.x, q.y];
            } }""",
            key,
        )
        assert spot, f"no point of {key} leads to it"
        tab.mouse.click(*spot)
        assert tab.evaluate("location.hash") == f"#{key}"


def test_the_keyboard_reaches_every_territory_and_shows_where_it_is(show):
    tab = show(gallery.a_map(4), 1280)
    seen = []
    for _ in range(16):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate("document.activeElement.getAttribute('href')"))
        ring = tab.evaluate("getComputedStyle(document.activeElement.querySelector('.reach')).strokeWidth")
        assert float(ring.removesuffix("px")) >= 4
    assert len(set(seen)) == 16
    assert seen[0] == "#k1.lands"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(show, theme):
    tab = show(gallery.a_map(4) + gallery.a_map(12) + gallery.all_charts(), 1280, theme)
    result = Axe().run(tab)
    bad = [
        (violation["id"], violation["nodes"][0]["html"][:200])
        for violation in result.response["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert bad == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_charts_stay_within_the_page_and_their_letters_are_large_enough(show, width):
    tab = show(gallery.all_charts(), width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    outside = tab.evaluate(
        """() => [...document.querySelectorAll('.chart text')].filter(t => {
          const r = t.getBoundingClientRect(), s = t.ownerSVGElement.getBoundingClientRect();
          return r.x < s.x - 2 || r.right > s.right + 2 || r.y < s.y - 2 || r.bottom > s.bottom + 2;
        }).map(t => t.textContent)"""
    )
    assert outside == []
    small = tab.evaluate(
        """() => [...document.querySelectorAll('.chart text')].map(t => {
          const s = t.ownerSVGElement;
          return parseFloat(getComputedStyle(t).fontSize) * s.getBoundingClientRect().width / s.viewBox.baseVal.width;
        }).sort((a, b) => a - b)[0]"""
    )
    assert small >= (9.8 if width == 320 else 12)


def test_in_print_the_hatching_is_black_and_the_wash_is_white(show):
    tab = show(gallery.a_map(12), 1280, "dark")
    tab.emulate_media(media="print")
    inks = tab.evaluate("[...document.querySelectorAll('pattern .ml')].map(l => getComputedStyle(l).stroke)")
    assert set(inks) == {"rgb(0, 0, 0)"}
    washes = tab.evaluate("[...document.querySelectorAll('.map .wash')].map(l => getComputedStyle(l).fill)")
    assert set(washes) == {"rgb(255, 255, 255)"}
