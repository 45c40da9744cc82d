"""A war from its founding to a new season, on two phones."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests import browser_phones

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(browser) -> Iterator:
    with browser_phones.open_phones(browser) as make:
        yield make


class Table:
    """One phone at a campaign."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address

    def open(self, part: str = "") -> Page:
        self.page.goto(self.address + part)
        return self.page

    def result(self, attacker: str, target: str, outcome: str, points: int) -> None:
        page = self.open(f"targets/?attacker={attacker}&target={target}")
        page.get_by_role("link", name="Log the result").click()
        page.get_by_role("link", name="Enter only the VP").click()
        page.check(f"[name=outcome][value={outcome}]")
        page.fill("[name=attacker_points]", str(points))
        page.get_by_role("button", name="Record the result").click()
        expect(page.get_by_role("heading", name="Chronicle")).to_be_visible()

    def standing(self, name: str) -> list[str]:
        """Loyalty, VP and holdings as the page shows them."""
        return self.page.locator("#board tr", has_text=name).locator("td").all_inner_texts()


def fits(page: Page) -> None:
    browser_phones.assert_fits(page)
    cut = page.evaluate(
        "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    )
    assert cut == 0, f"a table is cut off on {page.url}"


def test_war_from_founding_to_a_new_season(make_site, phone):
    site = make_site()
    page = phone()
    page.goto(site.url)
    page.fill("[name=name]", "Bramble")
    page.fill("[name=password]", "cheese-and-thyme")
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()

    # Found it, with friends who have no account.
    page.goto(f"{site.url}/campaigns/found/")
    page.fill("[name=name]", "The War of the Hedges")
    expect(page.get_by_label("Name of the first season")).not_to_have_value("")
    page.fill("[name=season]", "The Wet Spring")
    page.select_option("[name=kingdoms]", "3")
    fits(page)
    page.get_by_role("button", name="Found the campaign").click()
    expect(page.get_by_role("heading", name="Add kingdoms")).to_be_visible()
    for number, (name, ruler) in enumerate((("Oakhold", "Bramble"), ("Fenwick", "Tam"), ("Mole End", "Oda"))):
        page.fill(f"[name=k{number}-name]", name)
        page.fill(f"[name=k{number}-ruler]", ruler)
    fits(page)
    page.get_by_role("button", name="Add kingdoms").click()
    expect(page.get_by_role("heading", name="The War of the Hedges")).to_be_visible()
    table = Table(page, page.url)
    fits(page)

    # Tam's own phone, by personal link.
    page.goto(f"{site.url}/people/")
    page.get_by_role("link", name=re.compile("^Tam")).first.click()
    page.get_by_role("button", name="Make a personal link").click()
    link = page.locator("input.mono").first.input_value()
    other = Table(phone(), table.address)
    other.page.goto(link)
    other.page.get_by_role("button", name="Continue as Tam").click()
    expect(other.page.get_by_role("heading", name="Your move")).to_be_visible()
    other.open()
    expect(other.page.locator("#board tr", has_text="Fenwick")).to_be_visible()

    # A battle logged here changes the map there without a reload.
    other.page.evaluate("window.stayed = true")
    table.result("k1", "k2.border_1", "attacker", 4)
    expect(other.page.locator("#board tr", has_text="Oakhold").locator("td").nth(2)).to_have_text("5")
    expect(other.page.locator("#entries")).to_contain_text("Oakhold beat Fenwick")
    assert other.page.evaluate("window.stayed")

    # Three more; then the winner of the first was the other one.
    table.result("k2", "k3.border_1", "attacker", 3)
    table.result("k3", "k1.border_1", "defender", 2)
    table.result("k3", "k2.border_2", "draw", 1)
    assert table.standing("Oakhold") == ["+2", "4", "5"]
    page.get_by_text("Earlier entries").click()
    page.get_by_role("link", name="Correct this battle").last.click()
    fits(page)
    page.check("[name=outcome][value=defender]")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.locator("tr", has_text="Loyalty of Oakhold")).to_contain_text("+2")
    fits(page)
    page.fill("[name=why]", "We wrote down the wrong winner")
    page.get_by_role("button", name="Amend the entry").click()
    expect(page.locator("#entries")).to_contain_text("We wrote down the wrong winner")
    assert table.standing("Oakhold") == ["0", "4", "4"]
    assert table.standing("Fenwick")[0] == "+2"
    expect(other.page.locator("#board tr", has_text="Oakhold").locator("td").nth(2)).to_have_text("4")

    # And restored: exactly as before.
    page.get_by_role("link", name="Restore").click()
    page.get_by_role("button", name="Undo the correction").click()
    expect(page.get_by_role("heading", name="Chronicle")).to_be_visible()
    assert table.standing("Oakhold") == ["+2", "4", "5"]

    # The war is won: the campaign's page leads to the victory, the victory to the next war.
    expect(page.get_by_text("Season 1, The Wet Spring", exact=False).first).to_be_visible()
    for place in ("border_2", "lands", "castle"):
        table.result("k1", f"k2.{place}", "attacker", 1)
    page.get_by_role("link", name="See the victory and close the season").click()
    expect(page.get_by_role("heading", name="Oakhold wins the war")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 664})
    expect(page.get_by_role("button", name="Close the season")).to_be_in_viewport(ratio=1)
    fits(page)
    page.get_by_role("button", name="Close the season").click()
    expect(page.get_by_role("link", name="Start the next war")).to_be_in_viewport(ratio=1)
    # Lists are live like the rest.
    other.page.goto(f"{site.url}/campaigns/")
    entries = other.page.locator("#campaigns small").first
    before = entries.inner_text()
    page.get_by_role("link", name="Read the chronicle").click()
    page.get_by_text("Write a note").click()
    page.fill("[name=text]", "Cheese for everyone.")
    page.get_by_role("button", name="Save note").click()
    expect(page.locator("#entries")).to_contain_text("Cheese for everyone.")
    expect(entries).not_to_have_text(before)
    page.get_by_role("link", name="See the victory and start the next war").click()
    other.open("wars/1/")
    expect(other.page.get_by_role("link", name="Share the picture")).to_be_visible()
    expect(other.page.get_by_role("link", name="Start the next war")).to_have_count(0)
    page.get_by_role("link", name="Start the next war").click()
    page.fill("[name=name]", "The Dry Summer")
    page.get_by_role("button", name="Open the season").click()
    page.get_by_role("button", name="Start the new war").click()
    expect(page.get_by_text("Season 2, The Dry Summer", exact=False).first).to_be_visible()
    assert table.standing("Oakhold") == ["0", "0", "4"]

    for part in (
        "",
        "targets/?attacker=k1",
        "kingdoms/k1/",
        "kingdoms/k1/looks/",
        "kingdoms/k1/rule/",
        "atlas/",
        "agreed/",
        "season/",
        "masters/",
        "house-rules/",
        "roll-off/",
        "entries/7/strike/",
    ):
        fits(table.open(part))
    site.manage("verify_chronicle")


