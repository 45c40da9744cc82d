"""Printed cards on the table, phones beside them: a whole evening of Royal Menagerie on two phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.site.test_flows import read_code

pytestmark = pytest.mark.browser


def test_a_game_with_printed_cards_is_dealt_turned_counted_and_kept(hall, phone, log_in):
    keeper = phone()
    log_in(keeper, "Wren")
    keeper.goto(f"{hall.url}/tables/companion/menagerie/")
    for number, name in enumerate(("Wren", "Tam", "Oda", "Pim")):
        keeper.fill(f"[name=name{number}]", name)
    keeper.get_by_role("button", name="Begin", exact=True).click()
    keeper.get_by_role("button", name="Deal the roles on phones").click()
    roles = keeper.locator("#roles")
    expect(roles.get_by_text("Grand Vizier", exact=True)).to_be_visible()
    expect(roles.get_by_text("not taken yet")).to_have_count(3)

    # Another phone comes by the code on the first one, without an account.
    keeper.get_by_text("Let others come to this sheet").click()
    address = read_code(keeper)
    other = phone()
    other.goto(address)
    other.get_by_role("button", name="Come to the table").click()
    other.locator("#roles").get_by_role("link", name="Take").first.click()
    other.get_by_role("button", name="Take my role").click()
    # It shows while it is pressed, and not a moment longer.
    face = other.locator(".peek-face")
    expect(face).to_be_hidden()
    other.locator(".peek").hover()
    other.mouse.down()
    expect(face).to_be_visible()
    other.mouse.up()
    expect(face).to_be_hidden()
    other.get_by_role("link", name="This is my own phone").click()
    expect(other.locator("#roles").get_by_text("on this phone")).to_be_visible()
    expect(roles.get_by_text("on another phone")).to_be_visible()

    # The turn goes on, and the other phone sees it by itself.
    keeper.locator("#turn").get_by_role("button", name="Next", exact=True).click()
    expect(other.locator("#turn .label")).to_have_text("Turn 2")

    # Points, each menagerie on the phone next to it; both see the totals.
    mine = keeper.get_by_role("form", name="Points of \u2068Wren\u2069")
    mine.locator("fieldset", has_text="Mammoth").locator("label", has_text="2").click()
    expect(keeper.locator("#sum-0")).to_have_text("6")
    expect(other.locator("#sum-0")).to_have_text("6")
    # The cellar has poor wifi: what is entered without a line waits, and goes out when the line is back.
    theirs = other.get_by_role("form", name="Points of \u2068Tam\u2069")
    other.context.set_offline(True)
    theirs.locator("fieldset", has_text="White Tiger").locator("label", has_text="2").click()
    expect(other.locator("#outbox .outbox-item")).to_have_count(1)
    other.context.set_offline(False)
    expect(keeper.locator("#sum-1")).to_have_text("3")
    expect(theirs.locator("fieldset", has_text="White Tiger").locator("input:checked")).to_have_value("2")

    # The end: roles are shown, the sheet says who has won, and the result stays.
    keeper.locator("#roles summary", has_text="The game is over").click()
    keeper.get_by_role("button", name="Show the roles").click()
    expect(keeper.locator("#totals .verdict")).to_contain_text("The game goes to")
    expect(other.locator("#roles").get_by_text("Conspirator", exact=True)).to_have_count(2)
    keeper.get_by_role("button", name="Keep the result").click()
    expect(keeper.locator("#kept")).to_contain_text("Kept")


def test_the_score_sheet_works_without_scripts(hall, phone):
    page = phone(java_script_enabled=False)
    page.goto(f"{hall.url}/tables/companion/monarchs/?seats=2")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="Draw lots").click()
    page.get_by_role("button", name="The court deck is empty").click()
    form = page.locator("form.count").first
    form.locator("[name='s0.green.cards']").fill("4")
    form.locator("[name='s0.green.crowns']").fill("3")
    form.get_by_role("button", name="Add up").click()
    expect(page.locator("#sum-0")).to_have_text("12")
    page.get_by_role("button", name="The game is over").click()
    expect(page.locator("#totals .verdict")).to_have_text("The highest total wins. The game goes to Seat 1.")
