"""Live on the site itself: everything in one process, real accounts, a real campaign."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from config.request_limits import THREADS
from tests.live.crowd import Table, within
from tests.live.run_async import alone
from tests.live.stream_listener import Listener, fetch


def listen(table: Table, who: int, *, last_id: str = "") -> Listener:
    return Listener(table.port, f"/live/{table.log}/", table.cookie(who), last_id)


async def note(table: Table, text: str, who: int = 0) -> None:
    _, headers, body = await fetch(table.port, "/live/token/", table.cookie(who))
    token = json.loads(body)["token"]
    cookie = f"{table.cookie(who)}; {headers['set-cookie']}"
    form = urlencode({"key": f"key-{os.urandom(8).hex()}", "text": text, "csrfmiddlewaretoken": token})
    status, _, html = await fetch(table.port, f"{table.page}note/", cookie, post=form, headers="X-Outbox: 1\r\n")
    assert status == 200, html
    assert text in html


async def many_streams(table: Table, connections, *, more: int) -> None:
    """Open streams, send news, drop half, reconnect, stop: at most ``more`` connections stay open on the server.

    Those who answer requests stay, with a connection each, however many streams there are.
    """
    count = len(table.cookies)
    half = count // 2
    await note(table, "warm up")
    await asyncio.sleep(0.5)
    threads, memory, held = table.status("Threads"), table.status("VmRSS"), connections()
    streams = await asyncio.gather(*(listen(table, n).open() for n in range(count)))
    assert [stream.status for stream in streams] == [200] * count
    await streams[0].until(lambda self: self.versions)
    version = int(streams[0].versions[-1]) + 1
    await note(table, "to all of you")
    await asyncio.gather(*(stream.hears(version) for stream in streams))
    await asyncio.sleep(0.5)
    assert table.status("Threads") <= threads + THREADS + 2
    assert connections() <= held + more
    assert table.status("VmRSS") - memory < 60_000

    # Half of them lose the network without closing; the others still receive news.
    for stream in streams[:half]:
        stream.drop()
    for text in ("while", "you were", "away"):
        await note(table, text)
    await asyncio.gather(*(stream.hears(version + 3) for stream in streams[half:]))
    back = await asyncio.gather(*(listen(table, n, last_id=str(version)).open() for n in range(half)))
    await asyncio.gather(*(stream.hears(version + 3) for stream in back))
    await asyncio.sleep(0.5)
    assert table.status("Threads") <= threads + THREADS + 2
    assert connections() <= held + more

    assert await asyncio.to_thread(table.site.stop) < within(3)
    await asyncio.gather(*(stream.until(lambda self: self.ended, 1) for stream in (*streams[half:], *back)))
    assert "exceeded" not in table.site.output.read_text()


@alone
async def test_two_hundred_streams_need_no_threads_or_connections_and_stop_at_once(make_site):
    site = await asyncio.to_thread(make_site)
    table = await asyncio.to_thread(Table.at, site, 200)

    def connections() -> int:
        """Descriptors on the database file. SQLite keeps those of closed connections to use them again, as long as any
        other connection of the process is open: so as many as were ever open at once, not one for each stream."""
        held = Path(f"/proc/{site.process.pid}/fd")
        return sum(os.path.realpath(row).endswith("companion.sqlite3") for row in held.iterdir())

    await many_streams(table, connections, more=THREADS + 2)


@pytest.mark.postgres
@pytest.mark.parametrize("people", [60, pytest.param(200, marks=pytest.mark.soak)])
@alone
async def test_streams_hold_no_postgresql_connections(make_site, migrated_postgres_url, people):
    import psycopg

    site = await asyncio.to_thread(make_site, DATABASE_URL=migrated_postgres_url)
    table = await asyncio.to_thread(Table.at, site, people)

    def connections() -> int:
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        with psycopg.connect(migrated_postgres_url) as connection:
            return connection.execute(others).fetchone()[0]

    await many_streams(table, connections, more=THREADS + 2)


@pytest.mark.browser
def test_every_note_appears_on_every_members_page(site, browser):
    table = Table.at(site, 2)
    pages = []
    for number in (0, 1):
        context = browser.new_context()
        context.add_cookies([{"name": "companion_session", "value": table.cookies[number], "url": site.url}])
        pages.append(context.new_page())
        with pages[-1].expect_response(lambda response: "/live/" in response.url):
            pages[-1].goto(site.url + table.page)
    mine, other = pages
    mine.get_by_text("Write a note").click()
    mine.get_by_label("note").fill("The owl has landed")
    mine.get_by_role("button", name="Save note").click()
    for page in pages:
        expect(page.locator("#entries .entry-text").first).to_have_text("The owl has landed")
    expect(mine.get_by_label("note")).to_have_value("")
    mine.route("**/note/", lambda route: route.abort())
    for text in ("one", "two"):
        mine.get_by_label("note").fill(text)
        mine.get_by_role("button", name="Save note").click()
        expect(mine.get_by_label("note")).to_have_value("")
    expect(mine.locator("#outbox")).to_contain_text("Not sent yet.")
    mine.unroute("**/note/")
    mine.reload()
    expect(other.locator("#entries .entry-text").first).to_have_text("two", timeout=10_000)
    assert other.locator("#entries .entry-text").all_inner_texts()[:3] == ["two", "one", "The owl has landed"]
    for page in pages:
        page.context.close()
