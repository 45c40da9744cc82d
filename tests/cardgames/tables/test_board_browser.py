"""The whole decision on one screen, in a real browser: every question of both games, at the largest number of seats."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser_phones import NETWORK_ERROR, open_phones
from tests.cardgames.tables.board_screens import (
    FROM_THE_START,
    PHONE,
    SIDEWAYS,
    WISHES,
    arranged,
    expect_told,
    measure_questions,
    open_seat,
    select_card,
    select_next,
)
from tests.services import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def states(site: Site) -> dict[str, Any]:
    return arranged(site, WISHES)


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_question_targets_and_hand_are_on_one_screen(browser, site, states, size):
    assert measure_questions(browser, site, states, size) == {}


# A game that is not part of the site


@pytest.fixture(scope="session")
def toy_site(make_site) -> Site:
    return make_site(CARD_GAMES="tests.cardgames.toy_game")


def test_game_added_as_a_folder_is_played_in_a_browser(browser, toy_site):
    """Nothing of the site knows Pebbles. It is hosted, played to its end, watched and explained like the others."""
    state = arranged(toy_site, [{"game": "pebbles", "kinds": ["card"], "how": FROM_THE_START}])["pebbles card"]
    code = state[0]
    with open_phones(browser) as make:
        phones = [open_seat(make, toy_site, [code, number, *state[2:]]) for number in range(3)]
        watcher = make()
        watcher.goto(f"{toy_site.url}/tables/{code}/")
        for turn in range(9):
            page = phones[turn % 3]
            expect(page.locator("#turnbar.is-yours")).to_contain_text("Which card?")
            page.locator(".fan .pick-in").first.click()
            expect(page.locator("#turnbar")).to_contain_text("Who gets the")
            # The row of the next player: the board starts with it, and one's own is the last.
            page.locator(".table-top .pick-in").first.click()
            expect(page.locator("#press")).to_contain_text("Give ")
            page.locator("#press").click()
            expect(page.locator("#turnbar.is-yours")).to_have_count(0)
        for page in (*phones, watcher):
            expect(page.locator(".outcome h2")).to_contain_text("won")
        for path in (
            "tables/how/pebbles/",
            "tables/companion/pebbles/",
            "tables/decks/pebbles/",
            f"tables/{code}/wall/",
            f"tables/{code}/replay/",
            "print/score-sheet/pebbles/",
        ):
            assert watcher.goto(f"{toy_site.url}/{path}").status == 200, path


# Other ways to play


def test_game_is_played_without_script(browser, site, states):
    """Card, target and confirmation are three pages of plain forms."""
    with open_phones(browser) as make:
        question = "menagerie gift"
        page = open_seat(make, site, states[question], java_script_enabled=False)
        card = states[question][3]
        stamp = page.locator("#choose [name=stamp]").input_value()
        page.locator(f"[name=pick][value='{card}']").first.click()
        expect(page.locator("#turnbar")).to_contain_text("Who gets the")
        page.locator(".table-top .pick-in").first.click()
        page.locator("#press").click()
        expect(page.locator(f"#choose [name=stamp][value='{stamp}']")).to_have_count(0)
        expect_told(page, "You give")


def test_game_is_played_by_keyboard_alone(browser, site, states):
    """A number takes a card, focus goes to the targets, Enter selects and confirms, Escape cancels."""
    with open_phones(browser) as make:
        page = open_seat(make, site, states["menagerie steal"])
        keys = page.locator(".fan .pick-in").evaluate_all("all => all.map((one) => one.value)")
        number = keys.index(states["menagerie steal"][3]) + 1
        stamp = page.locator("#choose [name=stamp]").input_value()
        page.keyboard.press(str(number))
        expect(page.locator("#turnbar")).to_contain_text("Which animal do you steal?")
        expect(page.locator(".table-top .pick-in").first).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#cancel")).to_have_count(0)
        page.keyboard.press(str(number))
        expect(page.locator(".table-top .pick-in").first).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#press")).to_be_focused()
        page.keyboard.press("Enter")
        page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")
        expect_told(page, "You steal")


@pytest.mark.parametrize("question", ["menagerie trade-first", "monarchs court"])
@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_at_twice_the_text_size_everything_can_be_reached(browser, site, states, question, size):
    with open_phones(browser) as make:
        page = open_seat(make, site, states[question], viewport=size)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '32px'")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        if states[question][3]:
            select_card(page, states[question][3])
        while not page.locator("#press").count():
            select_next(page)
        page.locator("#press").scroll_into_view_if_needed()
        expect(page.locator("#press")).to_be_in_viewport(ratio=1)
        expect(page.locator("#turnbar")).to_be_in_viewport()


FEEL = """Object.defineProperty(navigator, 'vibrate', {
  value: (beat) => { (window.beats ??= []).push(String(beat)); return true; },
});
const knob = { value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} };
const stroke = () => { window.strokes = (window.strokes ?? 0) + 1; };
const part = { frequency: knob, gain: knob, connect: (to) => to, start: stroke, stop() {}, addEventListener() {} };
window.AudioContext = class { currentTime = 0; createOscillator = () => part; createGain = () => part; };"""


def test_phone_signals_its_turn_as_its_owner_chose(browser, site, states):
    """The title always; vibration and sound only where they were switched on, once, and never after one's own tap."""
    with open_phones(browser) as make:
        code, seat, sessions, card = states["menagerie shoot"]
        page = open_seat(make, site, states["menagerie shoot"])
        others = [number for number in range(4) if number != seat]
        phones = {number: open_seat(make, site, [code, number, sessions, ""], script=FEEL) for number in others}
        for phone in phones.values():
            phone.evaluate("['vibrate', 'bell'].forEach((name) => localStorage.setItem(`table:${name}`, 'on'))")
            expect(phone.locator("#turnbar.is-yours")).to_have_count(0)
            assert "Your turn" not in phone.title()
        select_card(page, card)
        while not page.locator("#press").count():
            select_next(page)
        page.locator("#press").click()
        expect(page.locator("#turnbar.is-yours")).to_have_count(0)
        following = phones[(seat + 1) % 4]
        expect(following.locator("#turnbar.is-yours")).to_be_visible()
        expect(following).to_have_title(re.compile("^Your turn"))
        assert following.evaluate("[window.beats, window.strokes]") == [["60,40,60"], 1]
        quiet = [phone for phone in phones.values() if phone is not following]
        assert all(phone.evaluate("[window.beats ?? [], window.strokes ?? 0]") == [[], 0] for phone in quiet)
        # What changed is marked on every board and listed.
        expect(following.locator("#since")).to_contain_text("shoots")
        following.locator("#cancel").wait_for(state="detached")
        expect(following.locator(".cell:is(.is-new, .is-lost)").first).to_be_visible()


