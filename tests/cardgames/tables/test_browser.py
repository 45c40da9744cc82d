"""Card tables in a real browser: several phones, a lost connection, a killed server.

The tests tap for real; where a whole game would take minutes, the phones send later choices without drawing them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from log.services import new_key
from tests.browser_phones import ERROR_STATUS, NETWORK_ERROR, log_in, open_phones
from tests.cardgames.tables.board_screens import LOST_LINES, expect_told
from tests.services import Site

pytestmark = pytest.mark.browser

HOST = "Tablewright"
PASSWORD = "cheese-and-thyme"
# Found by trying: with this seed the second choice finds a Bazaar in a Bazaar.
NESTED = b"bazaar 25"
MOST = 400


@pytest.fixture(scope="session")
def tables(site: Site) -> Site:
    site.shell(
        "from people.accounts import services; "
        f"services.find_account('{HOST}') or services.create_account('{HOST}', '{PASSWORD}', owner=True)"
    )
    return site


@pytest.fixture(scope="session")
def hosts_cookies(browser, tables) -> Any:
    """The host's browser, logged in once for all of these tests."""
    with open_phones(browser) as make:
        return log_in(make(), tables.url, HOST, PASSWORD).context.storage_state()


@pytest.fixture
def phone(browser, tables, hosts_cookies) -> Iterator[Callable[..., Page]]:
    """Opens phones, the host's or a guest's."""
    with open_phones(browser, forgiven=(ERROR_STATUS, NETWORK_ERROR)) as make:
        yield lambda *, of_the_host=False: make(storage_state=hosts_cookies if of_the_host else None)


def host(page: Page, site: Site, game: str, seats: str = "", seed: bytes = b"", **options: str) -> str:
    """Opens a table through its page and returns its code."""
    page.goto(f"{site.url}/tables/host/{game}/")
    if seats:
        page.select_option("[name=seats]", seats)
    if options:
        page.locator("summary", has_text="Game options").click()
        for name, value in options.items():
            page.select_option(f"[name=option_{name}]", label=value)
    page.click("button:has-text('Open the table')")
    page.locator(".table-code").wait_for()
    code = page.locator(".table-code").inner_text()
    if seed:
        with closing(sqlite3.connect(next(site.var.glob("*.sqlite3")), timeout=20)) as rows, rows:
            rows.execute("UPDATE cardgames_table SET seed = ? WHERE code = ?", (seed, code))
    return code


def sit(page: Page, site: Site, code: str, number: int, name: str) -> None:
    """Joins with the code, as a guest does."""
    page.goto(f"{site.url}/tables/")
    page.fill("[name=code]", code.lower())
    page.click("button:has-text('Join')")
    page.fill("#sit-name", name)
    page.locator(f"#seat-{number}").get_by_role("button", name="Sit here").click()
    expect(page.locator(f"#seat-{number}")).to_contain_text("you")


def begin(page: Page) -> None:
    """The host begins; bots play the free seats."""
    page.get_by_role("button", name="Begin").click()


def stamp_of(page: Page) -> str:
    return page.locator("#choose [name=stamp]").input_value()


def close_role(page: Page) -> None:
    """The role has a moment of its own before the first turn."""
    moment = page.locator(".role-moment[open] > summary")
    if moment.count():
        moment.click()
        expect(moment).to_have_count(0)


def select(page: Page, choice: str = "") -> str:
    """Selects the first choice whose key starts with this, and the first target if it needs one. Returns the key."""
    page.locator("#choose").wait_for(state="attached")
    close_role(page)
    named = f"[value^='{choice}']" if choice else ":not([value=''])"
    button = page.locator(f".fan .pick-in{named}, [name=pick]{named}").first
    key = button.get_attribute("value") or ""
    button.click()
    page.locator("#cancel").wait_for()
    while not page.locator("#press").count():
        target = page.locator(".table-top .pick-in").first
        value = target.get_attribute("value") or ""
        target.click()
        page.locator(f"#press, .table-top .pick-in[value^='{value}|']").first.wait_for()
    return key


def tap(page: Page, choice: str = "") -> str:
    """Selects and confirms, waits for the answer, and returns the key."""
    key, stamp = select(page, choice), stamp_of(page)
    page.locator("#press").click()
    page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")
    return key


def undo(page: Page) -> None:
    """Undoes the last choice and waits for the answer: the button may look the same before and after."""
    stamp = stamp_of(page)
    page.locator("#undo button").click()
    page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")
    page.locator("#choose").wait_for(state="attached")


