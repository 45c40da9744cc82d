"""Whole games in real browsers, from a guest who hosts to the finale: four phones and a TV, each in its own way.

Run by ``make soak``: some with a short deck or the last choices sent, some tapped through whole house decks.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import open_phones
from tests.cardgames.tables.board_screens import seat_to_move
from tests.cardgames.tables.test_browser import begin, close_role, send_to_the_end, sit, stamp_of
from tests.services import Site

pytestmark = pytest.mark.browser

UPRIGHT, SIDEWAYS, TV = {"width": 390, "height": 664}, {"width": 844, "height": 340}, {"width": 1920, "height": 1080}
NAMES = ("Pim", "Tam", "Oda", "Wren")
MOST = 600
IS_ON_TOP = """button => {
  const box = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}"""
# What makes a page wider than its screen, except what scrolls by itself.
TOO_WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5)
  .filter((one) => !one.closest('.scroll, bdi'))
  .map((one) => `${one.tagName} ${one.getAttribute('class')}: ${one.textContent.trim().slice(0, 40)}`)"""
SHORT_DECK = """
from cardgames.engine.deck_data import edit_deck
from cardgames.games import find_game, house_deck
deck = house_deck("menagerie")
few = {row.id: {**row.values, "copies": 3 if row.group == "animals" else 1} for row in deck.rows}
print("DECK", edit_deck(find_game("menagerie").schema, deck, few).text.replace(chr(10), " "))
"""


@pytest.fixture(scope="session")
def open_site(make_site) -> Site:
    """A site where anybody can host, as on a home network."""
    site = make_site(SIGN_UP="open")
    site.shell("from people.accounts import services; services.create_account('Owner', 'cheese-and-thyme', owner=True)")
    return site


# The ways to play. Each takes the question that is open on this phone and returns when it was answered.


def first_choice(page: Page) -> str:
    """What to select first: a card to buy if there is one, else the end of the turn, else anything."""
    page.locator("#choose").wait_for(state="attached")
    for key in ("buy:", "done"):
        if page.locator(f"[name=pick][value^='{key}']").count():
            return f"[name=pick][value^='{key}']"
    return ".fan .pick-in:not([value='']), [name=pick]:not([value=''])"


def by_tapping(page: Page, *, press: bool = True) -> None:
    close_role(page)
    page.locator(first_choice(page)).first.click()
    page.locator("#cancel").wait_for()
    while not page.locator("#press").count():
        target = page.locator(".table-top .pick-in").first
        value = target.get_attribute("value") or ""
        target.click()
        page.locator(f"#press, .table-top .pick-in[value^='{value}|']").first.wait_for()
    if press:
        stamp = stamp_of(page)
        page.locator("#press").click()
        page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")


