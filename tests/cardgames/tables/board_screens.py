"""Seats at a real question in a browser, and what of the decision is not on the screen. For tests and the bench."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser_phones import open_phones
from tests.services import Site

PHONE, SIDEWAYS = {"width": 390, "height": 664}, {"width": 844, "height": 340}
WISHES = [
    {"game": "menagerie", "kinds": ["play", "pick", "gift", "steal", "trade-first", "trade-second"]},
    {"game": "menagerie", "kinds": ["shoot"], "how": {"people": True}},
    {"game": "monarchs", "kinds": ["court", "move", "revealed", "dice"]},
    {"game": "monarchs", "kinds": ["family"], "how": {"options": {"family_scoring": True, "brisk_court": True}}},
]
# The server closes a connection that was idle for a while, and a request just then finds it closed.
LOST_LINES = 3
FROM_THE_START = {"after": 0, "people": True}
QUESTIONS = [f"{wish['game']} {kind}" for wish in WISHES for kind in wish["kinds"]]

# What does not lie wholly on the screen, or lies under another part of the frame; and what a thumb cannot hit.
MEASURE = """() => {
  const seen = (r) => r.top >= -0.5 && r.left >= -0.5 && r.bottom <= innerHeight + 0.5 && r.right <= innerWidth + 0.5;
  const all = (which) => [...document.querySelectorAll(which)];
  const parts = all('.turnbar, .table-top .pick-in, .fan > li, .confirm .btn, .confirm-says');
  const hidden = parts.filter((e) => e.getClientRects().length && !seen(e.getBoundingClientRect()));
  const covered = all('button.pick-in').filter((e) => {
    const r = e.getBoundingClientRect();
    return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) !== e;
  });
  const small = all('button.pick-in, .confirm .btn').filter((e) => {
    const r = e.getBoundingClientRect();
    return r.width && (r.width < 43.5 || r.height < 43.5);
  });
  const box = (e) => JSON.stringify(e.getBoundingClientRect());
  const name = (e) => `${e.className} ${e.value ?? e.textContent.trim()} ${box(e)}`;
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { hidden: hidden.map(name), covered: covered.map(name), small: small.map(name),
           wide: scrollWidth - innerWidth, high: scrollHeight - innerHeight };
}"""


def arranged(site: Site, wishes: list[dict[str, Any]]) -> dict[str, Any]:
    code = f"from tests.cardgames.tables.phones_at_a_question import arrange; arrange({wishes!r})"
    said = site.shell(code, seconds=400)
    return json.loads(said.partition("STATES ")[2])


def open_seat(make: Any, site: Site, state: list[Any], *, script: str = "", **options: Any) -> Page:
    code, seat, sessions, _ = state
    page = make(**options)
    if script:
        page.add_init_script(script)
    page.context.add_cookies([{"name": "companion_session", "value": sessions[seat], "url": site.url}])
    page.goto(f"{site.url}/tables/{code}/seats/{seat}/")
    return page


def seat_to_move(page: Page, site: Site, code: str) -> int | None:
    """Whoever is asked, as the phone of the first seat hears it; nobody when the game is over."""
    path = f"/api/v1/tables/{code}/seats/0/?since=9999"
    view = page.request.get(site.url + path, max_retries=LOST_LINES).json()["view"]
    return None if view["result"] else view["asked"][0]


def off_screen(page: Page) -> dict[str, Any]:
    """What of the decision is not on the screen, or too small to tap."""
    return {key: result for key, result in page.evaluate(MEASURE).items() if result}


def select_next(page: Page) -> None:
    """Taps the first thing that can be tapped and waits for what it would do."""
    button = page.locator(".table-top .pick-in, .fan .pick-in[aria-pressed=false], .btn-plain").first
    value = button.get_attribute("value") or ""
    button.click()
    page.locator(f"#choose [name=choice][value='{value.rpartition('|')[2]}']").wait_for(state="attached")


def select_card(page: Page, card: str) -> None:
    """A card of the hand, or a card of the court and then what to do with it."""
    button = page.locator(f"[name=pick][value='{card}']")
    if not button.count():
        page.locator(f"#spot-{card.partition(':')[2]} .pick-in").click()
    button.first.click()
    page.locator(f"#choose [name=choice][value='{card}']").wait_for(state="attached")


def measure_questions(browser: Browser, site: Site, states: dict[str, Any], size: Any) -> dict[str, dict[str, Any]]:
    """What is not on the screen, by question: before anything is selected, and when all is."""
    values = {}
    with open_phones(browser) as make:
        for question in QUESTIONS:
            card = states[question][3]
            page = open_seat(make, site, states[question], viewport=size, reduced_motion="reduce")
            expect(page.locator("#turnbar.is-yours")).to_be_visible()
            expect(page.locator("#press")).to_have_count(0)
            if card:
                select_card(page, card)
                if question.endswith("trade-second"):
                    select_next(page)
            values[question] = off_screen(page)
            while not page.locator("#press").count():
                select_next(page)
            values[f"{question}, selected"] = off_screen(page)
            page.close()
    return {question: what for question, what in values.items() if what}


def expect_told(page: Page, words: str, *, told: bool = True) -> None:
    """What happened stands in the menu, which is fetched when it is opened."""
    page.evaluate("const menu = document.getElementById('table-menu'); if (menu) menu.open = true")
    happened = expect(page.locator(".in-log"))
    if told:
        happened.to_contain_text(words)
    else:
        happened.not_to_contain_text(words)
    page.evaluate("const menu = document.getElementById('table-menu'); if (menu) menu.open = false")