def send_to_the_end(pages: dict[int, Page], site: Site, code: str) -> int:
    """Plays on without drawing: the phone whose turn it is sends each choice. Returns how many there were."""
    seat, seen, count = next(iter(pages)), None, 0
    cookies = {
        number: next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "companion_csrf")
        for number, page in pages.items()
    }
    while count < MOST:
        here = f"{site.url}/api/v1/tables/{code}/seats/{seat}/"
        seen = seen or pages[seat].request.get(f"{here}?since=9999", max_retries=LOST_LINES).json()
        if seen["view"]["result"]:
            return count
        if seen["ask"] is None:
            seat, seen = seen["view"]["asked"][0], None
            continue
        ask = seen["ask"]
        answer = pages[seat].request.post(
            f"{here}choose/?since=9999",
            data={"key": new_key(), "choice": ask["choices"][-1]["key"], "stamp": ask["stamp"]},
            headers={"X-CSRFToken": cookies[seat]},
            max_retries=LOST_LINES,
        )
        assert answer.status == 201, answer.text()
        seen = answer.json()
        count += 1
    raise AssertionError("the game does not end")


def test_four_phones_play_royal_menagerie_with_a_bazaar_in_a_bazaar(tables, phone):
    phones = {number: phone(of_the_host=number == 0) for number in range(4)}
    code = host(phones[0], tables, "menagerie", seed=NESTED)
    for number in (1, 2, 3):
        sit(phones[number], tables, code, number, f"Guest {number}")
    tv = phone()
    tv.goto(f"{tables.url}/tables/{code}/wall/")
    begin(phones[0])
    # The other phones go from the lobby to their seats by themselves.
    for number, page in phones.items():
        page.wait_for_url(f"**/tables/{code}/seats/{number}/")
    fourth = phones[3]
    assert [tap(fourth, "bazaar"), tap(fourth, "bazaar")] == ["bazaar", "bazaar"]
    expect(fourth.get_by_text("Bazaar within the Bazaar")).to_be_visible()
    expect(fourth.locator("#turnbar")).to_contain_text("Your turn, Bazaar")
    for page in (phones[1], tv):
        expect(page.get_by_role("heading", name="Bazaar within the Bazaar")).to_be_visible()
        expect(page.locator("#choose")).to_have_count(0)
    close_role(phones[1])
    check_hidden_role_shows_only_while_pressed(phones[1])
    # Around the inner Bazaar and out of it again, each on their own phone.
    for seat in (3, 0, 1, 2, 0):
        tap(phones[seat])
    # The outer Bazaar again: it lies under the thumb of whoever picks.
    expect(phones[1].get_by_role("list", name="Bazaar", exact=True)).to_be_visible()
    expect(phones[1].locator("#turnbar")).to_contain_text("You pick a card")
    expect(phones[1].get_by_text("Bazaar within the Bazaar")).to_have_count(0)
    for page in (phones[0], phones[2], phones[3]):
        page.goto("about:blank")  # who does not look need not be drawn for
    assert send_to_the_end(phones, tables, code) > 50
    for page in (phones[1], tv):
        expect(page.locator(".outcome :is(h1, h2)")).to_be_visible()
    expect(phones[1].locator(".roles li", has_text="Guest 1").locator("svg.gcard")).to_have_attribute(
        "aria-label", re.compile("^Conspirator")
    )


def check_hidden_role_shows_only_while_pressed(page: Page) -> None:
    face = page.locator(".peek-face")
    expect(face).to_be_hidden()
    page.locator(".peek").hover()
    page.mouse.down()
    expect(face).to_be_visible()
    page.mouse.up()
    expect(face).to_be_hidden()
    page.locator(".peek").focus()
    page.keyboard.down(" ")
    expect(face).to_be_visible()
    page.keyboard.up(" ")
    expect(face).to_be_hidden()


def test_two_players_share_a_phone_with_covers_and_undo(tables, phone):
    page = phone(of_the_host=True)
    code = host(page, tables, "monarchs", seats="2", seed=b"covers", brisk_court="on")
    page.locator("summary", has_text="Add a friend").click()
    page.fill("#sit-name", "Pip")
    page.get_by_role("button", name="Add them").click()
    expect(page.locator("#seat-1")).to_contain_text("Pip")
    begin(page)
    # No cards show while the phone is handed on.
    for _ in range(2):
        expect(page.get_by_role("heading", name="Hand the phone to")).to_be_visible()
        assert page.locator(".gcard").count() == 0
        page.get_by_role("button", name="show my cards").click()
        bought = tap(page, "buy:")
        undo(page)
        expect(page.locator(f"button[value='{bought}']")).to_be_visible()
        # Nothing bought: the deck's top card is revealed and placed on a card in the front row.
        tap(page, "done")
        expect(page.get_by_role("list", name="Revealed")).to_be_visible()
        page.locator("button[value='cover:front-2']").click()
        page.locator("#press").click()
        expect(page.get_by_role("list", name="Revealed")).to_have_count(0)
    expect(page.get_by_role("heading", name="Hand the phone to")).to_be_visible()
    assert send_to_the_end({0: page, 1: page}, tables, code) > 20
    page.goto(f"{tables.url}/tables/{code}/")
    expect(page.locator(".outcome h2")).to_be_visible()
    page.get_by_role("link", name="Watch the replay").click()
    page.get_by_role("link", name="Next step").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()


