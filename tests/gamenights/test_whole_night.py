"""A whole evening in real browsers: planned days before, answered without an account, three hours and a half with two
card tables, printed cards, a guest who changes phones and a play past midnight; told in one recap.

Here the last choices at the tables are sent without drawing them; ``make soak`` taps every one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import assert_fits, log_in, open_phones
from tests.cardgames.tables.board_screens import seat_to_move
from tests.cardgames.tables.test_browser import begin, send_to_the_end
from tests.cardgames.tables.test_whole_games import by_tapping
from tests.services import Site

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 664}, "timezone_id": "Europe/Berlin"}
TV = {"viewport": {"width": 1920, "height": 1080}, "timezone_id": "Europe/Berlin"}
SETTINGS = "tests.gamenights.settable_clock"  # not imported here: it changes the clock
ZONE = ZoneInfo("Europe/Berlin")
MONARCHS = "Of Mice and Monarchs"
PASSWORD = "cheese-and-thyme"
MOST = 600


@pytest.fixture
def site(make_site) -> Site:
    found = make_site(DJANGO_SETTINGS_MODULE=SETTINGS)
    found.shell(f"from people.accounts import services; services.create_account('Wren', '{PASSWORD}', owner=True)")
    return found


@dataclass
class Evening:
    """The evening as it goes: who won what, as the test saw it."""

    site: Site
    day: dt.date
    code: str = ""
    wins: Counter[str] = field(default_factory=Counter)
    plays: Counter[str] = field(default_factory=Counter)
    contests: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"{self.site.url}/nights/{self.code.replace('-', '')}/"

    def set_clock(self, hour: int, minute: int, *, next_day: bool = False) -> None:
        day = self.day + dt.timedelta(days=next_day)
        moment = dt.datetime.combine(day, dt.time(hour, minute), tzinfo=ZONE)
        seconds = (moment - dt.datetime.now(dt.UTC)).total_seconds()
        (self.site.var / "clock").write_text(f"{seconds:.0f}")

    def note(self, players: list[str], winners: list[str]) -> None:
        self.plays.update(players)
        self.wins.update(winners)
        if winners:
            self.contests.update(players)


def tap(page: Page, words: str) -> None:
    page.locator("main").get_by_role("button", name=words).or_(
        page.locator("main").get_by_role("link", name=words)
    ).first.click()


def plan(evening: Evening, host: Page) -> None:
    """A new group and its first night, in the day after tomorrow."""
    host.goto(f"{evening.site.url}/nights/")
    tap(host, "New group")
    host.fill("[name=name]", "The Burdock Table")
    host.select_option("[name=zone]", "Europe/Berlin")
    tap(host, "Create group")
    tap(host, "Plan a night")
    host.fill("[name=title]", "Night of the Long Candle")
    host.fill("[name=starts_at]", f"{evening.day}T19:30")
    host.fill("[name=place]", "Wren's kitchen")
    tap(host, "Plan the night")
    evening.code = host.locator("summary", has_text="Bring people in").locator("small").inner_text()


def come_by_code(evening: Evening, page: Page, name: str = "") -> None:
    """Types the code on the front page for codes. A phone that the site knows gives no name."""
    page.goto(f"{evening.site.url}/n/")
    page.fill("main [name=code]", evening.code.lower())
    tap(page, "Join")
    page.wait_for_url(evening.url)
    if name:
        page.fill("main [name=name]", name)
    tap(page, "Check in")


def open_table(evening: Evening, page: Page, game: str) -> str:
    page.goto(evening.url)
    tap(page, "Start a table")
    tap(page, game)
    return page.locator(".table-code").inner_text()


def sit_down(evening: Evening, page: Page, code: str) -> None:
    """One tap in the room."""
    page.goto(evening.url)
    tap(page, f"Sit down at table {code}")
    page.wait_for_url(f"**/tables/{code}/**")


def finish(evening: Evening, phones: dict[int, Page], names: dict[int, str], code: str) -> None:
    """Whatever is left of the game is sent undrawn; then everybody sees its end."""
    send_to_the_end(phones, evening.site, code)
    result = (
        phones[0].request.get(f"{evening.site.url}/api/v1/tables/{code}/seats/0/?since=9999").json()["view"]["result"]
    )
    evening.note(list(names.values()), [names[seat] for seat in result["winners"]])
    expect(phones[0].locator(".outcome h2")).to_be_visible()


def change_phone(evening: Evening, host: Page, fresh: Page, code: str) -> None:
    """Pim's battery is empty. The new phone says who it is, the host confirms, and the game goes on there."""
    fresh.goto(f"{evening.site.url}/n/")
    fresh.fill("main [name=code]", evening.code)
    tap(fresh, "Join")
    fresh.fill("main [name=name]", "Pim")
    tap(fresh, "Check in")
    tap(fresh, f"Yes, I am Pim of {evening.day.day}")
    host.goto(evening.url)
    tap(host, "Confirm: same person")
    expect(host.get_by_text("Is that right?")).to_have_count(0)
    expect(host.locator(".folks > li", has_text="Pim")).to_have_count(1)
    # The seat moves once the table's host agrees: a personal link alone must not show a hand.
    fresh.goto(f"{evening.site.url}/tables/{code}/around/")
    fresh.get_by_role("button", name=re.compile("Ask to move .?Pim")).click()
    host.goto(f"{evening.site.url}/tables/{code}/seats/0/")
    tap(host, "Move the seat")
    fresh.goto(f"{evening.site.url}/tables/{code}/seats/1/")
    expect(fresh.locator("#turnbar")).to_be_visible()