def by_keyboard(page: Page) -> None:
    """No pointer at all: Tab, Enter, and the number of a card."""
    page.locator("#choose").wait_for(state="attached")
    if page.locator(".role-moment[open]").count():
        tab_to(page, ".role-moment > summary")
        page.keyboard.press("Enter")
    if page.locator(".fan .pick-in").count():
        page.keyboard.press("1")
    else:
        tab_to(page, first_choice(page))
        page.keyboard.press("Enter")
    page.locator("#cancel").wait_for()
    while not page.locator("#press").count():
        target = page.locator(".table-top .pick-in").first
        expect(target).to_be_focused()
        value = target.get_attribute("value") or ""
        page.keyboard.press("Enter")
        page.locator(f"#press, .table-top .pick-in[value^='{value}|']").first.wait_for()
    stamp = stamp_of(page)
    expect(page.locator("#press")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until something that fits has focus."""
    for _ in range(80):
        if page.evaluate("which => document.activeElement?.matches(which) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def without_script(page: Page) -> None:
    """Plain forms: the card, its target and the button are pages of their own."""
    page.reload()
    close_role(page)
    page.locator(first_choice(page)).first.click()
    while not page.locator("#press").count():
        page.locator(".table-top .pick-in").first.click()
    stamp = stamp_of(page)
    page.locator("#press").click()
    expect(page.locator(f"#choose [name=stamp][value='{stamp}']")).to_have_count(0)


def double_text(page: Page) -> None:
    """The browser's own setting for people who need large letters."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '32px'")


Way = Callable[[Page], None]


def play_whole_game(
    browser, site: Site, game: str, ways: tuple[Way, ...], *, large: bool = False, deck: str = "", tapped: int = MOST
) -> None:
    """A guest hosts, three join by code, a TV watches. ``tapped``: after so many choices the rest is sent undrawn."""
    with open_phones(browser) as make:
        phones = {
            number: make(
                viewport=SIDEWAYS if number == 1 else UPRIGHT,
                java_script_enabled=way is not without_script,
                color_scheme="dark" if number == 2 else "light",
            )
            for number, way in enumerate(ways)
        }
        code = host_as_guest(phones[0], site, game, deck)
        for number in (1, 2, 3):
            sit(phones[number], site, code, number, NAMES[number])
        tv = make(viewport=TV)
        tv.goto(f"{site.url}/tables/{code}/wall/")
        begin(phones[0])
        for number, page in phones.items():
            if ways[number] is without_script:
                page.goto(f"{site.url}/tables/{code}/seats/{number}/")
            page.wait_for_url(f"**/tables/{code}/seats/{number}/")
            if large and ways[number] is not without_script:
                double_text(page)
        seen_playing = set()
        for _ in range(tapped):
            seat = seat_to_move(phones[0], site, code)
            if seat is None:
                break
            expect(tv.locator(":is(.boardrow, .crowns tr).is-turn")).to_have_count(1)
            check_tv_board(tv)
            ways[seat](phones[seat])
            seen_playing.add(seat)
        else:
            assert tapped < MOST, "the game does not end"
            send_to_the_end(phones, site, code)
        assert seen_playing == {0, 1, 2, 3}
        check_finale(phones, tv, site, code, ways)


def host_as_guest(page: Page, site: Site, game: str, deck: str) -> str:
    """From the front page of a site they never saw, with nothing but a name."""
    page.goto(f"{site.url}/tables/host/{game}/")
    page.fill("main [name=name]", NAMES[0])
    if game == "monarchs":
        page.select_option("[name=seats]", "4")
        page.locator("summary", has_text="Game options").click()
        page.select_option("[name=option_brisk_court]", label="on")
    page.click("button:has-text('Open the table')")
    code = page.locator(".table-code").inner_text()
    # Without scrolling, also where no QR code can be shown: here the site answers on this machine only.
    button = page.get_by_role("button", name="Begin")
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(IS_ON_TOP)
    if deck:
        with closing(sqlite3.connect(next(site.var.glob("*.sqlite3")), timeout=20)) as rows, rows:
            rows.execute("UPDATE cardgames_table SET deck = ? WHERE code = ?", (deck, code))
    return code


def check_tv_board(tv: Page) -> None:
    """Every row and card is on the screen, and names can be read across the room."""
    parts = tv.locator(".tv-board :is(.boardrow, .crowns tr, .spot)")
    bottoms = parts.evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")
    assert max(bottoms) <= 1080
    name = tv.locator(".tv-board :is(.boardrow h2, .crowns .who-name)").first
    assert name.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 48


def check_finale(phones: dict[int, Page], tv: Page, site: Site, code: str, ways: tuple[Way, ...]) -> None:
    """Everybody sees who won, and nothing is wider than its screen."""
    for number, page in phones.items():
        if ways[number] is without_script:
            page.goto(f"{site.url}/tables/{code}/")
        expect(page.locator(".outcome h2")).to_be_visible()
        assert page.evaluate(TOO_WIDE) == []
        width = (page.viewport_size or UPRIGHT)["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(tv.locator(".outcome :is(h1, h2)")).to_be_visible()
    assert tv.evaluate("document.documentElement.scrollWidth <= 1920 && document.documentElement.scrollHeight <= 1080")
    expect(phones[3].get_by_role("button", name="Play again").first).to_be_visible()


MIXED = (by_tapping, by_tapping, by_keyboard, without_script)


def short_menagerie(site: Site) -> str:
    text = site.shell(SHORT_DECK).partition("DECK ")[2].strip()
    assert json.loads(text)["game"] == "menagerie"
    return text


@pytest.mark.soak
def test_four_phones_and_a_tv_play_a_whole_menagerie_each_in_its_own_way(browser, open_site):
    """Upright, sideways, by keyboard alone and without script at one table."""
    play_whole_game(browser, open_site, "menagerie", MIXED, deck=short_menagerie(open_site))


@pytest.mark.soak
def test_four_phones_and_a_tv_play_monarchs_each_in_its_own_way(browser, open_site):
    """The last choices are sent without drawing them; ``make soak`` taps all of them."""
    play_whole_game(browser, open_site, "monarchs", MIXED, tapped=10)


@pytest.mark.soak
def test_four_phones_at_twice_the_text_size_play_monarchs(browser, open_site):
    play_whole_game(browser, open_site, "monarchs", (by_tapping,) * 4, large=True, tapped=10)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
@pytest.mark.parametrize("way", [by_tapping, by_keyboard, without_script], ids=lambda way: way.__name__)
def test_every_choice_of_a_whole_game_is_made_in_one_way(browser, open_site, game, way):
    play_whole_game(browser, open_site, game, (way,) * 4)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_whole_game_at_twice_the_text_size(browser, open_site, game):
    play_whole_game(browser, open_site, game, (by_tapping,) * 4, large=True)
