"""Change to pixels: how long after a note is sent do 50 and 200 viewers of one campaign page see it?

One viewer is a real browser (timed at the frame that shows the note). The others hold a stream and fetch live parts
like live.js does, with its jitter and without what they have (timed when the new entries have arrived). The baseline is
the same fetches all at once, without a stream: what the server needs for rendering alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from bench._site_of_its_own import running_site
from tests.live.crowd import Table
from tests.live.stream_listener import Listener, fetch
from tests.services import CHROMIUM_FLAGS, chromium_program

CHANGES = {50: 20, 200: 8}  # by viewers
MAX_SECONDS = {50: 0.6, 200: 1.5}  # p99
MAX_WORK = 0.4  # seconds of processor time for a change, with 50
JITTER = 0.2

# The time of the frame after the one in which the note came into the page.
WATCH = """() => {
    window.shown = {};
    new MutationObserver(() => {
        const tale = document.querySelector("#entries .entry-text")?.textContent.trim();
        if (!tale || tale in window.shown) return;
        window.shown[tale] = 0;
        requestAnimationFrame(() => requestAnimationFrame(() => { window.shown[tale] = Date.now() / 1000; }));
    }).observe(document.querySelector("#entries"), { childList: true, subtree: true, characterData: true });
}"""


class Viewers:
    """All viewers but the browser's, in a thread with its own event loop."""

    def __init__(self, table: Table, count: int) -> None:
        self.table, self.count = table, count
        self.seen: dict[str, dict[int, float]] = {}
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(120)

    async def open(self) -> None:
        _, _, page = await fetch(self.table.port, self.table.page, self.table.cookie())
        self.parts = set(re.findall(r'data-live-get="([^"]+)"', page))
        self.streams = [
            await Listener(self.table.port, f"/live/{self.table.log}/", self.table.cookie(n)).open()
            for n in range(1, self.count)
        ]
        self.tasks = [asyncio.create_task(self._watch(n, one)) for n, one in enumerate(self.streams, 1)]

    async def _watch(self, number: int, stream: Listener) -> None:
        seen_versions = 1
        while True:
            async with stream.news:
                await stream.news.wait_for(lambda: len(stream.versions) > seen_versions)  # noqa: B023
            seen_versions = len(stream.versions)
            await asyncio.sleep(random.uniform(0, JITTER))
            await asyncio.gather(*(self._fetch(number, part) for part in self.parts))

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        for stream in self.streams:
            stream.drop()

    async def _fetch(self, number: int, part: str) -> None:
        _, _, html = await fetch(self.table.port, part, self.table.cookie(number))
        now = time.time()
        for text, times in self.seen.items():
            if text in html:
                times.setdefault(number, now)

    async def change(self, text: str) -> float:
        """Write a note and return the moment it was sent."""
        _, headers, body = await fetch(self.table.port, "/live/token/", self.table.cookie())
        form = {"key": f"key-{os.urandom(8).hex()}", "text": text, "csrfmiddlewaretoken": json.loads(body)["token"]}
        self.seen[text] = {}
        begin = time.time()
        cookie = f"{self.table.cookie()}; {headers['set-cookie']}"
        status, _, html = await fetch(self.table.port, f"{self.table.page}note/", cookie, post=urlencode(form))
        assert status == 302, html
        return begin

    async def all_at_once(self) -> list[float]:
        begin = time.time()

        async def one(number: int, part: str) -> float:
            await self._fetch(number, part)
            return time.time() - begin

        return await asyncio.gather(*(one(number, part) for number in range(self.count) for part in self.parts))


def run() -> list[tuple]:
    with running_site() as site:
        table = Table.at(site, max(CHANGES))
        return [row for count in CHANGES for row in measure(table, count)]


def measure(table: Table, count: int) -> list[tuple]:
    from playwright.sync_api import sync_playwright

    viewers = Viewers(table, count)
    browser_took, all_took, anchor, work = [], [], [], []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_program(), args=CHROMIUM_FLAGS)
        context = chromium.new_context()
        context.add_cookies([{"name": "companion_session", "value": table.cookies[0], "url": table.site.url}])
        page = context.new_page()
        with page.expect_response(lambda response: "/live/" in response.url):
            page.goto(table.site.url + table.page)
        page.evaluate(WATCH)
        viewers.run(viewers.open())
        for number in range(CHANGES[count] + 2):
            text = f"change number {number} of the bench, {count} viewers"
            before = cpu_seconds(table.site.process.pid)
            begin = viewers.run(viewers.change(text))
            page.wait_for_function("(text) => window.shown[text]", arg=text, timeout=20_000)
            end = time.time() + 20
            while len(viewers.seen[text]) < count - 1 and time.time() < end:
                time.sleep(0.02)
            assert len(viewers.seen[text]) == count - 1, "a viewer missed a change"
            if number < 2:  # the first round is always slow
                continue
            work.append(cpu_seconds(table.site.process.pid) - before)
            pixels = page.evaluate("(text) => window.shown[text]", text) - begin
            browser_took.append(pixels)
            all_took += [pixels, *(seen - begin for seen in viewers.seen[text].values())]
            anchor += viewers.run(viewers.all_at_once())
        chromium.close()
    viewers.run(viewers.close())
    p50, p99 = statistics.median(all_took), statistics.quantiles(all_took, n=100)[98]
    bare = statistics.quantiles(anchor, n=100)[98]
    worked = statistics.median(work)
    note = (
        f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms over {CHANGES[count]} changes; the real browser's frame "
        f"p50 {statistics.median(browser_took) * 1000:.0f} ms, slowest {max(browser_took) * 1000:.0f} ms; "
        f"{count * len(viewers.parts)} fetches at once p99 {bare * 1000:.0f} ms; load {os.getloadavg()[0]:.1f}"
    )
    what = f"A change with {count} viewers"
    rows = [
        (f"{what}: p99 against {MAX_SECONDS[count]} s", p99 / MAX_SECONDS[count], note, ("<=", 1.0)),
        (f"{what}: p99 against their fetches all at once", p99 / bare, "", ("<=", 2.0)),
    ]
    if count == min(CHANGES):
        note = f"{worked * 1000:.0f} ms of the server's processor time"
        rows.append((f"{what}: work against {MAX_WORK} s", worked / MAX_WORK, note, ("<=", 1.0)))
    return rows


def cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    for row in run():
        print(row)
