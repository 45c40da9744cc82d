"""Logging a play with the thumb: taps counted, drafts kept, sent once when the connection returns."""

from __future__ import annotations

import json
import secrets

import pytest
from playwright.sync_api import expect

from tests.browser_phones import NETWORK_ERROR, assert_fits, log_in, open_phones

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 664}
MAX_TAPS = 16
SETUP = """
import json
from people.accounts import services as accounts
from people import guests
from people.requester import Who
from groups import services as groups
from groups.entries import FoundGroup
from gamenights.nights import services as nights
from gamenights.plays.services import find_or_add_game
host = Who.of(accounts.create_account('Wren{n}', 'cheese-and-thyme'))
group = groups.found_group(host, 'a-group-for-taps', FoundGroup(name='The Burdock Table'))
for game in ('Azul', 'Cascadia'):
    find_or_add_game(group, game)
night = nights.start_tonight(group, host, key='tonight-for-taps')
people = []
for name in ('Pim', 'Oda', 'Tam'):
    person = guests.add_guest(host, name)
    nights.check_in(night, host, key=f'{{name}}-is-here-now', person=person)
print(json.dumps({{'code': night.code}}))
"""


class CountingPhone:
    """Counts every tap."""

    def __init__(self, page) -> None:
        self.page, self.taps = page, 0

    def tap(self, locator) -> None:
        locator.click()
        self.taps += 1

    def press(self, keys: str) -> None:
        pad = self.page.locator(".keys")
        for key in keys:
            self.tap(pad.get_by_role("button", name="Next" if key == ">" else key, exact=True))


@pytest.fixture
def table(site):
    number = secrets.token_hex(4)
    made = json.loads(site.shell(SETUP.format(n=number)).strip().splitlines()[-1])
    return f"Wren{number}", f"{site.url}/nights/{made['code']}/"


def test_four_players_and_scores_take_at_most_16_taps(site, browser, table):
    name, night = table
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, name, "cheese-and-thyme")
        page.goto(night)
        phone = CountingPhone(page)
        phone.tap(page.get_by_role("link", name="Log a play"))
        expect(page.locator(".keys")).to_be_visible()
        assert_fits(page)
        phone.tap(page.get_by_role("radio", name="Cascadia"))
        phone.press("87>92>74>69")
        save = page.locator("[data-save]")
        expect(save).to_have_text("Save: Pim wins with 92")
        box = save.bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        phone.tap(save)
        page.wait_for_url(night)
        expect(page.locator(".played2")).to_contain_text("92")
        assert phone.taps <= MAX_TAPS


def test_invalid_score_is_shown_at_its_row(site, browser, table):
    name, night = table
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, name, "cheese-and-thyme")
        page.goto(night + "log/")
        page.locator(".score").first.fill("abc")
        page.locator("[data-save]").click()
        expect(page.locator(".scorerow").first).to_contain_text("is not a score")
        assert page.url == night + "log/"


def test_without_a_connection_the_play_waits_and_is_sent_once(site, browser, table):
    name, night = table
    with open_phones(browser, forgiven=(NETWORK_ERROR,)) as make:
        page = log_in(make(viewport=PHONE), site.url, name, "cheese-and-thyme")
        page.goto(night + "log/")
        phone = CountingPhone(page)
        clock = page.locator("[data-clock]")
        phone.tap(clock)
        expect(clock).to_contain_text("Stop")
        phone.tap(clock)
        expect(clock).to_have_text("1 min")
        phone.press("12>15>9>1")
        page.reload()  # the draft is still there
        expect(page.locator("[data-save]")).to_have_text("Save: Pim wins with 15")
        page.context.set_offline(True)
        phone.tap(page.locator("[data-save]"))
        expect(page.locator("#outbox")).to_contain_text("Not sent yet")
        page.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(page.locator("#outbox")).to_be_hidden()
        page.goto(night)
        expect(page.locator(".played2 > li")).to_have_count(1)
        expect(page.locator(".played2")).to_contain_text("15")
        expect(page.locator(".played2")).to_contain_text("1 min")
