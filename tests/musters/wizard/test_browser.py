"""Three musters on phones: typed dice with a break, site dice in twelve taps, sealed dice of two players."""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser_phones import assert_fits, log_in, open_phones
from tests.services import Site

pytestmark = pytest.mark.browser

PASSWORD = "cheese-and-thyme"

# A war for each kind of dice, Tam's Oakhold against Oda's Fenwick, with an open battle.
SET_UP = """
from campaign import services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from people.accounts.services import create_account, normalise_log_in_name
from people.models import Person
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

for name in ("Tam", "Oda"):
    create_account(f"{name} of {hedge}", "cheese-and-thyme")
names = [normalise_log_in_name(f"{name} of {hedge}") for name in ("Tam", "Oda")]
tam, oda = (Person.objects.get(account__username=name) for name in names)
for dice in ("typed", "service", "sealed"):
    war = founding_services.found_campaign(Who.of(tam), key=f"a-war-{dice}", name=f"War of {dice} dice")
    invitations_services.join_campaign(war, Who.of(oda), key=f"oda-joins-{dice}")
    for name, ruler in (("Oakhold", tam), ("Fenwick", oda)):
        act = read_sent("kingdom_joins", joining(name, ruler=ruler.pk))
        services.write(war, Who.of(tam), act, key=f"{name}-joins")
    if dice != "typed":
        services.write(war, Who.of(tam), read_sent("house_rules", {"terms": {"dice": dice}}), key="whose-dice")
    body = {"attacker": "k2", "target": "k1.border_1"}
    services.write(war, Who.of(oda), read_sent("battle_declared", body), key="declared")
"""


@pytest.fixture(scope="module")
def hedges(site: Site) -> Callable[[int], str]:
    """Makes the wars of a first go, and others if a test needs a second one. The shared site keeps both."""

    @functools.cache
    def make(go: int) -> str:
        hedge = f"the {secrets.token_hex(3)} hedge"
        site.shell(f"hedge = {hedge!r}\n{SET_UP}")
        return hedge

    return make


@pytest.fixture
def hedge(hedges, request) -> str:
    return hedges(getattr(request.node, "execution_count", 1))


@pytest.fixture
def phone(browser, site: Site, hedge: str) -> Iterator:
    """Makes phones on which somebody is logged in."""
    with open_phones(browser) as make:
        yield lambda name, **options: log_in(make(**options), site.url, f"{name} of {hedge}", PASSWORD)


def begin(page: Page, site: Site, war: str) -> None:
    page.goto(f"{site.url}/musters/")
    own_row(page, war, "Oakhold").get_by_role("button", name="Muster").click()
    expect(page.get_by_role("heading", name="Oakhold musters")).to_be_visible()


def own_row(page: Page, war: str, realm: str) -> Locator:
    """The row of this side among one's own, of which two are shown at once."""
    row = page.locator("li.list-row", has_text=f"War of {war} dice").filter(has_text=realm)
    if not row.is_visible():
        page.locator("section summary", has_text=re.compile(r"^\s*\d+ more")).first.click()
    return row


def finished(page: Page) -> bool:
    """The army is complete: it is in the chronicle, without another tap."""
    return page.get_by_text("This army is in").count() > 0


def tap(page: Page, face: int = 6) -> None:
    """Answers the question: types the die, rolls, or takes the first choice. Ends when the page asks something else."""
    before = page.locator("[name=question]").first.get_attribute("value")
    pad = page.locator(".wiz form:not(details form) .pad button", has_text=str(face)).first
    (pad if pad.count() else page.locator(".wiz .btn-press").first).click()
    page.wait_for_function(
        "before => document.readyState === 'complete' && document.querySelector('[name=question]')?.value !== before"
        " && !!document.querySelector('.wiz [name=question], .ask form, .written')",
        arg=before,
    )


def test_muster_with_typed_dice_is_corrected_interrupted_and_finished_on_another_phone(site, phone):
    first = phone("Tam")
    begin(first, site, "typed")
    assert_fits(first)
    tap(first, 3)
    expect(first.get_by_role("heading", name="Who comes?")).to_be_visible()
    tap(first, 8)
    expect(first.get_by_role("heading", name="Rat Riders come")).to_be_visible()
    first.get_by_role("button", name="Correct the 8").click()
    expect(first.get_by_role("heading", name="Who comes?")).to_be_visible()
    tap(first, 5)
    expect(first.get_by_role("heading", name="Mice-at-Arms come")).to_be_visible()
    assert_fits(first)
    address = first.url.split("#")[0]
    first.close()  # the cellar swallows this phone

    second = phone("Tam")
    second.goto(f"{site.url}/musters/")
    own_row(second, "typed", "Oakhold").get_by_role("link", name="Continue").click()
    assert second.url == address
    expect(second.get_by_role("heading", name="Mice-at-Arms come")).to_be_visible()
    second.locator("summary", has_text="Take a lesser unit").click()
    second.locator("button.choice", has_text="Bow-Mice").click()
    expect(second.get_by_role("heading", name="Is there a hero?")).to_be_visible()
    while not finished(second):
        tap(second, 6)
    assert_fits(second)
    expect(second.get_by_text("This army is in")).to_be_visible()
    expect(second.locator(".unit-card h3").filter(has_text="Bow-Mice")).to_have_count(1)


def test_site_dice_take_twelve_taps_while_another_phone_watches(site, phone):
    captain = phone("Tam", reduced_motion="reduce")
    begin(captain, site, "service")
    taps = 1
    onlooker = phone("Oda")
    onlooker.goto(captain.url)
    expect(onlooker.get_by_text("You can watch")).to_be_visible()
    while not finished(captain):
        repeat = captain.get_by_role("heading", name="Another").count()
        tap(captain)
        taps += 1 - repeat
        assert_fits(captain)
        if captain.locator(".falls .d-hit").count():
            name = captain.locator(".falls .d-hit").first.evaluate("e => getComputedStyle(e).animationName")
            assert name == "none", "whoever wants less motion gets none"
    expect(captain.get_by_text("This army is in")).to_be_visible()
    assert taps <= 12
    onlooker.locator("summary", has_text="Total").click()
    expect(onlooker.locator(".facts-list dt", has_text="Models")).to_be_visible()


def test_sealed_dice_wait_for_the_other_word(site, phone):
    tam, oda = phone("Tam"), phone("Oda")
    begin(tam, site, "sealed")
    expect(tam.get_by_text("Both stay hidden until both are in")).to_be_visible()
    tam.fill("[name=word]", "Ёжик")
    tam.get_by_role("button", name="Seal my word").click()
    expect(tam.get_by_role("heading", name="Waiting for the other word")).to_be_visible()
    assert_fits(tam)
    oda.goto(f"{site.url}/musters/")
    own_row(oda, "sealed", "Fenwick").get_by_role("button", name="Muster").click()
    expect(oda.get_by_text("has sealed a word")).to_be_visible()
    assert "ёжик" not in oda.content()
    oda.fill("[name=word]", "Käse")
    oda.get_by_role("button", name="Seal my word").click()
    expect(oda.get_by_role("button", name="Roll for a hero")).to_be_visible()
    # The other phone hears of it by itself.
    expect(tam.get_by_role("button", name="Roll for a hero")).to_be_visible()
    while not finished(tam):
        tap(tam)
    code = tam.locator("#army-code").input_value()
    tam.goto(f"{site.url}/musters/")
    tam.fill("#code", code.lower())
    tam.get_by_role("button", name="Show the army").click()
    expect(tam.get_by_text("käse, ёжик").first).to_be_visible()
