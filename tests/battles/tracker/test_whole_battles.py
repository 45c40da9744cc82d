"""Whole battles in real browsers: on two phones with every tap counted, by keyboard, without script, in large letters.

The short forms fight one round and yield; the long ones go on until the battle is decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser_phones import assert_fits, log_in, open_phones

pytestmark = pytest.mark.browser

PASSWORD = "cheese-and-thyme"
PHONE = {"width": 390, "height": 664}
# Taps that an activation may take at most, from choosing the unit to its last die.
MAX_TAPS = {"shoot": 3, "moved and shoot": 4, "charge": 6, "attack": 6, "rally": 3, "done": 2}
LONG = pytest.mark.soak

WORLD = """
from people.accounts.services import create_account, find_account
from people.models import Person
from tests.battles.battle_rows import make_battle
from tests.battles.tracker.core.memory_tracker import KING, house
for name in ("Figwort", "Burnet"):
    if find_account(name) is None:  # made before, if a test gets a second go
        create_account(name, "cheese-and-thyme")
figwort, burnet = (Person.objects.get(name=name) for name in ("Figwort", "Burnet"))
gun = {"unit": "cat_non", "origin": "train", "number": 1}
a = [KING, house(1, "bow_mice"), house(2, "rat_riders")]
b = [KING, house(1, "bow_mice"), house(2, "field_mice")]
made = [make_battle(figwort, a=a, b=b) for _ in range(16)]
for _ in range(4):
    made.append(make_battle(figwort, "siege", [KING, house(1, "mice_at_arms"), gun], [KING, house(1, "bow_mice")]))
for battle in made:
    battle.people.set([figwort, burnet])
print("codes", *(battle.code for battle in made))
"""


@pytest.fixture(scope="module")
def unused(site) -> dict[str, list[str]]:
    """Codes of battles that nobody has begun; enough for every test to get a second go."""
    found = site.shell(WORLD).split("codes ")[1].split()
    return {"pitched": found[:16], "siege": found[16:]}


@pytest.fixture
def code(unused) -> str:
    return unused["pitched"].pop()


@pytest.fixture
def siege(unused) -> str:
    return unused["siege"].pop()


@dataclass
class Hand:
    """Somebody at a phone. Counts their taps; a subclass presses keys instead."""

    page: Page
    taps: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def tap(self, place: Locator) -> None:
        place.click()
        self.taps += 1

    def open_fold(self, words: str) -> None:
        self.tap(self.page.locator("summary", has_text=words).first)


@dataclass
class Keyboard(Hand):
    """No pointer at all: Tab and Enter."""

    def tap(self, place: Locator) -> None:
        place.wait_for()
        for _ in range(160):
            if place.evaluate("one => one === document.activeElement"):
                break
            self.page.keyboard.press("Tab")
        expect(place).to_be_focused()
        self.page.keyboard.press("Enter")
        self.taps += 1


def start(hand: Hand, url: str, code: str) -> None:
    """From the battle's page to round 1: one button after the other."""
    hand.page.goto(f"{url}/battles/{code}/")
    hand.tap(hand.page.get_by_role("button", name="Start the battle"))
    hand.tap(hand.page.get_by_role("button", name="Roll for initiative"))
    expect(hand.page.locator(".tbar-mid")).to_contain_text("Round 1")


UNCOVERED = """one => {
    const box = one.getBoundingClientRect();
    return [box.top + 4, box.bottom - 4].every((y) => {
        const there = document.elementFromPoint(box.x + box.width / 2, y);
        return one === there || one.contains(there);
    });
}"""


def in_sight(page: Page, place: Locator) -> None:
    """The next decision is on the first screen, and no bar lies over it."""
    expect(place).to_be_in_viewport(ratio=1)
    assert place.evaluate(UNCOVERED), f"something covers the button on {page.url}"


