"""Two players and the game master on phones: one report confirmed, one disputed and decided, one correction agreed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.campaign.test_browser import Table, fits, phone  # noqa: F401  (a fixture)

pytestmark = pytest.mark.browser

WORLD = """
import json
from campaign import services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from people.models import Person
from people.passes.services import issue_link
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining
people = {name: Person.objects.create(name=name) for name in ("Wren", "Tam", "Oda")}
master = Who.of(people["Wren"])
campaign = founding_services.found_campaign(master, key="the-reed-war", name="The Reed War")
for name, ruler in (("Oakhold", "Tam"), ("Fenwick", "Oda")):
    body = joining(name, ruler=people[ruler].pk)
    services.write(campaign, master, key="joins-" + name, act=read_sent("kingdom_joins", body))
terms = {"confirm": "both", "correct": "touched"}
services.write(campaign, master, key="terms-here", act=read_sent("house_rules", {"terms": terms}))
said = {who: issue_link(one, by=Who.of(one)).get_absolute_url() for who, one in people.items()}
print(json.dumps([campaign.get_absolute_url(), said]))
"""


def open_personal_link(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.get_by_role("button", name=f"Continue as {name}").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()


def report(table: Table, attacker: str, target: str, outcome: str) -> None:
    page = table.open(f"targets/?attacker={attacker}&target={target}")
    page.get_by_role("link", name="Log the result").click()
    page.get_by_role("link", name="Enter only the VP").click()
    page.check(f"[name=outcome][value={outcome}]")
    page.fill("[name=attacker_points]", "4")
    page.get_by_role("button", name="Report the result").click()
    expect(page.locator("#approval")).to_contain_text("Waiting for")
    fits(page)


def test_report_is_confirmed_disputed_and_corrected_by_players_affected(site, phone):  # noqa: F811
    address, links = json.loads(site.shell(WORLD).splitlines()[-1])
    tables = {}
    for name, link in links.items():
        page = phone()
        open_personal_link(page, site.url + link, name)
        tables[name] = Table(page, site.url + address)
    tam, oda, wren = tables["Tam"], tables["Oda"], tables["Wren"]

    # Tam reports; Oda finds it on her own phone and says yes; Tam's page hears of it.
    report(tam, "k1", "k2.border_1", "attacker")
    oda.page.goto(site.url)
    oda.page.get_by_role("link", name="Answer").click()
    expect(oda.page.locator("#approval")).to_contain_text("Oakhold beat Fenwick")
    fits(oda.page)
    oda.page.get_by_role("button", name="Confirm").click()
    expect(oda.page.locator("#entries")).to_contain_text("confirmed by Oda")
    expect(tam.page.locator("#approval")).not_to_contain_text("Waiting for")
    tam.open()
    assert tam.standing("Oakhold")[0] == "+1"

    # The next one Oda tells differently; the master decides.
    report(tam, "k1", "k2.border_2", "attacker")
    oda.page.goto(site.url)
    oda.page.get_by_role("link", name="Answer").click()
    oda.page.get_by_text("Dispute").click()
    oda.page.get_by_role("link", name="Give my version").click()
    oda.page.check("[name=outcome][value=draw]")
    oda.page.fill("[name=reason]", "We ran out of time.")
    fits(oda.page)
    oda.page.get_by_role("button", name="Send my version").click()
    expect(oda.page.locator("#approval")).to_contain_text("We ran out of time.")
    expect(tam.page.locator("#approval")).to_contain_text("Oda says")
    wren.page.goto(site.url)
    wren.page.get_by_role("link", name="Answer").click()
    expect(wren.page.locator("#approval")).to_contain_text("Your decision")
    fits(wren.page)
    wren.page.get_by_role("button", name="Choose the version of Oda").click()
    expect(wren.page.locator("#entries")).to_contain_text("fought to a draw")

    # Oda asks for a correction of the first battle; Tam agrees on his own phone.
    oda.open().get_by_text("Earlier entries").click()
    oda.page.get_by_role("link", name="Correct this battle").last.click()
    oda.page.check("[name=outcome][value=defender]")
    oda.page.get_by_role("button", name="Preview changes").click()
    expect(oda.page.locator("form").filter(has_text="Ask for approval")).to_contain_text("Tam")
    oda.page.fill("[name=why]", "The wrong winner was written down")
    oda.page.get_by_role("button", name="Ask for approval").click()
    expect(oda.page.locator("#approval")).to_contain_text("Waiting for Tam.")
    fits(oda.page)
    tam.open().get_by_role("link", name="Answer").click()
    expect(tam.page.locator("#approval")).to_contain_text("The wrong winner was written down")
    tam.page.get_by_role("button", name="Approve").click()
    expect(tam.page.locator("#entries")).to_contain_text("confirmed by Tam")
    assert tam.standing("Oakhold")[0] == "−1"
    oda.open()
    assert oda.standing("Fenwick")[0] == "+1"
