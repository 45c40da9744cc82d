"""What people do, in a real browser against a real server, under a name that is not localhost."""

from __future__ import annotations

import io
import re
import secrets

import pytest
from PIL import Image
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def read_code(page) -> str:
    """The address in the QR code on the page, read from its pixels as a camera would."""
    import zxingcpp

    shot = page.locator(".qr-code").first.screenshot()
    barcodes = zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)).convert("L").resize((600, 600)))
    assert len(barcodes) == 1
    return barcodes[0].text


def fresh(words: str) -> str:
    """Words of this go alone: the site is shared, and a test may get a second go."""
    return f"{words} {secrets.token_hex(2)}"


def test_only_the_first_visitor_becomes_the_owner(make_site, browser):
    site = make_site()
    page = browser.new_page()
    page.goto(site.url)
    expect(page.get_by_role("heading", name="Become the owner")).to_be_visible()
    page.fill("[name=name]", "Bramble")
    page.fill("[name=password]", "cheese-and-thyme")
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    page.goto(f"{site.url}/ops/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.context.clear_cookies()
    page.goto(site.url)
    expect(page.get_by_role("heading", name="Mice-at-Arms")).to_be_visible()
    assert page.goto(f"{site.url}/first/").status == 404
    page.close()


def test_sign_up_log_out_and_log_in(hall, phone):
    page = phone()
    page.goto(f"{hall.url}/sign-up/")
    name = fresh("Мышь 🐭")
    page.fill("[name=name]", name)
    page.fill("[name=password]", "cheese-and-thyme")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    page.goto(f"{hall.url}/me/")
    page.get_by_role("button", name="Log out here").click()
    page.wait_for_url(f"{hall.url}/")
    page.goto(f"{hall.url}/log-in/")
    page.fill("[name=name]", name.lower())
    page.fill("[name=password]", "not-that-one")
    page.click("main button:has-text('Log in')")
    expect(page.get_by_text("Wrong name or password")).to_be_visible()
    page.fill("[name=password]", "cheese-and-thyme")
    page.click("main button:has-text('Log in')")
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()


def test_guest_joins_with_the_qr_code_of_the_master(hall, phone, log_in):
    master = phone()
    log_in(master, "Wren")
    master.goto(f"{hall.url}/campaigns/{hall.code}/invite/")
    address = read_code(master)
    assert address.startswith(f"{hall.url}/i/")
    guest = phone()
    guest.goto(address)
    assert address.rsplit("/", 1)[1] not in guest.url, "the token must not stay in the address"
    expect(guest.get_by_role("heading", name=re.compile("invited to .*The War of the Four Hedges"))).to_be_visible()
    master.goto(f"{hall.url}/campaigns/{hall.code}/")
    name = fresh("Hazel")
    expect(master.get_by_text(f"{name} joined the campaign")).to_have_count(0)
    guest.fill("[name=name]", name)
    guest.get_by_role("button", name="Join the campaign").click()
    expect(guest.get_by_role("heading", name="The War of the Four Hedges")).to_be_visible()
    # The master's page hears of it through the stream and updates without a reload.
    expect(master.get_by_text(f"{name} joined the campaign")).to_be_visible()


def test_a_personal_link_logs_a_guest_in_until_it_is_replaced(hall, phone, log_in):
    keeper = phone()
    log_in(keeper, "Wren")
    keeper.goto(f"{hall.url}/people/")
    name = fresh("Tansy")
    keeper.fill("main [name=name]", name)
    keeper.locator("main form button").last.click()
    keeper.get_by_role("button", name="Make a personal link").click()
    expect(keeper.get_by_role("button", name="Make a new link")).to_be_visible()
    address = read_code(keeper)
    guest = phone()
    guest.goto(address)
    expect(guest.get_by_role("heading", name=f"Continue as {name}")).to_be_visible()
    other = phone()
    other.goto(f"{hall.url}/me/")
    assert "/log-in/" in other.url, "opening the link alone must not let anyone in"
    guest.get_by_role("button", name=f"Continue as {name}").click()
    expect(guest.get_by_role("heading", name="Your move")).to_be_visible()
    keeper.get_by_role("button", name="Make a new link").click()
    expect(keeper.locator("#link-address")).not_to_have_value(address)
    guest.goto(f"{hall.url}/me/")
    assert "/log-in/" in guest.url
    assert guest.goto(address).status in (404, 410)


def test_forgotten_password_is_reset_with_a_one_time_link(hall, phone, log_in):
    owner = phone()
    log_in(owner, "Wren")
    owner.goto(f"{hall.url}/people/")
    owner.get_by_role("link", name=re.compile("^Oda")).first.click()
    owner.get_by_role("button", name="Make a password link").click()
    address = read_code(owner)
    oda = phone()
    oda.goto(address)
    oda.fill("[name=password]", "three-blind-dice")
    oda.get_by_role("button", name="Set password").click()
    oda.wait_for_url(lambda url: "invitation" not in url)
    again = phone()
    assert again.goto(address).status in (404, 410)
    expect(again.get_by_text("already been used")).to_be_visible()
    hall.passwords["Oda"] = "three-blind-dice"
    log_in(phone(), "Oda")


def test_site_works_without_scripts(hall, phone):
    page = phone(java_script_enabled=False)
    page.goto(f"{hall.url}/sign-up/")
    page.fill("[name=name]", fresh("Sorrel"))
    page.fill("[name=password]", "cheese-and-thyme")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    page.goto(f"{hall.url}/campaigns/found/")
    page.fill("[name=name]", "War without scripts")
    page.get_by_role("button", name="Found the campaign").click()
    expect(page.get_by_role("heading", name="Add kingdoms")).to_be_visible()
    page.get_by_role("button", name="Add kingdoms").click()
    expect(page.get_by_role("heading", name="War without scripts")).to_be_visible()
    page.get_by_text("Write a note").click()
    page.fill("[name=text]", "Written with a plain form.")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_text("Written with a plain form.")).to_be_visible()
    page.get_by_text("Light or dark").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_dark_theme_by_device_and_by_choice(hall, phone):
    def paper(page) -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = phone(), phone(color_scheme="dark")
    for page in (light, dark):
        page.goto(hall.url)
    assert paper(light) != paper(dark)
    light.get_by_text("Light or dark").click()
    light.get_by_role("button", name="Dark").click()
    expect(light.locator("html")).to_have_attribute("data-theme", "dark")
    assert paper(light) == paper(dark)


def test_offline_note_is_sent_after_a_reload(hall, phone, log_in):
    page = phone()
    log_in(page, "Tam")
    page.goto(f"{hall.url}/campaigns/{hall.code}/")
    page.context.set_offline(True)
    page.get_by_text("Write a note").click()
    note = fresh("From the far end of the cellar.")
    page.fill("[name=text]", note)
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_text("not sent yet", exact=False).first).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#entries").get_by_text(note)).to_be_visible()
    expect(page.locator("#entries").get_by_text(note)).to_have_count(1)


def test_two_phones_see_the_same_chronicle_grow(hall, phone, log_in):
    one, other = phone(), phone()
    log_in(one, "Wren")
    log_in(other, "Tam")
    for page in (one, other):
        page.goto(f"{hall.url}/campaigns/{hall.code}/")
    one.get_by_text("Write a note").click()
    note = fresh("The hedge is on fire.")
    one.fill("[name=text]", note)
    one.get_by_role("button", name="Save note").click()
    expect(other.locator("#entries").get_by_text(note)).to_be_visible()