def activate(hand: Hand, *, waits: bool = False) -> None:
    """The next unit acts as far as its sheet offers: it shoots, charges, attacks, rallies, or is marked as done."""
    page = hand.page
    row = page.locator("li:has(> a.u.is-ready)").first
    unit = row.get_attribute("id") or ""
    before = hand.taps
    hand.tap(row.locator("a.u"))
    sheet = page.locator("main")
    sheet.get_by_role("heading", name="Actions").wait_for()
    offers = sheet.locator("a[href*='how=']")
    how = "done"
    if offers.count() and not waits:
        how = re.search(r"how=(\w+)", offers.first.get_attribute("href") or "")[1]
        hand.tap(offers.first)
        last = page.locator("#helper .btn-press")
        last.wait_for()
        in_sight(page, last)
        hand.tap(last)
    else:
        hand.tap(sheet.get_by_role("button", name="Just mark as done"))
    # Hits, saves, morale and the battle back fall in one go, and count. A re-roll that VP could buy is only an offer.
    expect(page.locator(f"#{unit} .u:is(.is-done, .is-gone)")).to_be_visible()
    expect(page.locator(".dock [id^=fight-]")).to_have_count(0)
    taps = hand.taps - before
    hand.kinds[how] = max(taps, hand.kinds.get(how, 0))
    assert taps <= MAX_TAPS.get(how, 6), f"{how} took {taps} taps"


def fight(hands: dict[str, Hand], rounds: int) -> bool:
    """Until the battle is decided, or so many rounds are over. Whether it is decided."""
    one = next(iter(hands.values()))
    for number in range(1, rounds + 1):
        for _ in range(40):
            ready = one.page.locator("a.u.is-ready")
            over = one.page.get_by_text("The battle is decided")
            end = one.page.get_by_role("button", name=f"End round {number}")
            expect(ready.first.or_(over).or_(end).first).to_be_visible()
            if over.count():
                return True
            if not ready.count():
                break
            side = (one.page.locator("li:has(> a.u.is-ready)").first.get_attribute("id") or "")[5]
            hand = hands.get(side, one)
            expect(hand.page.locator(f"li[id^=unit-{side}] > a.u.is-ready").first).to_be_visible()
            activate(hand)
            for other in hands.values():
                assert other.page.locator("#board").count() == 1, "nobody left the page"
                expect(other.page.locator("#last-said")).to_have_text(hand.page.locator("#last-said").inner_text())
        if number < rounds:
            one.tap(one.page.locator(".dock").get_by_role("button", name=f"End round {number}"))
            expect(one.page.locator(".tbar-mid")).to_contain_text(f"Round {number + 1}")
    return False


def finish(hand: Hand, decided: bool) -> None:
    """Yield if nothing is decided, then report what the tracker has filled in."""
    page = hand.page
    if not decided:
        hand.open_fold("End round, yield, pause")
        hand.tap(page.get_by_role("button", name="Yield for Thistledown"))
    hand.tap(page.get_by_role("link", name="Check the result"))
    hand.tap(page.get_by_role("button", name="Report the battle"))
    expect(page.get_by_text(re.compile("won the day|Nobody won")).first).to_be_visible()


@pytest.mark.parametrize("rounds", [1, pytest.param(6, marks=LONG)])
def test_battle_on_two_phones_with_every_tap_counted(site, browser, code, rounds):
    with open_phones(browser) as make:
        phones = {side: Hand(make(viewport=PHONE)) for side in "AB"}
        for side, name in (("A", "Figwort"), ("B", "Burnet")):
            log_in(phones[side].page, site.url, name, PASSWORD)
        start(phones["A"], site.url, code)
        phones["B"].page.goto(f"{site.url}/battles/{code}/table/")
        for hand in phones.values():
            in_sight(hand.page, hand.page.locator(".undo"))
        decided = fight(phones, rounds)
        undone = phones["A"].page.locator("#last-said").inner_text()
        if not decided:
            phones["A"].tap(phones["A"].page.get_by_role("button", name="Undo"))
            expect(phones["B"].page.locator("#last-said")).not_to_have_text(undone)
        finish(phones["A"], decided)
        kinds = phones["A"].kinds | phones["B"].kinds
        assert kinds, "somebody acted"


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=LONG)])
def test_battle_by_keyboard_alone(site, browser, code, rounds):
    with open_phones(browser) as make:
        page = log_in(make(viewport={"width": 1280, "height": 800}), site.url, "Figwort", PASSWORD)
        hand = Keyboard(page)
        start(hand, site.url, code)
        finish(hand, fight({"A": hand}, rounds))


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=LONG)])
def test_battle_without_script(site, browser, code, rounds):
    """Every step is a page of its own or a form."""
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE, java_script_enabled=False), site.url, "Figwort", PASSWORD)
        hand = Hand(page)
        start(hand, site.url, code)
        finish(hand, fight({"A": hand}, rounds))


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=LONG)])
def test_battle_in_letters_of_twice_the_size(site, browser, code, rounds):
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, "Figwort", PASSWORD)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '32px'")
        hand = Hand(page)
        start(hand, site.url, code)
        assert_fits(page)
        decided = fight({"A": hand}, rounds)
        assert_fits(page)
        finish(hand, decided)
        assert_fits(page)


