"""The tracker on phones: a battle to its end on two of them, a siege with a breach, a solo battle."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import NETWORK_ERROR, assert_fits, log_in, open_phones

pytestmark = pytest.mark.browser

PASSWORD = "cheese-and-thyme"
REFUSED = "the server responded with a status of 422"  # a tap is refused here on purpose
WORLD = """
from dataclasses import replace
from people.accounts.services import create_account
from people.models import Person
from tests.battles.battle_rows import make_battle
from tests.battles.tracker.core.memory_tracker import KING, house
for name in ("Hazel", "Rowan"):
    create_account(name, "cheese-and-thyme")
hazel, rowan = (Person.objects.get(name=name) for name in ("Hazel", "Rowan"))
gun = {"unit": "cat_non", "origin": "train", "number": 1}
a, b = [KING, house(1, "rat_riders"), house(2, "field_mice")], [KING, house(1, "bow_mice"), house(2, "hoppers")]
from battles.tracker import services, starting_armies
from battles.tracker.core.steps.rounds import BeginBattle
from battles.tracker.core.steps.set_up import SetUpArmies
from people.requester import Who
def begun():
    archers = [KING, house(1, "bow_mice"), house(2, "rat_riders")]
    made = make_battle(hazel, a=archers, b=[KING, house(1, "mice_at_arms"), house(2, "field_mice")])
    found = services.visible_battles(Who.of(hazel)).get(pk=made.pk)
    # With VP to spend, every failed die could be re-rolled: the taps are counted where that is on offer.
    sides = tuple(replace(row.starting(()), vp=9) for row in starting_armies.starting_sides(found))
    services.take_step(found, Who.of(hazel), SetUpArmies(sides), key="tap-set-up-1")
    services.take_step(found, Who.of(hazel), BeginBattle({"A": 8, "B": 3}), key="tap-begin-01")
    return made
for _ in range(2):
    pitched, soaked = make_battle(hazel, a=a, b=b), make_battle(hazel, a=a, b=b)
    siege = make_battle(hazel, "siege", [KING, house(1, "mice_at_arms"), gun], [KING, house(1, "bow_mice")])
    alone = make_battle(hazel, a=[KING, house(1, "field_mice")], b=[KING, house(1, "bow_mice")])
    for battle in (pitched, soaked):
        battle.people.set([hazel, rowan])
    made = (pitched, soaked, siege, alone, begun(), begun(), begun())
    print("codes", *(battle.code for battle in made))
"""


class Codes(dict[str, str]):
    """The code of each battle; one that was taken is not given again, so that a second go begins anew."""

    def __init__(self, left: dict[str, list[str]]) -> None:
        self.left = left

    def __missing__(self, name: str) -> str:
        left = self.left[name]
        self[name] = left.pop(0) if len(left) > 1 else left[0]
        return self[name]


@pytest.fixture(scope="module")
def battles(site) -> dict[str, list[str]]:
    """Codes of battles that nobody has touched, and again the same for tests that get a second go."""
    found = [line.split() for line in site.shell(WORLD).split("codes ")[1:]]
    names = ("pitched", "soaked", "siege", "alone", "shot", "moved", "charge")
    return {name: [row[at] for row in found] for at, name in enumerate(names)}


@pytest.fixture
def codes(battles) -> Codes:
    return Codes(battles)


@pytest.fixture
def phone(site, browser) -> Iterator:
    """A maker of phones that are logged in. A line is cut here on purpose."""
    with open_phones(browser, forgiven=(NETWORK_ERROR, REFUSED)) as make:
        yield lambda name: log_in(make(), site.url, name, PASSWORD)


def pad(page: Page, *faces: int) -> None:
    """Dice tapped on the pad of the field that is open."""
    fold = page.locator("[data-own-dice]").first
    fold.wait_for()
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    entry = fold.locator("[data-dice]")
    for face in faces:
        entry.get_by_role("button", name=str(face), exact=True).click()


def mark(page: Page, unit: str, button: str) -> None:
    """A token set in the unit's sheet."""
    page.locator(f"#unit-{unit} a").click()
    page.locator("#sheet").get_by_role("button", name=button).click()
    expect(page.locator("#sheet")).to_be_hidden()