def test_names_of_34_letters_without_a_space_widen_no_page_and_hide_no_column(make_site, phone):
    site = make_site()
    page = phone()
    page.goto(site.url)
    page.fill("[name=name]", "Bramblewickshirehamptonvilleburgton")
    page.fill("[name=password]", "cheese-and-thyme")
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    page.goto(f"{site.url}/campaigns/found/")
    page.fill("[name=name]", "Thewarofthehedgesandthebramblesofold")
    page.select_option("[name=kingdoms]", "2")
    page.get_by_role("button", name="Found the campaign").click()
    expect(page.get_by_role("heading", name="Add kingdoms")).to_be_visible()
    names = ("Llanfairpwllgwyngyllgogerychwyrndr", "Oberhummelhausenwaldschlossburgtal")
    for number, name in enumerate(names):
        page.fill(f"[name=k{number}-name]", name)
        page.fill(f"[name=k{number}-ruler]", f"Ruler{name}")
    page.get_by_role("button", name="Add kingdoms").click()
    expect(page.get_by_role("heading", name="The war")).to_be_visible()
    table = Table(page, page.url)
    for name in names:  # cut on the map, whole in the table
        expect(page.locator("#board table bdi", has_text=name).first).to_be_visible()
    fits(page)
    page = table.open("targets/?attacker=k1&target=k2.border_1")
    fits(page)
    page.get_by_role("button", name="Declare the attack").click()
    expect(page.locator("summary", has_text="Timeline")).to_be_visible()
    fits(page)
    fits(table.open())
