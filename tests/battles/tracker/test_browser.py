"""The tracker on phones: a battle to its end on two of them, a siege with a breach, a solo battle."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import NETWORK_ERROR, assert_fits, log_in, open_phones

pytestmark = pytest.mark.browser

PASSWORD = "cheese-and-thyme"
WORLD = """
from people.accounts.services import create_account
from tests.battles.battle_rows import make_battle
from tests.battles.tracker.core.memory_tracker import KING, house
hazel, rowan = (create_account(name, "cheese-and-thyme") for name in ("Hazel", "Rowan"))
from people.models import Person
hazel, rowan = (Person.objects.get(name=name) for name in ("Hazel", "Rowan"))
gun = {"unit": "cat_non", "origin": "train", "number": 1}
a, b = [KING, house(1, "rat_riders"), house(2, "field_mice")], [KING, house(1, "bow_mice"), house(2, "hoppers")]
pitched, soaked = make_battle(hazel, a=a, b=b), make_battle(hazel, a=a, b=b)
siege = make_battle(hazel, "siege", [KING, house(1, "mice_at_arms"), gun], [KING, house(1, "bow_mice")])
alone = make_battle(hazel, a=[KING, house(1, "field_mice")], b=[KING, house(1, "bow_mice")])
for battle in (pitched, soaked):
    battle.people.set([hazel, rowan])
print("codes", pitched.code, soaked.code, siege.code, alone.code)
"""


@pytest.fixture(scope="module")
def codes(site) -> dict[str, str]:
    found = site.shell(WORLD).split("codes ")[1].split()
    return dict(zip(("pitched", "soaked", "siege", "alone"), found, strict=True))


@pytest.fixture
def phone(site, browser) -> Iterator:
    """A maker of phones that are logged in. A line is cut here on purpose."""
    with open_phones(browser, forgiven=(NETWORK_ERROR,)) as make:
        yield lambda name: log_in(make(), site.url, name, PASSWORD)


def pad(page: Page, *faces: int) -> None:
    """Dice tapped on the pad of the field that is open."""
    entry = page.locator("[data-dice]").first
    for face in faces:
        entry.get_by_role("button", name=str(face), exact=True).click()


def token(page: Page, unit: str, what: str):
    return page.locator(f"#unit-{unit}").get_by_role("button", name=re.compile(f" {what}$"))


@pytest.mark.parametrize(("which", "cut"), [("pitched", 0), pytest.param("soaked", 20_000, marks=pytest.mark.soak)])
def test_a_pitched_battle_is_tracked_to_its_end_on_two_phones(site, codes, phone, which, cut):
    """One phone's line is down in the middle of it, for 20 seconds in the long form."""
    tracker = f"{site.url}/battles/{codes[which]}/table/"
    hazel, rowan = phone("Hazel"), phone("Rowan")
    rowan.goto(tracker)
    rowan.evaluate("window.stayed = true")
    hazel.goto(f"{tracker}lay/")
    hazel.get_by_role("button", name="Start the battle").click()
    expect(hazel.get_by_text("Who goes first?")).to_be_visible()
    hazel.fill("[name=roll_A]", "8")
    hazel.fill("[name=roll_B]", "3")
    hazel.get_by_role("button", name="Enter the rolls").click()
    expect(hazel.get_by_text("Oakhold to act.")).to_be_visible()
    assert_fits(hazel)

    # The other phone has heard, without a reload, and pushes a token of its own.
    expect(rowan.get_by_text("Oakhold to act.")).to_be_visible()
    assert rowan.evaluate("window.stayed")
    token(rowan, "B3", "acted").click()
    expect(token(hazel, "B3", "acted")).to_have_attribute("aria-pressed", "true")

    # A charge: unit, target, what holds, the number, the dice; the saves are the other captain's.
    hazel.locator("#unit-A2 h3 a").click()
    hazel.locator(".unit-action", has_text="Charge").get_by_role("link", name="Bow-Mice").click()
    expect(hazel.locator(".big").first).to_have_text("3+")
    assert_fits(hazel)
    hazel.get_by_text("Terrain", exact=True).click()
    hazel.select_option("[name=target_at]", "barrier")
    expect(hazel.locator(".tally")).to_contain_text("twice as many")
    hazel.locator("[name=flanked]").check()
    expect(hazel.locator(".big").first).to_have_text("5+")
    hazel.locator("[name=flanked]").uncheck()
    expect(hazel.locator(".big").first).to_have_text("3+")
    pad(hazel, 10, 9, 1, 1, 1, 1)
    hazel.get_by_role("button", name="Enter the 6 dice").click()
    expect(hazel.get_by_text("Thistledown rolls")).to_be_visible()
    expect(rowan.get_by_text("Roll 2 dice to save.")).to_be_visible()
    pad(rowan, 1, 1)
    rowan.get_by_role("button", name="Enter the 2 dice").click()
    expect(rowan.get_by_text("Test morale: roll 1 die.")).to_be_visible()
    pad(rowan, 10)
    rowan.get_by_role("button", name="Enter the die").click()
    expect(rowan.get_by_text("Roll 2 dice to hit.")).to_be_visible()
    rowan.fill("[name=faces]", "1 1")
    rowan.get_by_role("button", name="Enter the 2 dice").click()
    expect(hazel.locator("#unit-B2")).to_contain_text("in melee")
    expect(hazel.locator("#unit-B2 .pips .out")).to_have_count(2)

    # The line is cut in the middle: the taps wait on the phone and arrive, none refused.
    rowan.context.set_offline(True)
    token(rowan, "B1", "acted").click()
    expect(rowan.locator("#outbox")).to_contain_text("Not sent yet")
    rowan.wait_for_timeout(cut)
    token(hazel, "A3", "fleeing").click()
    expect(token(hazel, "A3", "fleeing")).to_have_attribute("aria-pressed", "true")
    rowan.context.set_offline(False)
    expect(token(hazel, "B1", "acted")).to_have_attribute("aria-pressed", "true")
    expect(token(rowan, "A3", "fleeing")).to_have_attribute("aria-pressed", "true")
    expect(rowan.locator("#outbox")).to_be_hidden()

    # They played on without the phones; now the tracker is set as the table stands.
    hazel.get_by_role("link", name="Fix the tracker").click()
    hazel.fill("[name=round]", "4")
    hazel.fill("[name=models_B1]", "1")
    hazel.fill("[name=wounds_B1]", "1")
    hazel.fill("[name=models_B3]", "0")
    assert_fits(hazel)
    hazel.get_by_role("button", name="Save").click()
    expect(rowan.locator(".score .rd b")).to_have_text("4")
    expect(rowan.locator("#unit-B3")).to_contain_text("removed")
    expect(rowan.locator(".score")).to_contain_text("1 VP so far")

    # A tap too many is taken back; what rested on it is named first.
    hazel.locator("#unit-B2 h3 a").click()
    hazel.locator("button[name=models][value='1']").click()
    expect(hazel.locator(".last-step")).to_contain_text("1 of 4 models")
    hazel.locator(".last-step").get_by_role("link", name="Undo").click()
    expect(hazel.get_by_text("No later step depends on it.")).to_be_visible()
    hazel.get_by_role("button", name="Undo this step").click()
    expect(hazel.locator("#unit-B2 .pips .out")).to_have_count(2)

    # The end: the last two of the enemy are removed, and the result form is filled in.
    for unit in ("B1", "B2"):
        hazel.locator(f"#unit-{unit} h3 a").click()
        hazel.locator("[name=models][value='0']").click()
        expect(hazel.locator(f"#unit-{unit}")).to_contain_text("removed")
    expect(rowan.get_by_text("The battle is decided")).to_be_visible()
    hazel.get_by_role("link", name="Check the result").click()
    expect(hazel).to_have_url(re.compile("/report/"))
    expect(hazel.locator("main")).to_contain_text("Bow-Mice")
    assert_fits(hazel)


