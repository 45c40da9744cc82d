"""Moods of the Mad King and Your Majesty in real browsers: people, a bot, answers to others, and whole games.

Here the moments that matter are tapped and the choices between them are sent; ``make soak`` taps through whole games.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardgames.engine import CLOCK
from cardgames.games.majesty.rules import LEND, REFUSE
from log.services import new_key
from tests.browser_phones import open_phones
from tests.cardgames.games.majesty.story_bot import CANCELLED, REFUSED, RESHUFFLED, WON, moments
from tests.cardgames.tables import phones_at_a_question
from tests.cardgames.tables.board_screens import (
    PHONE,
    SIDEWAYS,
    arranged,
    expect_told,
    off_screen,
    open_seat,
    select_card,
    select_next,
)
from tests.cardgames.tables.test_browser import close_role, stamp_of
from tests.cardgames.tables.test_whole_games import by_tapping
from tests.services import Site

pytestmark = pytest.mark.browser

STORY = Path(phones_at_a_question.__file__).parents[1] / "games" / "majesty-story.json"
SIX_COURTS = STORY.with_name("majesty-six-paid.json")
FROM = "from tests.cardgames.tables import phones_at_a_question as phones; "
MOST = 400
ASKED = "#turnbar.is-yours"


def run_arranged(site: Site, call: str) -> dict[str, Any]:
    """Arranges tables inside the site."""
    result: dict[str, Any] = json.loads(site.shell(FROM + call, seconds=400).partition("STATES ")[2])
    return result


def press(page: Page, key: str) -> None:
    """Selects a choice that needs no target, confirms it, and waits for the answer."""
    wait_until_asked(page)
    _select(page, key)
    _confirm(page)


def wait_until_asked(page: Page) -> None:
    page.locator(ASKED).wait_for()
    page.locator("#choose").wait_for(state="attached")
    close_role(page)


def _confirm(page: Page) -> None:
    stamp = stamp_of(page)
    page.locator("#press").click()
    page.locator(f"#choose [name=stamp][value='{stamp}']").wait_for(state="detached")


def _is_complete(page: Page, value: str) -> bool:
    """Whether what is selected can be confirmed. A redrawn page selects it again first, so one of the two will come."""
    result = page.wait_for_function(
        """(value) => document.getElementById('press') ? 'press'
          : document.querySelector(`[name=pick][value^="${value}|"]`) ? 'more' : ''""",
        arg=value,
    )
    return bool(result.json_value() == "press")


def _select(page: Page, value: str) -> None:
    wanted = page.locator(f"[name=pick][value='{value}']")
    if not wanted.count():
        # Several cards lie in one cell of the board: the others of it are offered beside the selected one.
        before = value.rpartition("|")[0]
        beside = [key or "" for key in page.locator(".table-top .pick-in").evaluate_all("all => all.map(e => e.value)")]
        for other in beside:
            page.locator(f".table-top .pick-in[value='{other}']").click()
            chosen = page.locator(f"#choose [name=choice][value='{other.rpartition('|')[2]}']")
            chosen.wait_for(state="attached")
            if wanted.count():
                break
            if page.locator("#press").count() == 0:
                # It leads on, so the other cells now take its target.
                page.locator("#cancel").click()
                chosen.wait_for(state="detached")
        assert wanted.count(), f"{value} cannot be reached from {before or 'the board'}"
    wanted.first.click()
    page.locator(f"#choose [name=choice][value='{value.rpartition('|')[2]}']").wait_for(state="attached")


# Moods of the Mad King


def asked_now(page: Page, site: Site, code: str) -> tuple[int | None, dict[str, Any]]:
    """Whoever is asked, and what this phone's seat sees."""
    seen = page.request.get(f"{site.url}/api/v1/tables/{code}/seats/0/?since=9999").json()
    return (None if seen["view"]["result"] else seen["view"]["asked"][0]), seen


def send(page: Page, site: Site, code: str, seat: int) -> None:
    """Sends a choice without drawing it."""
    here = f"{site.url}/api/v1/tables/{code}/seats/{seat}/"
    ask = page.request.get(f"{here}?since=9999").json()["ask"]
    if ask is None:
        return
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "companion_csrf")
    body = {"key": new_key(), "choice": ask["choices"][0]["key"], "stamp": ask["stamp"]}
    answer = page.request.post(f"{here}choose/?since=9999", data=body, headers={"X-CSRFToken": token})
    assert answer.status in (201, 409), answer.text()


