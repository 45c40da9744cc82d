"""Printed cards with phones: a whole game of Royal Menagerie on two phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.site.test_user_flows import read_code

pytestmark = pytest.mark.browser


def test_game_with_printed_cards_from_deal_to_saved_result(hall, phone, log_in):
    keeper = phone()
    log_in(keeper, "Wren")
    keeper.goto(f"{hall.url}/tables/companion/menagerie/")
    for number, name in enumerate(("Wren", "Tam", "Oda", "Pim")):
        keeper.fill(f"[name=name{number}]", name)
    keeper.get_by_role("button", name="Start the score sheet").click()
    keeper.get_by_role("button", name="Deal the roles on phones").click()
    roles = keeper.locator("#roles")
    expect(roles.get_by_text("Grand Vizier", exact=True)).to_be_visible()
    expect(roles.get_by_text("not taken yet")).to_have_count(3)

    # Another phone opens the link without an account.
    keeper.get_by_text("Invite others to this score sheet").click()
    address = read_code(keeper)
    other = phone()
    other.goto(address)
    other.get_by_role("button", name="Open the score sheet").click()
    other.locator("#roles").get_by_role("link", name="Take").first.click()
    other.get_by_role("button", name="Take my role").click()
    # It shows only while pressed.
    face = other.locator(".peek-face")
    expect(face).to_be_hidden()
    other.locator(".peek").hover()
    other.mouse.down()
    expect(face).to_be_visible()
    other.mouse.up()
    expect(face).to_be_hidden()
    other.get_by_role("link", name="Leave it uncovered").click()
    expect(other.locator("#roles").get_by_text("on this phone")).to_be_visible()
    expect(roles.get_by_text("on another phone")).to_be_visible()

    # The turn changes, and the other phone updates by itself.
    keeper.locator("#turn").get_by_role("button", name="Next turn").click()
    expect(other.locator("#turn .label")).to_have_text("Turn 2")

    # Points, each menagerie on the phone next to it; both see the totals.
    mine = keeper.get_by_role("form", name="Points of \u2068Wren\u2069")
    mine.locator("fieldset", has_text="Mammoth").locator("label", has_text="2").click()
    expect(keeper.locator("#sum-0")).to_have_text("6")
    expect(other.locator("#sum-0")).to_have_text("6")
    # Figures entered offline wait, and are sent when the phone is back online.
    theirs = other.get_by_role("form", name="Points of \u2068Tam\u2069")
    other.context.set_offline(True)
    theirs.locator("fieldset", has_text="White Tiger").locator("label", has_text="2").click()
    expect(other.locator("#outbox .outbox-item")).to_have_count(1)
    other.context.set_offline(False)
    expect(keeper.locator("#sum-1")).to_have_text("3")
    expect(theirs.locator("fieldset", has_text="White Tiger").locator("input:checked")).to_have_value("2")

    # The end: roles are shown, the winner is named, and the result is saved.
    keeper.get_by_role("button", name="End the game").click()
    keeper.get_by_role("button", name="Show the roles").click()
    expect(keeper.locator("#totals .verdict")).to_contain_text("won")
    expect(other.locator("#roles").get_by_text("Conspirator", exact=True)).to_have_count(2)
    keeper.get_by_role("button", name="Save the result").click()
    expect(keeper.locator("#result")).to_contain_text("Saved")


def test_score_sheet_works_without_javascript(hall, phone):
    page = phone(java_script_enabled=False)
    page.goto(f"{hall.url}/tables/companion/monarchs/?seats=2")
    page.get_by_role("button", name="Start the score sheet").click()
    page.get_by_role("button", name="Choose at random").click()
    page.get_by_role("button", name="Mark the court deck as empty").click()
    form = page.locator("form.count").first
    form.locator("[name='s0.green.cards']").fill("4")
    form.locator("[name='s0.green.crowns']").fill("3")
    form.get_by_role("button", name="Add up the points").click()
    expect(page.locator("#sum-0")).to_have_text("12")
    page.get_by_role("button", name="End the game").click()
    expect(page.locator("#totals .verdict")).to_have_text("Seat 1 had the highest total and won.")