def test_siege_with_a_breach_and_solo_battle(site, codes, phone):
    page = phone("Hazel")
    tracker = f"{site.url}/battles/{codes['siege']}/table/"
    page.goto(f"{tracker}lay/")
    assert_fits(page)
    page.get_by_role("button", name="Start the battle").click()
    page.get_by_role("button", name="Roll here").click()
    expect(page.locator(".score .rd b")).to_have_text("1")
    page.locator("#unit-A3 h3 a").click()
    page.get_by_role("link", name="Gatehouse").click()
    expect(page.locator(".helper")).to_contain_text("The Gatehouse after this shot")
    pad(page, 10, 1)
    page.get_by_role("button", name="Enter the 2 dice").click()
    expect(page.get_by_role("button", name="Enter the die")).to_be_visible()
    pad(page, 1)
    page.get_by_role("button", name="Enter the die").click()
    expect(page.get_by_role("img", name="Gatehouse levelled", exact=False)).to_be_visible()
    expect(page.locator(".last-step")).to_contain_text("The wall is breached.")
    assert_fits(page)
    page.get_by_text("End round, yield, pause").click()
    page.get_by_role("button", name="Pause the battle").click()
    expect(page.locator("#board")).to_contain_text("Everything is saved")

    tracker = f"{site.url}/battles/{codes['alone']}/table/"
    page.goto(f"{tracker}lay/")
    page.get_by_text("The tracker plays Thistledown").click()
    page.get_by_role("button", name="Start the battle").click()
    page.fill("[name=roll_A]", "2")
    page.fill("[name=roll_B]", "9")
    page.get_by_role("button", name="Enter the rolls").click()
    page.get_by_role("link", name="See its turn").click()
    page.select_option("[name=enemy_B2]", "A2")
    page.fill("[name=inches_B2]", "7")
    page.fill("[name=roll]", "2")
    assert_fits(page)
    page.get_by_role("button", name="Enter the roll").click()
    expect(page.locator(".ask")).to_contain_text("It stays where it is and shoots at Oakhold’s Field Mice.")
    page.get_by_role("link", name="Roll the dice").click()
    page.wait_for_url(re.compile("/table/helper/"))
    page.get_by_role("button", name="Roll here").click()
    expect(page.locator("#board .last-step")).to_contain_text("Bow-Mice")