def play_with_printed_cards(evening: Evening, page: Page) -> None:
    """Printed cards on the kitchen table, their points on a phone."""
    page.goto(evening.url)
    tap(page, "Start a table")
    tap(page, f"Score sheet for {MONARCHS}")
    page.locator("label", has_text=re.compile(r"^\s*4\s*$")).click()
    page.locator("#name3").wait_for()
    for number, name in enumerate(("Wren", "Tam", "Oda", "Pim")):
        page.fill(f"#name{number}", name)
    tap(page, "Start the score sheet")
    tap(page, "Choose at random")
    for number, cards in enumerate((2, 6, 3, 1)):
        page.locator(f"[name^='s{number}.'][name$='.cards']").first.fill(str(cards))
        page.locator(f"[name^='s{number}.'][name$='.crowns']").first.fill(str(cards))
        page.keyboard.press("Tab")
        expect(page.locator(".totals tbody tr").nth(number).locator(".n")).not_to_have_text("0")
    evening.set_clock(23, 20)
    tap(page, "End the game")
    expect(page.locator(".totals .is-you")).to_contain_text("Tam")
    tap(page, "Save the result")
    expect(page.locator("#result")).to_contain_text("Saved")
    evening.note(["Wren", "Tam", "Oda", "Pim"], ["Tam"])


def log_cascadia(evening: Evening, page: Page) -> None:
    """A guest logs a play at 00:40: it belongs to the evening before."""
    page.goto(evening.url)
    tap(page, "Log a play")
    page.get_by_role("radio", name="Other game").check(force=True)
    page.fill("#other", "Cascadia")
    order = page.locator(".scorerow:has([name=player]:checked)")
    scores = {"Wren": "71", "Pim": "88", "Oda": "90", "Tam": "64"}
    for row in order.all():
        name = next(one for one in scores if one in row.inner_text())
        row.locator(".score").fill(scores[name])
    expect(page.locator("[data-save]")).to_have_text("Save: Oda wins with 90")
    page.locator("[data-save]").click()
    page.wait_for_url(evening.url)
    evening.note(list(scores), ["Oda"])


def check_recap(evening: Evening, host: Page) -> None:
    host.goto(evening.url + "recap/")
    text = host.locator("main").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert "4 plays of 2 games, 4 people" in text
    most = max(evening.wins.values())
    best = {name for name, wins in evening.wins.items() if wins == most}
    headline = host.locator("h1").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert all(name in headline for name in best), headline
    assert f"{most} win" in headline
    rows = [" ".join(row.inner_text().split()) for row in host.locator(".list > li", has_text="won,").all()]
    assert len(rows) == 4
    for name, plays in evening.plays.items():
        row = next(one for one in rows if name in one)
        assert f"{evening.wins[name]} of {evening.contests[name]} won, {plays} play" in row, row
    assert host.locator(".played2 > li").count() == 4
    assert "00:40" in host.locator(".played2 > li").last.inner_text(), "the play past midnight is the last"
    assert f"{evening.day.day} {evening.day:%B}" in text
    assert host.request.get(evening.url + "recap.png").headers["content-type"] == "image/png"
    assert_fits(host)