def done(page: Page, unit: str):
    return page.locator(f"#unit-{unit} .u.is-done")


@pytest.mark.parametrize(("which", "cut"), [("pitched", 0), pytest.param("soaked", 20_000, marks=pytest.mark.soak)])
def test_a_pitched_battle_is_tracked_to_its_end_on_two_phones(site, codes, phone, which, cut):
    """One phone is offline in the middle of it, for 20 seconds in the long form."""
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
    mark(rowan, "B3", "Just mark as done")
    expect(done(hazel, "B3")).to_be_visible()

    # A charge: unit, target, what holds, the number, the dice; the saves are the other captain's.
    hazel.locator("#unit-A2 a").click()
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
    expect(rowan.locator(".ask-roll")).to_have_text("Roll 2 dice to save.")
    pad(rowan, 1, 1)
    rowan.get_by_role("button", name="Enter the 2 dice").click()
    expect(rowan.locator(".ask-roll")).to_have_text("Test morale: roll 1 die.")
    pad(rowan, 10)
    rowan.get_by_role("button", name="Enter the die").click()
    expect(rowan.locator(".ask-roll")).to_have_text("Roll 2 dice to hit.")
    pad(rowan, 1, 1)
    rowan.get_by_role("button", name="Enter the 2 dice").click()
    expect(hazel.locator("#unit-B2")).to_contain_text("in melee")
    expect(hazel.locator("#unit-B2 .pips .out")).to_have_count(2)

    # The line is cut in the middle: the taps wait on the phone and arrive, none refused.
    rowan.context.set_offline(True)
    mark(rowan, "B1", "Just mark as done")
    expect(rowan.locator("#outbox")).to_contain_text("Not sent yet")
    rowan.wait_for_timeout(cut)
    mark(hazel, "A3", "Mark as fleeing")
    expect(hazel.locator("#unit-A3 .badge-flee")).to_be_visible()
    rowan.context.set_offline(False)
    expect(done(hazel, "B1")).to_be_visible()
    expect(rowan.locator("#unit-A3 .badge-flee")).to_be_visible()
    expect(rowan.locator("#outbox")).to_be_hidden()

    # They played on without the phones; now the tracker is set as the table stands.
    hazel.get_by_role("link", name="Fix the tracker").click()
    assert hazel.locator("main [type=checkbox]").first.bounding_box()["width"] >= 20
    hazel.fill("[name=round]", "4")
    hazel.fill("[name=models_B1]", "1")
    hazel.fill("[name=wounds_B1]", "1")
    hazel.fill("[name=models_B3]", "0")
    assert_fits(hazel)
    hazel.get_by_role("button", name="Save").click()
    expect(rowan.locator(".tbar-mid")).to_contain_text("Round 4")
    expect(rowan.locator("#unit-B3 .u.is-gone")).to_be_visible()
    expect(rowan.locator(".tbar")).to_contain_text("Oakhold: 1 VP")

    # A tap too many is taken back with one tap.
    hazel.locator("#unit-B2 a").click()
    hazel.locator("#sheet button[name=models][value='1']").click()
    expect(hazel.locator("#last-said")).to_contain_text("1 of 4 models")
    hazel.get_by_role("button", name="Undo").click()
    expect(hazel.locator("#unit-B2 .pips .out")).to_have_count(2)

    # The end: the last two of the enemy are removed, and the result form is filled in.
    for unit in ("B1", "B2"):
        hazel.locator(f"#unit-{unit} a").click()
        hazel.locator("#sheet [name=models][value='0']").click()
        expect(hazel.locator(f"#unit-{unit} .u.is-gone")).to_be_visible()
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
    page.get_by_role("button", name="Roll for initiative").click()
    expect(page.locator(".tbar-mid")).to_contain_text("Round 1")
    page.locator("#unit-A3 a").click()
    page.get_by_role("link", name="Gatehouse").click()
    expect(page.locator(".helper")).to_contain_text("The Gatehouse after this shot")
    pad(page, 10, 1)
    page.get_by_role("button", name="Enter the 2 dice").click()
    expect(page.get_by_role("button", name="Enter the die")).to_be_visible()
    pad(page, 1)
    page.get_by_role("button", name="Enter the die").click()
    expect(page.get_by_role("img", name="Gatehouse levelled", exact=False)).to_be_visible()
    expect(page.locator("#last-said")).to_contain_text("The wall is breached.")
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
    page.get_by_text("Enter your own die instead").click()
    page.get_by_role("group", name="Its roll").get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_text("Which of your units is nearest in sight of its Bow-Mice?")).to_be_visible()
    assert_fits(page)
    page.get_by_role("button", name="Field Mice").click()
    expect(page.locator(".ask h2")).to_have_text("Its Bow-Mice shoot at your Field Mice")
    expect(page.get_by_role("img", name="Its Bow-Mice shoot at your Field Mice")).to_be_visible()
    assert_fits(page)
    page.get_by_role("button", name="Roll its 4 dice").click()
    expect(page.locator("#last-said")).to_contain_text("Bow-Mice")
    expect(page.locator(".last-dice .d")).not_to_have_count(0)


