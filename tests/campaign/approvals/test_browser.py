"""Two phones and the master's: a report confirmed, one disputed and decided, a correction by consent."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.campaign.test_browser import Table, fits, phone  # noqa: F401  (a fixture)

pytestmark = pytest.mark.browser

WORLD = """
import json
from campaign import chronicle, door
from people import links
from people.models import Person
from people.who import Who
from tests.campaign.wars import joining
people = {name: Person.objects.create(name=name) for name in ("Wren", "Tam", "Oda")}
master = Who.of(people["Wren"])
campaign = chronicle.found(master, key="the-reed-war", name="The Reed War")
for name, ruler in (("Oakhold", "Tam"), ("Fenwick", "Oda")):
    body = joining(name, ruler=people[ruler].pk)
    door.do(campaign, master, key="joins-" + name, act="kingdom_joins", body=body)
terms = {"confirm": "both", "correct": "touched"}
door.do(campaign, master, key="terms-here", act="house_rules", body={"terms": terms})
said = {name: links.issue(person, by=Who.of(person)).get_absolute_url() for name, person in people.items()}
print(json.dumps([campaign.get_absolute_url(), said]))
"""


def come_in(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.get_by_role("button", name=f"Continue as {name}").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()


def report(table: Table, attacker: str, target: str, outcome: str) -> None:
    page = table.open(f"targets/?attacker={attacker}&target={target}")
    page.get_by_role("link", name="It is fought: log the result").click()
    page.check(f"[name=outcome][value={outcome}]")
    page.fill("[name=attacker_points]", "4")
    page.get_by_role("button", name="Report it").click()
    expect(page.locator("#petition")).to_contain_text("It waits for")
    fits(page)


def test_a_report_is_confirmed_disputed_and_corrected_by_those_it_touches(site, phone):  # noqa: F811
    address, doors = json.loads(site.shell(WORLD).splitlines()[-1])
    tables = {}
    for name, link in doors.items():
        page = phone()
        come_in(page, site.url + link, name)
        tables[name] = Table(page, site.url + address)
    tam, oda, wren = tables["Tam"], tables["Oda"], tables["Wren"]

    # Tam reports; Oda finds it on her own phone and says yes; Tam's page hears of it.
    report(tam, "k1", "k2.border_1", "attacker")
    oda.page.goto(site.url)
    oda.page.get_by_role("link", name="Answer it").click()
    expect(oda.page.locator("#petition")).to_contain_text("Oakhold beat Fenwick")
    fits(oda.page)
    oda.page.get_by_role("button", name="Yes, it was so").click()
    expect(oda.page.locator("#ledger")).to_contain_text("confirmed by Oda")
    expect(tam.page.locator("#petition")).not_to_contain_text("It waits for")
    tam.open()
    assert tam.standing("Oakhold")[0] == "+1"

    # The next one Oda tells differently; the master decides.
    report(tam, "k1", "k2.border_2", "attacker")
    oda.page.goto(site.url)
    oda.page.get_by_role("link", name="Answer it").click()
    oda.page.get_by_text("It was otherwise").click()
    oda.page.get_by_role("link", name="Tell it as it was").click()
    oda.page.check("[name=outcome][value=draw]")
    oda.page.fill("[name=reason]", "We ran out of time.")
    fits(oda.page)
    oda.page.get_by_role("button", name="Put it beside the report").click()
    expect(oda.page.locator("#petition")).to_contain_text("We ran out of time.")
    expect(tam.page.locator("#petition")).to_contain_text("Oda says")
    wren.page.goto(site.url)
    wren.page.get_by_role("link", name="Answer it").click()
    expect(wren.page.locator("#petition")).to_contain_text("Your decision")
    fits(wren.page)
    wren.page.get_by_role("button", name="What Oda says stands").click()
    expect(wren.page.locator("#ledger")).to_contain_text("fought to a draw")

    # Oda asks for a correction of the first battle; Tam agrees on his own phone.
    oda.open().get_by_role("link", name="Correct this battle").last.click()
    oda.page.check("[name=outcome][value=defender]")
    oda.page.get_by_role("button", name="Show what changes").click()
    expect(oda.page.locator("form").filter(has_text="Ask for it")).to_contain_text("Tam")
    oda.page.fill("[name=why]", "The wrong winner was written down")
    oda.page.get_by_role("button", name="Ask them").click()
    expect(oda.page.locator("#petition")).to_contain_text("It waits for Tam.")
    fits(oda.page)
    tam.open().get_by_role("link", name="Answer it").click()
    expect(tam.page.locator("#petition")).to_contain_text("The wrong winner was written down")
    tam.page.get_by_role("button", name="I agree").click()
    expect(tam.page.locator("#ledger")).to_contain_text("confirmed by Tam")
    assert tam.standing("Oakhold")[0] == "−1"
    oda.open()
    assert oda.standing("Fenwick")[0] == "+1"