def test_solo_game_survives_a_lost_connection(tables, phone):
    page = phone(of_the_host=True)
    code = host(page, tables, "monarchs", seats="1", seed=b"alone", brisk_court="on")
    begin(page)
    page.wait_for_url("**/seats/0/")
    # The phone goes offline mid-turn. The tap waits and is sent once when it is back online.
    stamp = stamp_of(page)
    select(page, "buy:")
    page.context.set_offline(True)
    page.locator("#press").click()
    expect(page.locator("#outbox")).to_contain_text("Not sent yet")
    page.context.set_offline(False)
    page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")
    expect(page.locator("#outbox")).to_be_hidden()
    expect_told(page, "You buy")
    tap(page, "done")
    expect_told(page, "The white die shows")
    assert send_to_the_end({0: page}, tables, code) > 10
    expect(page.locator(".outcome h2")).to_be_visible()


def test_game_continues_after_the_server_was_killed(tables, phone):
    """Kills the server on a person's turn and again while a bot thinks: the bot's move comes after the restart."""
    page = phone(of_the_host=True)
    code = host(page, tables, "monarchs", seats="2", seed=b"power cut", brisk_court="on")
    begin(page)
    page.wait_for_url("**/seats/0/")
    bought = tap(page, "buy:")
    tables.kill()
    tables.start()
    page.reload()
    expect_told(page, "You buy")
    undo(page)
    expect(page.locator(f"button[value='{bought}']")).to_be_visible()
    tap(page, "buy:")
    tap(page, "done")
    tables.kill()
    tables.start()
    page.goto(f"{tables.url}/tables/{code}/")
    expect(page.locator("#choose")).to_be_attached()
    expect_told(page, "You draw")


def test_host_begins_within_three_taps_and_a_guest_needs_code_name_and_one_tap(tables, phone):
    hosting, guest = phone(of_the_host=True), phone()
    taps: dict[Page, list[str]] = {hosting: [], guest: []}

    def tap(page: Page, what: str, name: str) -> None:
        taps[page].append(name)
        page.locator(what, has_text=name).first.click()

    hosting.goto(tables.url)
    tap(hosting, ".host-grid button", "Royal Menagerie")
    code = hosting.locator(".table-code").inner_text()
    guest.goto(tables.url)
    guest.fill("[name=code]", f"{code[:2]} {code[2:]}".lower())
    guest.fill(".join [name=name]", "Pim")
    tap(guest, "button", "Join")
    expect(hosting.locator("#seat-1")).to_contain_text("Pim")
    tap(hosting, "button", "Begin with two bots")
    hosting.wait_for_url(f"**/tables/{code}/seats/0/")
    guest.wait_for_url(f"**/tables/{code}/seats/1/")
    tap(hosting, ".role-moment[open] > summary", "")
    expect(hosting.locator("#turnbar")).to_be_visible()
    assert len(taps[hosting]) <= 3
    assert taps[guest] == ["Join"]


def test_tv_fills_the_screen_with_large_names_and_no_navigation(browser, tables, phone):
    hosting = phone(of_the_host=True)
    code = host(hosting, tables, "menagerie")
    with open_phones(browser) as make:
        tv = make(viewport={"width": 1920, "height": 1080})
        tv.goto(f"{tables.url}/tables/{code}/wall/")
        expect(tv.locator("nav")).to_have_count(0)
        assert font_size(tv, ".tv-code") >= 200
        assert font_size(tv, ".chairseat b") >= 48
        # A long name leaves the others their room.
        sit(phone(), tables, code, 2, "Bartholomew the Longest-Named")
        expect(tv.locator("#seat-2")).to_contain_text("Bartholomew")
        boxes = tv.locator(".chairseat").evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
        assert min(box["width"] for box in boxes) >= 200
        assert max(box["right"] for box in boxes) <= 1920
        begin(hosting)
        expect(tv.locator(".boardrow.is-turn")).to_have_count(1)
        assert font_size(tv, ".boardrow h2") >= 48
        fits = "document.documentElement.scrollWidth <= 1920 && document.documentElement.scrollHeight <= 1080"
        assert tv.evaluate(fits)


def font_size(page: Page, selector: str) -> float:
    return page.locator(selector).first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