SHOOT, CHARGE = "#sheet a[href*='how=shoot&target=B2']", "#sheet a[href*='how=charge&target=B3']"
END_SEEN = """p => {
    const text = document.createRange();
    text.selectNodeContents(p);
    return [...text.getClientRects()].at(-1).bottom <= p.getBoundingClientRect().bottom + 1;
}"""
MOVED, ROLL = "button:has-text('Moved; attacks next')", "#sheet button[value=all]"


@pytest.mark.parametrize(
    ("which", "taps", "most"),
    [
        ("shot", ["#unit-A2 a", SHOOT, ROLL], 3),
        ("moved", ["#unit-A2 a", MOVED, SHOOT, ROLL], 4),
        ("charge", ["#unit-A3 a", CHARGE, ROLL], 6),
    ],
)
def test_an_activation_takes_few_taps_and_undo_one(site, codes, phone, which, taps, most):
    """A shot 3, a move and a shot 4, a charge with battle back and morale at most 6, undo 1, all on one page."""
    page = phone("Hazel")
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(f"{site.url}/battles/{codes[which]}/table/")
    page.evaluate("window.stayed = true")
    done = 0
    for tap in taps:
        place = page.locator(tap).first
        place.click()
        done += 1
        if "attacks next" in tap:
            expect(page.locator("#sheet").get_by_role("button", name="Clear “moved”")).to_be_visible()
    attacker = taps[0].split()[0]
    expect(page.locator(f"{attacker} .u.is-done")).to_be_visible()
    expect(page.locator("#sheet")).to_be_hidden()
    assert done <= most
    # The dice and what they meant stay in sight, above the fold.
    assert page.locator(".last-dice .d").count() >= 4
    box = page.locator(".last-dice").bounding_box()
    assert box["y"] + box["height"] < 664
    assert page.locator("#last-said p").first.evaluate(END_SEEN), "what the dice meant is the end of the sentence"
    assert_fits(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(f"{attacker} .u.is-done")).to_have_count(0)
    assert page.evaluate("window.stayed")


REFUSED_TAP = """() => {
    const form = document.querySelector(".tbar form").cloneNode(true);
    form.setAttribute("action", location.pathname + "step/");
    for (const [name, value] of [["kind", "token"], ["unit", "Z9"], ["token", "acted-on"]]) {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value });
        form.append(field);
    }
    document.querySelector("main").append(form);
    form.requestSubmit();
}"""


def test_sentence_of_a_refused_tap_does_not_follow_onto_other_pages(site, codes, phone):
    page = phone("Hazel")
    page.goto(f"{site.url}/battles/{codes['shot']}/table/")
    page.evaluate(REFUSED_TAP)
    expect(page.locator(".outbox-item.refused")).to_contain_text("There is no unit")
    page.goto(f"{site.url}/battles/")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("#outbox")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('outbox:')).length") == 0
