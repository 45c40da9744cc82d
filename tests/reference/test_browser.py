"""The rulebook in a real browser: no page wider than the phone, no serious axe finding, search also without scripts."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from reference.chapters import chapters
from tests.browser_phones import assert_fits, open_phones

pytestmark = pytest.mark.browser

SHOT = "/rules/odds/?kind=shooting&attacker=bow_mice&target=king&inches=9"
ADDRESSES = [
    "/rules/",
    "/rules/?q=flanked",
    "/rules/odds/",
    SHOT,
    "/rules/scenarios/last_stand/",
    "/rules/scenarios/siege/",
    *(
        chapter.url
        for chapter in chapters()
        if chapter.key in ("units", "muster", "terrain", "modifiers", "siege", "options")
    ),
]


@pytest.fixture
def open_page(browser, site):
    with open_phones(browser) as make:

        def opened(address: str, **options) -> Page:
            page = make(**options)
            page.goto(site.url + address)
            return page

        yield opened


def test_no_rules_page_is_wider_than_the_screen(open_page, site) -> None:
    page = open_page("/rules/")
    for address in ADDRESSES:
        page.goto(site.url + address)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert_fits(page, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_rules(open_page, site, scheme: str) -> None:
    page = open_page("/rules/?q=cheese", color_scheme=scheme)
    for address in ("/rules/?q=cheese", "/rules/muster/", "/rules/scenarios/ambush/", SHOT):
        page.goto(site.url + address)
        result = Axe().run(page)
        assert result.violations_count == 0, f"{address}\n{result.generate_report()}"


def test_search_updates_while_typing(open_page) -> None:
    page = open_page("/rules/")
    page.fill("#find", "musician")
    expect(page.locator(".hits b").first).to_have_text("Musician")
    expect(page).to_have_url(re.compile(r"\?q=musician$"))
    expect(page.locator("#find")).to_be_focused()
    page.locator(".hits a").first.click()
    page.wait_for_url("**/rules/heroes/#musician")


def test_the_search_works_without_scripts(open_page) -> None:
    page = open_page("/rules/", java_script_enabled=False)
    page.fill("#find", "boiling")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile(r"\?q=boiling$"))
    expect(page.locator(".hits li").first).to_be_visible()


def test_the_odds_form_answers_without_scripts(open_page) -> None:
    page = open_page("/rules/odds/", java_script_enabled=False)
    page.select_option("select[name=attacker]", "battle_cat")
    page.get_by_role("button", name="Show the odds").click()
    expect(page.locator("#answer h2").first).to_contain_text("Battle Cat against Field Mice")
