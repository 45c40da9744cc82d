"""An evening and a comparison on two phones: rolled by one, opened by the other, without log-in; once without scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.phones import SCREEN, fits, phones

pytestmark = pytest.mark.browser


@pytest.fixture
def open_phone(browser, site):
    with phones(browser) as make:

        def opened(address: str, **options) -> Page:
            page = make(**options)
            page.goto(address if address.startswith("http") else site.url + address)
            return page

        yield opened


def sound(page: Page) -> None:
    """Nothing for axe, nothing wider than a small phone."""
    page.wait_for_load_state("load")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 320, "height": 844})
    fits(page, 320)
    page.set_viewport_size(SCREEN)


def table_of(page: Page) -> str:
    """The drawing in words: what lies where."""
    return page.locator("svg.ground[role=img]").get_attribute("aria-label") or ""


def test_one_phone_rolls_an_evening_and_the_other_sees_the_same(open_phone) -> None:
    mine = open_phone("/musters/evening/", color_scheme="dark")
    mine.get_by_role("button", name="Roll an evening").click()
    expect(mine.locator("#ground .pieces-laid li").first).to_be_visible()
    first = table_of(mine)
    mine.get_by_role("link", name="Draw again").click()
    expect(mine.get_by_role("link", name="The one before")).to_be_visible()
    assert table_of(mine) != first
    mine.get_by_role("link", name="Round 1").click()
    expect(mine.locator(".round-dice li")).to_have_count(1)
    mine.get_by_role("link", name="Next round").click()
    expect(mine.locator(".round-dice li")).to_have_count(2)
    sound(mine)
    theirs = open_phone(mine.url, java_script_enabled=False)
    assert table_of(theirs) == table_of(mine)
    assert theirs.locator(".round-dice").inner_text() == mine.locator(".round-dice").inner_text()
    theirs.get_by_role("link", name="The one before").click()
    expect(theirs.get_by_role("link", name="The one before")).to_have_count(0)
    assert table_of(theirs) == first


def test_two_fresh_armies_are_compared_and_the_situation_changed(open_phone) -> None:
    page = open_phone("/musters/compare/", color_scheme="dark")
    page.get_by_role("button", name="Two fresh armies").click()
    expect(page.locator(".blows")).to_have_count(2)
    expect(page.get_by_text("The attackers charge.")).to_be_visible()
    sound(page)
    page.get_by_role("link", name="Far shots").click()
    expect(page.get_by_text("The shooters are 9″ away.")).to_be_visible()
    page.locator("summary").filter(has_text="another situation").click()
    page.get_by_label("Targets stand in").select_option("barrier")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("the target's ground: barrier")).to_be_visible()
    sound(page)


def test_a_figure_of_the_comparison_leads_to_its_dice_without_scripts(open_phone) -> None:
    page = open_phone("/musters/compare/?a=8GRE3-WKHCC-80001&b=8GRB9-DJAMF-G000R", java_script_enabled=False)
    page.locator(".blows td a").first.click()
    expect(page.locator("#answer h2").first).to_have_text("King against King")
