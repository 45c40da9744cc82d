"""Card tables in a browser: the decision on one screen, a change on four phones and a TV, taps to the first move."""

from __future__ import annotations

import os
import statistics
from typing import Any

from bench._site_of_its_own import Row, running_site
from tests.browser_phones import log_in, open_phones, set_patience
from tests.cardgames.tables.board_screens import (
    FROM_THE_START,
    PHONE,
    QUESTIONS,
    SIDEWAYS,
    WISHES,
    arranged,
    measure_questions,
    open_seat,
    seat_to_move,
)
from tests.services import CHROMIUM_FLAGS, Site, chromium_program

TV = {"width": 1920, "height": 1080}
CHANGES = 20
LIMIT = 0.5
HOST, PASSWORD = "Tablewright", "cheese-and-thyme"

# When each state of the table was first in a frame: phones carry the question's stamp, the TV numbers what happened.
WATCH = """() => {
  window.shown = {};
  const state = () => document.querySelector('.play')?.dataset.stamp
    ?? document.querySelector('.tv-log [data-key]')?.dataset.key ?? '';
  const note = () => {
    const now = state();
    if (now in window.shown) return;
    window.shown[now] = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => { window.shown[now] = Date.now(); }));
  };
  note();
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(note).observe(document.body, all);
  window.state = state;
}"""
PRESS = "() => { const now = Date.now(); document.getElementById('press').click(); return now; }"


def run() -> list[Row]:
    from playwright.sync_api import sync_playwright

    set_patience()
    with running_site() as site:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_program(), args=CHROMIUM_FLAGS)
            rows = [*one_screen(browser, site), *changes(browser, site), *taps(browser, site)]
            browser.close()
        return rows


def one_screen(browser: Any, site: Site) -> list[Row]:
    states = arranged(site, WISHES)
    rows: list[Row] = []
    for size in (PHONE, SIDEWAYS):
        result = measure_questions(browser, site, states, size)
        note = f"{len(QUESTIONS)} kinds of question, before and after selecting" + "".join(f"; {row}" for row in result)
        what = f"Questions with a part off the screen at {size['width']} × {size['height']}"
        rows.append((what, float(len(result)), note, ("<=", 0)))
    return rows


def changes(browser: Any, site: Site) -> list[Row]:
    """From the press of the button to the frame that shows it, on the phone itself, three others and the TV."""
    wish = {"game": "menagerie", "kinds": ["play"], "how": FROM_THE_START}
    code, seat, sessions, _ = arranged(site, [wish])["menagerie play"]
    took: list[float] = []
    with open_phones(browser) as make:
        phones = [open_seat(make, site, [code, number, sessions, ""], viewport=PHONE) for number in range(4)]
        tv = make(viewport=TV)
        tv.goto(f"{site.url}/tables/{code}/wall/")
        for page in (*phones, tv):
            if page is not tv:
                page.locator(".role-moment[open] > summary").click()
            page.evaluate(WATCH)
        for number in range(CHANGES + 2):
            page = phones[seat]
            page.locator("#turnbar.is-yours").wait_for()
            select_first(page)
            old = [one.evaluate("window.state()") for one in (*phones, tv)]
            pressed = page.evaluate(PRESS)
            shown = [wait_for_change(one, state) for one, state in zip((*phones, tv), old, strict=True)]
            if number >= 2:  # the first ones are always slow
                took += [(at - pressed) / 1000 for at in shown]
            seat = seat_to_move(phones[0], site, code) or 0
    p95 = statistics.quantiles(took, n=20)[18]
    note = (
        f"p50 {statistics.median(took) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, slowest {max(took) * 1000:.0f} ms over "
        f"{CHANGES} changes on five screens of one browser. Load of the machine {os.getloadavg()[0]:.1f}."
    )
    return [(f"A change on four phones and a TV, p95 against {LIMIT:g} s", p95 / LIMIT, note, ("<=", 1.0))]


def wait_for_change(page: Any, old: str) -> float:
    result = page.wait_for_function("(old) => window.state() !== old && window.shown[window.state()]", arg=old)
    return float(result.json_value())


def select_first(page: Any) -> None:
    """The first card, and the first place it can go to."""
    page.locator(".fan .pick-in").first.click()
    page.locator("#cancel").wait_for()
    while not page.locator("#press").count():
        target = page.locator(".table-top .pick-in").first
        value = target.get_attribute("value") or ""
        target.click()
        page.locator(f"#press, .table-top .pick-in[value^='{value}|']").first.wait_for()


def taps(browser: Any, site: Site) -> list[Row]:
    """Taps from the home page until the first card can be tapped; a guest types a code and a name besides."""
    site.shell(f"from people.accounts import services; services.create_account('{HOST}', '{PASSWORD}', owner=True)")
    tapped: dict[str, list[str]] = {"host": [], "guest": []}

    def tap(who: str, button: Any) -> None:
        tapped[who].append(button.inner_text())
        button.click()

    with open_phones(browser) as make:
        host, guest = log_in(make(viewport=PHONE), site.url, HOST, PASSWORD), make(viewport=PHONE)
        tap("host", host.get_by_role("button", name="Host Royal Menagerie"))
        code = host.locator(".table-code").inner_text()
        guest.goto(site.url)
        guest.fill("[name=code]", code)
        guest.fill(".join [name=name]", "Pim")
        tap("guest", guest.get_by_role("button", name="Join"))
        host.locator("#seat-1", has_text="Pim").wait_for()
        tap("host", host.get_by_role("button", name="Begin"))
        for who, page in (("host", host), ("guest", guest)):
            page.wait_for_url("**/seats/*/")
            if who == "host":
                tap(who, page.locator(".role-moment[open] > summary"))
            page.locator("#turnbar").wait_for()
    words = {who: ", ".join(f"“{word}”" for word in names) for who, names in tapped.items()}
    return [
        ("Taps from home to the first move, host", float(len(tapped["host"])), words["host"], ("<=", 3)),
        (
            "Taps from home to a seat, guest",
            float(len(tapped["guest"])),
            f"types the code and a name; {words['guest']}",
            ("<=", 1),
        ),
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