def play_moods(browser, site: Site, tapped: int) -> None:
    """Two people and a Hard bot from the first draw to the show; after so many taps the rest is sent."""
    call = "phones.arrange_start('moods', 3, 2, 'two people and a bot', first_player=0)"
    code, _, sessions, _ = run_arranged(site, call)["start"]
    with open_phones(browser) as make:
        phones = {
            number: open_seat(make, site, [code, number, sessions, ""], viewport=PHONE, reduced_motion="reduce")
            for number in (0, 1)
        }
        tv = make(viewport={"width": 1920, "height": 1080})
        tv.goto(f"{site.url}/tables/{code}/wall/")
        taps = 0
        for _ in range(MOST):
            seat, _ = asked_now(phones[0], site, code)
            if seat is None:
                break
            if seat not in phones:
                phones[0].wait_for_timeout(100)  # the bot is thinking
            elif taps < tapped:
                expect(phones[seat].locator(ASKED)).to_be_visible()
                by_tapping(phones[seat])
                taps += 1
            else:
                send(phones[seat], site, code, seat)
        else:
            raise AssertionError("the game does not end")
        assert taps
        for page in (*phones.values(), tv):
            expect(page.locator(".outcome :is(h1, h2)")).to_be_visible()
            expect(page.locator("body")).to_contain_text("The King")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_people_and_a_bot_play_moods_of_the_mad_king(browser, site):
    play_moods(browser, site, tapped=5)


@pytest.mark.soak
def test_two_people_and_a_bot_tap_through_a_whole_moods_of_the_mad_king(browser, site):
    play_moods(browser, site, tapped=MOST)


# Answers to others, on two phones


def asked_with_phones(site: Site, game: str, kind: str, after: int, *, held: bool = False) -> list[Any]:
    """A table where everybody has a phone and this is asked, after so many choices at least."""
    wish = {"game": game, "kinds": [kind], "how": {"people": True, "after": after, "held": held}}
    state: list[Any] = arranged(site, [wish])[f"{game} {kind}"]
    return state


def test_campaign_is_answered_on_one_phone_while_another_waits(browser, site):
    """YR-19, YI-10: the attacker is told the same before and after the answer, until the window closes."""
    state = asked_with_phones(site, "majesty", "defend", 24, held=True)
    code, seat, sessions, _ = state
    with open_phones(browser) as make:
        defender = open_seat(make, site, state, viewport=PHONE)
        seen = defender.request.get(f"{site.url}/api/v1/tables/{code}/seats/{seat}/").json()
        attacker = seen["view"]["fields"]["active"]
        waiting = open_seat(make, site, [code, attacker, sessions, ""], viewport=PHONE)
        expect(defender.locator(ASKED)).to_contain_text("attacks your")
        expect(waiting.locator("#turnbar")).to_contain_text("can answer the campaign")
        assert off_screen(defender) == {}
        before = waiting.locator("#play").inner_html().strip()  # a live update has other white space around it
        press(defender, "pass")
        assert waiting.locator("#play").inner_html().strip() == before
        # Nothing is shown before the window closes; then both see what came of it.
        site.shell(f"{FROM}phones.close_window({code!r})")
        for page in (defender, waiting):
            expect_told(page, "seize")


def test_change_of_scenery_is_chosen_in_secret_on_every_phone(browser, site):
    """DE-11, DR-23"""
    code, seat, sessions, card = asked_with_phones(site, "moods", "scenery", 10)
    with open_phones(browser) as make:
        phones = [
            open_seat(make, site, [code, number, sessions, ""], viewport=PHONE, reduced_motion="reduce")
            for number in range(4)
        ]
        phones[seat].locator(f".fan .pick-in[value='{card}']").click()
        expect(phones[seat].locator("#turnbar")).to_contain_text("Pass which card to the left?")
        select_next(phones[seat])
        phones[seat].locator("#press").click()
        expect(phones[seat].locator(ASKED)).to_have_count(0)
        seen = phones[seat].request.get(f"{site.url}/api/v1/tables/{code}/seats/{seat}/").json()["view"]
        assert seen["kind"] == "scenery"
        for number in seen["asked"]:
            expect(phones[number].locator(ASKED)).to_contain_text("Pass which card to the left?")
            expect_told(phones[number], " to you", told=False)
            select_next(phones[number])
            assert off_screen(phones[number]) == {}
            phones[number].locator("#press").click()
        for page in phones:
            expect_told(page, "pass")


# Every question


@pytest.mark.soak
@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
@pytest.mark.parametrize(("game", "after"), [("moods", 12), ("majesty", 80)])
def test_every_question_with_its_targets_and_hand_is_on_one_screen(browser, site, game, after, size):
    """With the most seats. The lists of unclaimed colonies may scroll."""
    values = {}
    with open_phones(browser) as make:
        for kind, state in run_arranged(site, f"phones.arrange_every_kind({game!r}, {after})").items():
            page = open_seat(make, site, state, viewport=size, reduced_motion="reduce")
            wait_until_asked(page)
            values[kind] = off_screen(page)
            if state[3]:
                select_card(page, state[3])
            for step in range(4):
                if page.locator("#press").count():
                    break
                select_next(page)
                values[f"{kind}, {step + 1} selected"] = off_screen(page)
            page.close()
    assert {question: what for question, what in values.items() if what} == {}


