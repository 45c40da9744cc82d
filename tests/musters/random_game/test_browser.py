"""A random game and a comparison, made on one phone and opened on another; once without scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser_phones import SCREEN, assert_fits, open_phones

pytestmark = pytest.mark.browser


@pytest.fixture
def open_phone(browser, site):
    with open_phones(browser) as make:

        def opened(address: str, **options) -> Page:
            page = make(**options)
            page.goto(address if address.startswith("http") else site.url + address)
            return page

        yield opened


def check_layout(page: Page) -> None:
    """Checks that axe finds nothing and nothing is wider than a small phone."""
    page.wait_for_load_state("load")
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()
    page.set_viewport_size({"width": 320, "height": 844})
    assert_fits(page, 320)
    page.set_viewport_size(SCREEN)


def table_of(page: Page) -> str:
    """The text version of the drawing: each piece and its position."""
    return page.locator("svg.ground[role=img]").get_attribute("aria-label") or ""


def test_two_phones_see_the_same_random_game(open_phone) -> None:
    mine = open_phone("/musters/evening/", color_scheme="dark")
    mine.get_by_role("button", name="Roll a game").click()
    expect(mine.locator("#ground .pieces-laid li").first).to_be_visible()
    first = table_of(mine)
    mine.get_by_role("link", name="Roll new terrain").click()
    expect(mine.get_by_role("link", name="Previous terrain")).to_be_visible()
    assert table_of(mine) != first
    mine.get_by_role("link", name="Roll for round 1").click()
    expect(mine.locator(".round-dice li")).to_have_count(1)
    mine.get_by_role("link", name="Roll for the next round").click()
    expect(mine.locator(".round-dice li")).to_have_count(2)
    check_layout(mine)
    theirs = open_phone(mine.url, java_script_enabled=False)
    assert table_of(theirs) == table_of(mine)
    assert theirs.locator(".round-dice").inner_text() == mine.locator(".round-dice").inner_text()
    theirs.get_by_role("link", name="Previous terrain").click()
    expect(theirs.get_by_role("link", name="Previous terrain")).to_have_count(0)
    assert table_of(theirs) == first


def test_two_new_armies_are_compared_in_other_situations(open_phone) -> None:
    page = open_phone("/musters/compare/", color_scheme="dark")
    page.get_by_role("button", name="Roll two armies").click()
    expect(page.locator(".attacks")).to_have_count(2)
    expect(page.get_by_text("The attackers charge.")).to_be_visible()
    check_layout(page)
    page.get_by_role("link", name="Long range").click()
    expect(page.get_by_text("The shooters are 9″ away.")).to_be_visible()
    page.locator("summary").filter(has_text="Change armies or situation").click()
    page.get_by_label("Targets stand in").select_option("barrier")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("targets in barrier")).to_be_visible()
    check_layout(page)


def test_comparison_links_to_odds_without_scripts(open_phone) -> None:
    page = open_phone("/musters/compare/?a=8GRE3-WKHCC-80001&b=8GRB9-DJAMF-G000R", java_script_enabled=False)
    page.locator(".attacks td a").first.click()
    expect(page.locator("#answer h2").first).to_have_text("King against King")