DRAW_A_BOT_MOVE = """() => {
  const play = document.getElementById('play');
  play.querySelector('.play').dataset.botMove = String(Math.random());
  play.dispatchEvent(new CustomEvent('live:drawn', { bubbles: true }));
}"""
FETCH_THE_NEXT = """() => {
  const play = document.getElementById('play');
  const html = play.innerHTML.replace(/<h1 class="asked-now">[^<]*/, '<h1 class="asked-now">The next move');
  const fetched = new CustomEvent('live:fetched', { bubbles: true, cancelable: true, detail: { html } });
  return play.dispatchEvent(fetched);
}"""


def test_bots_are_paced_to_be_read_and_can_be_skipped(browser, site, states):
    with open_phones(browser) as make:
        page = open_seat(make, site, states["menagerie play"])
        page.locator("#table-menu > summary").click()
        expect(page.get_by_role("radio", name="2.2 s")).to_be_checked()
        page.get_by_role("radio", name="4 s").check(force=True)
        page.keyboard.press("Escape")
        page.evaluate(DRAW_A_BOT_MOVE)
        assert page.evaluate(FETCH_THE_NEXT) is False, "the next move waits until this one was read"
        page.get_by_role("button", name="Skip to now").click()
        expect(page.locator("#turnbar")).to_contain_text("The next move")
        # Kept on this device; switched off, everything is drawn at once.
        page.reload()
        page.locator("#table-menu > summary").click()
        expect(page.get_by_role("radio", name="4 s")).to_be_checked()
        page.get_by_role("radio", name="Off").check(force=True)
        page.evaluate(DRAW_A_BOT_MOVE)
        assert page.evaluate(FETCH_THE_NEXT) is True