# Rows that do not lie wholly on the TV, and names that cannot be read across the room.
OFF_THE_TV = """() => {
  const low = document.querySelector('.tv-board').getBoundingClientRect().bottom;
  const out = [...document.querySelectorAll('.tv-board :is(.boardrow, .cell), .tv-players > li')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.bottom > low + 1 || box.right > innerWidth;
  });
  const small = [...document.querySelectorAll('.tv-board .boardrow h2, .tv-players .tv-name')].filter(
    (one) => parseFloat(getComputedStyle(one).fontSize) < 48
  );
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [...out, ...small].map((one) => one.textContent.trim().slice(0, 30)).concat(
    scrollWidth > innerWidth || scrollHeight > innerHeight ? ['the page scrolls'] : []
  );
}"""


def test_tv_shows_everybody_at_the_largest_tables(browser, site):
    """Four plays of Moods and six courts of Your Majesty on one screen, with the turn and the last events."""
    wishes = [{"game": "moods", "kinds": ["action"]}, {"game": "majesty", "kinds": ["act"], "how": {"after": 80}}]
    with open_phones(browser) as make:
        tv = make(viewport={"width": 1920, "height": 1080})
        for state in arranged(site, wishes).values():
            tv.goto(f"{site.url}/tables/{state[0]}/wall/")
            expect(tv.locator(":is(.boardrow, .tv-players > li).is-turn").first).to_be_visible()
            expect(tv.locator(".tv-log li").first).to_be_visible()
            assert tv.evaluate(OFF_THE_TV) == []
        six = phones_at_a_question.read_record(str(SIX_COURTS))
        end = run_arranged(site, f"phones.arrange_recorded({str(SIX_COURTS)!r}, {{'end': {len(six.rows)}}})")["end"]
        tv.goto(f"{site.url}/tables/{end[0]}/wall/")
        expect(tv.locator(".roles > li")).to_have_count(6)
        # Between the headline and the line at the bottom.
        above, below = (tv.locator(f".tv-finale > {part}").bounding_box() for part in ("header", "footer"))
        for seat in tv.locator(".roles > li").all():
            box = seat.bounding_box()
            assert above["y"] + above["height"] <= box["y"]
            assert box["y"] + box["height"] <= below["y"]


# A whole Your Majesty, with what seldom comes together


@pytest.fixture
def story(site: Site) -> dict[str, Any]:
    record = phones_at_a_question.read_record(str(STORY))
    stops = moments(record)
    assert set(stops) == {REFUSED, CANCELLED, RESHUFFLED, WON}
    return run_arranged(site, f"phones.arrange_recorded({str(STORY)!r}, {stops!r})")


def test_moments_of_a_your_majesty_of_four(browser, site, story):
    """Y58, YR-18, YR-23, YR-13: refused, cancelled, reshuffled in a salon, and won on another's turn."""
    record = phones_at_a_question.read_record(str(STORY))
    stops = moments(record)
    told = {
        REFUSED: "does not lend",
        CANCELLED: "answers with A Place at Court",
        RESHUFFLED: "both decks take their discards back",
    }
    with open_phones(browser) as make:
        for moment, row in stops.items():
            code, _, sessions, _ = story[moment]
            seat, key = record.rows[row]
            page = open_seat(make, site, [code, seat, sessions, ""], viewport=PHONE, reduced_motion="reduce")
            other = open_seat(make, site, [code, (seat + 1) % 4, sessions, ""], viewport=PHONE, reduced_motion="reduce")
            expect(page.locator(ASKED)).to_be_visible()
            assert off_screen(page) == {}, moment
            press(page, key)
            if moment == REFUSED:
                # Replies are sealed until all are in.
                for guest, reply in record.rows[row + 1 :]:
                    if guest not in (seat, CLOCK) and reply in (LEND, REFUSE):
                        press(open_seat(make, site, [code, guest, sessions, ""], viewport=PHONE), reply)
                    else:
                        break
            if moment in told:
                expect_told(other, told[moment])
            else:
                won = re.compile(rf"{phones_at_a_question.NAMES[seat]}\W won with 20 prestige")
                for phone in (page, other):
                    expect(phone.locator(".outcome h2")).to_contain_text(won)


@pytest.mark.soak
def test_four_phones_tap_through_a_whole_your_majesty(browser, site):
    record = phones_at_a_question.read_record(str(STORY))
    start = run_arranged(site, f"phones.arrange_recorded({str(STORY)!r}, {{'start': 0}})")
    code, _, sessions, _ = start["start"]
    with open_phones(browser) as make:
        phones = [
            open_seat(make, site, [code, number, sessions, ""], viewport=PHONE, reduced_motion="reduce")
            for number in range(4)
        ]
        path: list[str] = []
        for seat, key in record.rows:
            if seat == CLOCK:
                continue
            if not path:
                wait_until_asked(phones[seat])
            path.append(key)
            _select(phones[seat], "|".join(path))
            # A card and its target are selected on one screen and confirmed together.
            if _is_complete(phones[seat], "|".join(path)):
                _confirm(phones[seat])
                path = []
        for page in phones:
            expect(page.locator(".outcome h2")).to_contain_text("20 prestige")
