"""Pages in a real browser: no policy errors, no serious axe finding, they fit a phone and need no script."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser_phones import REFUSAL_STATUS, WIDTH, open_phones

pytestmark = pytest.mark.browser

ARMS = "/arms/?field=gules&ordinary=chevron&ordinary_tincture=or&charge=acorn&charge_tincture=or&charges_count=3"
PARTED = "/arms/?field=gules&division=per_pale&field2=argent&ordinary=bend&charge=acorn&charges_count=2"
BROKEN = "/arms/?field=gules&ordinary=chevron&ordinary_tincture=azure"


@pytest.fixture(scope="module")
def site(make_site):
    return make_site(DJANGO_SETTINGS_MODULE="tests.pages.style_guide.settings")


@pytest.fixture
def open_page(browser, site):
    """A page of the site; what its console says of answers other than 4xx fails the test at its end."""
    with open_phones(browser, forgiven=(REFUSAL_STATUS,)) as make:

        def open_(path: str, *, width: int = WIDTH, **options):
            page = make(viewport={"width": width, "height": 844}, **options)
            page.goto(site.url + path)
            return page

        yield open_


@pytest.mark.parametrize(
    ("path", "scheme"), [("/guide/", "light"), ("/guide/", "dark"), (ARMS, "light"), (BROKEN, "dark")]
)
def test_axe_finds_nothing_serious(open_page, path, scheme):
    page = open_page(path, color_scheme=scheme)
    # Symbols are looked at where they are used; walking the sprite itself only takes time.
    page.evaluate("document.querySelectorAll('.sprite, use').forEach(e => e.remove())")
    result = Axe().run(page).response["violations"]
    serious = [
        (row["id"], [node["target"] for node in row["nodes"]][:4])
        for row in result
        if row["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("path", ["/guide/", ARMS, PARTED, BROKEN])
def test_nothing_is_wider_than_the_page(open_page, path):
    page = open_page(path)
    for width in (320, 390, 768, 960, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_is_large_enough_to_tap(open_page):
    """At least 44 px, except for links inside a sentence, which have a larger invisible edge."""
    page = open_page("/guide/")
    small = page.evaluate(
        """() => [...document.querySelectorAll(
                'main :is(.btn, .chip, select, textarea), .nav a, .you, .home-mark, .pick')]
            .filter(e => e.checkVisibility())
            .map(e => [e.textContent.trim().slice(0, 20), Math.round(e.getBoundingClientRect().height)])
            .filter(([, height]) => height < 44)"""
    )
    assert small == []


@pytest.mark.parametrize("scripts", [True, False])
def test_term_opens_by_keyboard_with_and_without_scripts(open_page, scripts):
    page = open_page("/guide/", java_script_enabled=scripts)
    page.get_by_role("button", name="fealty", exact=True).press("Enter")
    meaning = page.locator(".gloss:popover-open")
    assert "The allegiance of one noble house" in meaning.inner_text()
    page.keyboard.press("Escape")
    assert meaning.count() == 0


def test_term_popover_stays_on_the_screen(open_page):
    page = open_page("/guide/")
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for word in ("fealty", "[A]", "Str"):
            page.get_by_role("button", name=word, exact=True).first.press("Enter")
            box = page.locator(".gloss:popover-open").bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 844
            page.keyboard.press("Escape")


def test_arms_editor_updates_on_change(open_page):
    page = open_page(ARMS, width=1280)
    page.locator("label[for=charge-bell]").click()
    page.get_by_text("Gules, a chevron between three bells or.").wait_for()
    assert page.evaluate("document.activeElement.id") == "charge-bell"
    expect(page).to_have_url(re.compile("charge=bell"))
    page.locator("label[for=ordinary_tincture-azure]").click()
    page.get_by_text("colour on colour").wait_for()
    page.get_by_role("button", name="Argent").click()
    page.get_by_text("Gules, a chevron argent between three bells or.").wait_for()


def test_arms_editor_works_without_scripts(open_page):
    page = open_page(ARMS, java_script_enabled=False)
    page.locator("label[for=charge-bell]").click()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".blazon")).to_have_text("Gules, a chevron between three bells or.")


def test_preview_button_is_hidden_with_scripts(open_page):
    assert open_page(ARMS).get_by_role("button", name="Preview").count() == 0


def test_chosen_theme_overrides_the_device(open_page):
    page = open_page("/guide/", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(245, 238, 221)"
    page.get_by_text("Light or dark").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) == "rgb(18, 20, 29)"
    page.get_by_text("Light or dark").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Same as device").click()
    assert page.evaluate(ground) == "rgb(245, 238, 221)"


def test_times_use_the_device_zone_from_the_first_page(open_page):
    page = open_page("/guide/", timezone_id="Australia/Adelaide")
    shown = page.locator("time[data-when=full]").first
    moment = shown.get_attribute("datetime")
    here = page.evaluate("m => new Date(m).toTimeString().slice(0, 5)", moment)
    assert shown.inner_text().endswith(here)
    page.reload()
    assert page.locator("html").get_attribute("data-zone") == "Australia/Adelaide"
    assert (
        page.locator("time[data-when=full]")
        .first.inner_text()
        .endswith(
            page.evaluate(
                "m => new Date(m).toTimeString().slice(0, 5)",
                page.locator("time[data-when=full]").first.get_attribute("datetime"),
            )
        )
    )


def test_an_address_can_be_copied(open_page):
    page = open_page("/guide/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "https://mice.example/i/r4Tn-0akh-9fWq"


def test_print_hides_screen_controls(open_page):
    page = open_page("/guide/")
    page.emulate_media(media="print")
    for gone in (".nav", ".top", ".theme", ".pad", ".flourish"):
        assert page.locator(gone).first.is_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    # The engraved lines stay: hatching in black on white.
    assert page.evaluate("getComputedStyle(document.querySelector('#h-gules path')).stroke") == "rgb(0, 0, 0)"


def test_the_skip_link_is_the_first_stop_and_works(open_page):
    page = open_page("/guide/")
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#leaf")).to_be_focused()


def test_double_tap_submits_a_form_once(open_page):
    page = open_page("/guide/")
    # Both taps are over when the browser says how many of them it would have sent.
    page.evaluate(
        "window.sent = 0; addEventListener('submit', event => { window.sent += !event.defaultPrevented; "
        "event.preventDefault(); })"
    )
    page.get_by_text("Light or dark").click()
    page.get_by_role("button", name="Dark").dblclick()
    assert page.evaluate("window.sent") == 1
