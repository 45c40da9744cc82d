"""The battle tracker and a card table on a weak phone: a processor six times slower, 400 kbit/s, 400 ms.

Readable: when the largest text of a first visit is painted, with its style. A tap: until a frame shows that it was
felt; what it does comes with the server's answer.
"""

from __future__ import annotations

import os
import statistics
from typing import Any

from bench._site_of_its_own import Row, running_site
from tests.cardgames.tables.board_screens import FROM_THE_START, PHONE, arranged
from tests.services import CHROMIUM_FLAGS, chromium_program

SLOWER = 6
BYTES_A_SECOND, DELAY = 400_000 / 8, 400
MAX_SECONDS, MAX_SECONDS_OF_A_TAP = 4.0, 0.2
VISITS, TAPS = 5, 10

FIND = """
import json
from django.contrib.auth import get_user_model
from django.test import Client
from battles.models import Battle
client = Client()
client.force_login(get_user_model().objects.get(username__iexact="wren"))
battle = Battle.objects.filter(stage=Battle.Stage.ON_THE_TABLE).first()
print(json.dumps([client.cookies["companion_session"].value, f"{battle.get_absolute_url()}table/"]))
"""

PAINTED = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
# From the press to the frame that shows another look of the button or of what it stands on.
TAP = """([selector, number]) => new Promise((resolve, reject) => {
  const button = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())[number];
  const place = button.closest("li") ?? button;
  const styles = [getComputedStyle(button), getComputedStyle(place)];
  const look = () => styles.map((one) => [one.opacity, one.outlineStyle, one.transform].join()).join();
  const before = look();
  const begin = performance.now();
  button.click();
  const check = () => {
    if (look() !== before) requestAnimationFrame(() => resolve(performance.now() - begin));
    else if (performance.now() - begin > 5000) reject(new Error("nothing to be seen"));
    else requestAnimationFrame(check);
  };
  check();
})"""


def run() -> list[Row]:
    import json

    from playwright.sync_api import sync_playwright

    with running_site(demo=True) as site:
        session, tracker = json.loads(site.shell(FIND).splitlines()[-1])
        wish = {"game": "menagerie", "kinds": ["play"], "how": FROM_THE_START}
        code, seat, sessions, _ = arranged(site, [wish])["menagerie play"]
        pages = {
            "tracker": (tracker, session, "#board a[data-sheet]"),
            "card table": (f"/tables/{code}/seats/{seat}/", sessions[seat], ".fan .pick-in"),
        }
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_program(), args=CHROMIUM_FLAGS)
            rows = [row for name, page in pages.items() for row in measure(browser, site.url, name, *page)]
            browser.close()
        return rows


def measure(browser: Any, url: str, name: str, address: str, session: str, button: str) -> list[Row]:
    visits, taps = [], []
    for _ in range(VISITS):
        context = browser.new_context(viewport=PHONE, device_scale_factor=2)
        context.add_cookies([{"name": "companion_session", "value": session, "url": url}])
        page = context.new_page()
        phone = context.new_cdp_session(page)
        phone.send("Network.enable")
        speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
        phone.send("Network.emulateNetworkConditions", {"offline": False, "latency": DELAY, **speed})
        phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(url + address, wait_until="load", timeout=60_000)
        visits.append(page.evaluate(PAINTED) / 1000)
        if page.locator(".role-moment[open] > summary").count():
            page.locator(".role-moment[open] > summary").click()
        for number in range(TAPS // VISITS):
            taps.append(page.evaluate(TAP, [button, number]) / 1000)
            page.wait_for_timeout(2_500)
        context.close()
    load = f"load {os.getloadavg()[0]:.1f}"
    note = f"{statistics.median(visits):.1f} s, slowest {max(visits):.1f} s of {VISITS} first visits; {load}"
    tap = f"{statistics.median(taps) * 1000:.0f} ms, slowest {max(taps) * 1000:.0f} ms of {len(taps)}; {load}"
    what = f"Weak phone, {name}"
    limit = ("<=", 1.0)
    return [
        (
            f"{what}: readable from cold, against {MAX_SECONDS:g} s",
            statistics.median(visits) / MAX_SECONDS,
            note,
            limit,
        ),
        (f"{what}: a tap is seen, against {MAX_SECONDS_OF_A_TAP:g} s", max(taps) / MAX_SECONDS_OF_A_TAP, tap, limit),
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