def solo_turn(hand: Hand) -> str:
    """The opponent's turn: its die, then one question after the other, then what its unit does."""
    page = hand.page
    hand.tap(page.get_by_role("link", name="See its turn"))
    hand.tap(page.get_by_role("button", name="Roll for Oakhold"))
    expect(page.locator(".solo-head")).to_be_visible()
    for _ in range(8):
        answer = page.locator(".solo-choices button, .solo-question ~ .btn-press").first
        acts = page.locator(".solo form.sheet-end .btn-press")
        expect(answer.or_(acts).first).to_be_visible()
        if acts.count():
            break
        if page.locator(".solo-choices [type=checkbox]").count():
            hand.tap(page.locator(".solo-choices label").first)
        in_sight(page, answer)
        hand.tap(answer)
    says = page.locator(".solo-head h2").inner_text()
    expect(page.locator(".solo-scene")).to_be_visible()
    in_sight(page, acts.first)
    assert_fits(page)
    hand.tap(acts.first)
    expect(page.locator("#board")).to_be_visible()
    return says


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=LONG)])
def test_solo_siege(site, browser, siege, rounds):
    """The tracker besieges with its Cat-non; the defender taps, and no roll-off is made by hand.

    In the first round the defender waits behind the walls, so that the opponent's three units can all act.
    """
    with open_phones(browser) as make:
        hand = Hand(log_in(make(viewport=PHONE), site.url, "Figwort", PASSWORD))
        page = hand.page
        page.goto(f"{site.url}/battles/{siege}/")
        hand.tap(page.get_by_role("link", name="Start the battle"))
        hand.tap(page.get_by_text("The tracker plays Oakhold"))
        hand.tap(page.get_by_role("button", name="Start the battle"))
        hand.tap(page.get_by_role("button", name="Roll for initiative"))
        turns = []
        for number in range(1, rounds + 1):
            for _ in range(40):
                theirs = page.get_by_role("link", name="See its turn")
                ours = page.locator("li[id^=unit-B] > a.u.is-ready")
                again = page.locator(".dock .sheet-end .btn-press")
                over = page.get_by_text("The battle is decided")
                end = page.locator(".dock").get_by_role("button", name=f"End round {number}")
                expect(theirs.or_(ours).or_(again).or_(over).or_(end).first).to_be_visible()
                if over.count() or end.count():
                    break
                if again.count():
                    hand.tap(again.first)
                    page.wait_for_load_state()
                elif theirs.count():
                    turns.append(solo_turn(hand))
                else:
                    activate(hand, waits=number == 1)
            if over.count() or number == rounds:
                break
            hand.tap(end)
            expect(page.locator(".tbar-mid")).to_contain_text(f"Round {number + 1}")
        decided = bool(page.get_by_text("The battle is decided").count())
        assert len(turns) >= 3, turns
        assert any("Cat-non" in one for one in turns), "the besieger's gun acts too"
        waiting = page.locator("li[id^=unit-A] > .u:not(.is-done, .is-gone)")
        assert decided or not waiting.count()
        finish(hand, decided)