def live_through(browser, site: Site, *, tapped: int) -> None:
    """``tapped``: so many choices are tapped at each table before the rest is sent undrawn."""
    evening = Evening(site, dt.datetime.now(ZONE).date() + dt.timedelta(days=2))
    with open_phones(browser) as make:
        wren, pim, oda, tam = (make(**PHONE) for _ in range(4))
        log_in(wren, site.url, "Wren", PASSWORD)
        plan(evening, wren)
        # Days before, without an account.
        pim.goto(evening.url)
        pim.fill("main [name=name]", "Pim")
        tap(pim, "I am coming")
        expect(pim.locator("main button[aria-pressed=true]")).to_have_text("I am coming")
        # The evening. Pim's phone is remembered.
        evening.set_clock(19, 30)
        tv = make(**TV)
        log_in(tv, site.url, "Wren", PASSWORD)
        tv.goto(evening.url + "tv/")
        come_by_code(evening, wren)
        come_by_code(evening, pim)
        first = open_table(evening, wren, MONARCHS)
        sit_down(evening, pim, first)
        begin(wren)
        at_first = {0: wren, 1: pim}
        for number, page in at_first.items():
            page.wait_for_url(f"**/tables/{first}/seats/{number}/")
        evening.set_clock(20, 5)
        come_by_code(evening, oda, "Oda")
        come_by_code(evening, tam, "Tam")
        second = open_table(evening, oda, MONARCHS)
        sit_down(evening, tam, second)
        begin(oda)
        at_second = {0: oda, 1: tam}
        for number, page in at_second.items():
            page.wait_for_url(f"**/tables/{second}/seats/{number}/")
        expect(tv.get_by_text(second).first).to_be_attached()
        for phones, code in ((at_first, first), (at_second, second)):
            tap_some(evening, phones, code, 4)
        pim.goto("about:blank")
        later = make(**PHONE, color_scheme="dark")
        change_phone(evening, wren, later, first)
        wren.goto(f"{site.url}/tables/{first}/seats/0/")
        at_first = {0: wren, 1: later}
        evening.set_clock(21, 10)
        tap_some(evening, at_first, first, tapped)
        finish(evening, at_first, {0: "Wren", 1: "Pim"}, first)
        evening.set_clock(22, 30)
        tap_some(evening, at_second, second, tapped)
        finish(evening, at_second, {0: "Oda", 1: "Tam"}, second)
        play_with_printed_cards(evening, wren)
        evening.set_clock(0, 40, next_day=True)
        log_cascadia(evening, oda)
        evening.set_clock(1, 5, next_day=True)
        wren.goto(evening.url)
        wren.locator("summary", has_text="Run the night").click()
        tap(wren, "Close the night")
        expect(wren.get_by_role("heading", name="Plays")).to_be_visible()
        check_recap(evening, wren)
        wren.goto(f"{site.url}/nights/")
        expect(wren.get_by_role("link", name="Recap of")).to_be_visible()
        assert wren.evaluate("document.documentElement.scrollHeight") <= 2 * 844
        expect(tv.locator("body")).to_contain_text("Cascadia")


def tap_some(evening: Evening, phones: dict[int, Page], code: str, count: int) -> None:
    for _ in range(count):
        seat = seat_to_move(phones[0], evening.site, code)
        if seat is None:
            return
        by_tapping(phones[seat])
    assert count < MOST, "the game does not end"


@pytest.mark.soak
def test_an_evening_with_two_tables_ends_in_one_correct_recap(browser, site):
    live_through(browser, site, tapped=2)


@pytest.mark.soak
def test_whole_evening_is_tapped_to_its_recap(browser, site):
    live_through(browser, site, tapped=MOST)