def test_role_has_a_moment_of_its_own_before_the_first_turn(browser, site):
    state = arranged(site, [{"game": "menagerie", "kinds": ["play"], "how": FROM_THE_START}])["menagerie play"]
    with open_phones(browser) as make:
        for number in range(4):
            page = open_seat(make, site, [state[0], number, *state[2:]], viewport=SIDEWAYS if number else PHONE)
            moment = page.locator("#role-moment")
            expect(moment.locator(".gcard")).to_be_in_viewport(ratio=1)
            moment.locator("summary").click()
            expect(moment).to_be_hidden()
            expect(page.locator(".rolechip")).to_be_in_viewport()


MOVE_AN_ANIMAL = """() => {
  const held = (one) => Number(one.dataset.count);
  const cells = [...document.querySelectorAll('.cell')];
  const from = cells.find((one) => held(one) > 0);
  const to = cells.find((one) => one !== from && one.dataset.thing === from.dataset.thing && held(one) < 3);
  from.dataset.count = held(from) - 1;
  to.dataset.count = held(to) + 1;
  document.getElementById('play').dispatchEvent(new CustomEvent('live:drawn', { bubbles: true }));
  return [...document.querySelectorAll('.flying')].map((one) => one.getAnimations()[0].effect.getTiming().duration);
}"""


@pytest.mark.parametrize(("motion", "flights"), [("no-preference", [300]), ("reduce", [])])
def test_what_moves_is_seen_to_move_unless_motion_is_unwanted(browser, site, states, motion, flights):
    with open_phones(browser) as make:
        page = open_seat(make, site, states["menagerie play"], reduced_motion=motion)
        assert page.evaluate(MOVE_AN_ANIMAL) == flights


def test_tap_that_cannot_be_sent_is_taken_back(browser, site, states):
    """A card is raised as soon as it is tapped. The sentence says that nothing was done, and the page looks like it."""
    with open_phones(browser, forgiven=(NETWORK_ERROR,)) as make:
        page = open_seat(make, site, states["menagerie play"])
        raised = page.locator(".fan > li.is-chosen")
        expect(raised).to_have_count(0)
        asked: list[Any] = []
        page.route("**/choose/", lambda request: asked.append(request))
        for number in (0, 1):
            page.locator(".fan .pick-in").nth(number).click()
            expect(page.locator(".fan > li").nth(number)).to_contain_class("is-chosen")
            expect(raised).to_have_count(1)
        for request in asked:
            request.abort()
        expect(page.locator(".toast")).to_contain_text("Nothing was done.")
        expect(raised).to_have_count(0)
        page.unroute("**/choose/")
        page.keyboard.press("1")  # the sentence is still over the cards
        page.locator("#cancel").wait_for()
        expect(raised).to_have_count(1)


def test_screen_is_kept_awake_while_seated(browser, site, states):
    with open_phones(browser) as make:
        lock = "{ request: async (what) => { window.asked = what; } }"
        script = f"Object.defineProperty(navigator, 'wakeLock', {{ value: {lock} }})"
        page = open_seat(make, site, states["menagerie play"], script=script)
        page.wait_for_function("window.asked === 'screen'")


def test_phone_that_chose_does_not_fetch_its_seat_again(browser, site):
    """The answer shows the choice; only what others do is fetched."""
    wish = {"game": "menagerie", "kinds": ["play"], "how": FROM_THE_START}
    code, seat, sessions, _ = arranged(site, [wish])["menagerie play"]
    fetched: list[str] = []
    with open_phones(browser) as make:
        page, other = (open_seat(make, site, [code, number, sessions, ""]) for number in (seat, (seat + 1) % 4))
        page.locator(".role-moment[open] > summary").click()
        page.on("request", lambda request: fetched.append(request.url) if request.url.endswith("/part/") else None)
        stamp = page.locator("#look [name=stamp]").input_value()
        page.locator(".fan .pick-in").first.click()
        page.locator("#cancel").wait_for()
        while not page.locator("#press").count():
            page.locator(".table-top .pick-in").first.click()
            page.wait_for_timeout(500)
        page.locator("#press").click()
        for phone in (page, other):
            phone.locator(f"#look [name=stamp][value='{stamp}']").wait_for(state="detached")
        page.wait_for_timeout(1_000)
        assert fetched == []
