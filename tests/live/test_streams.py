"""Event streams of a real server on a file database."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from urllib.parse import urlencode

import pytest

from tests.live.crowd import within
from tests.live.run_async import alone
from tests.live.stream_listener import Listener, fetch
from tests.services import free_port, private_redis


def listen(world, who: int = 0, *, logs: object = None, last_id: str = "", query: str = "") -> Listener:
    return Listener(world.port, f"/live/{logs or world.logs[0]}/{query}", world.cookie(who), last_id)


async def note(world, text: str, *, log_id: int | None = None, who: int = 0) -> int:
    """Post a note through the page and return the log's new version."""
    log_id = log_id or world.logs[0]
    _, headers, _ = await fetch(world.port, "/live/token/", world.cookie(who))
    token = re.search(r"companion_csrf=([^;]+)", headers["set-cookie"])[1]
    body = urlencode({"key": f"key-{time.monotonic_ns()}", "text": text, "csrfmiddlewaretoken": token})
    cookie = f"{world.cookie(who)}; companion_csrf={token}"
    status, _, html = await fetch(world.port, f"/{log_id}/write/", cookie, post=body, headers="X-Outbox: 1\r\n")
    assert status == 200, html
    return int(re.search(r"Version (\d+)", html)[1])


@alone
async def test_stream_sends_the_version_and_then_each_change(world):
    one = await listen(world).open()
    assert one.status == 200
    assert one.headers["content-type"] == "text/event-stream"
    assert "no-cache" in one.headers["cache-control"]
    assert one.headers["x-accel-buffering"] == "no"
    await one.until(lambda self: self.versions)
    assert 1000 <= one.retry <= 3000
    version = await note(world, "hello")
    await one.hears(version, 1.9)
    assert one.events[-1] == ("version", str(version), str(version))
    one.drop()


@alone
async def test_reconnecting_with_the_newest_id_repeats_nothing(world):
    first = await (await listen(world).open()).until(lambda self: self.versions)
    known = first.last_id
    again = await listen(world, last_id=known).open()
    version = await note(world, "after")
    await again.hears(version)
    assert again.versions == [str(version)]
    behind = await listen(world, last_id=known).open()
    await behind.hears(version)
    for row in (first, again, behind):
        row.drop()


@alone
async def test_several_logs_share_one_stream(world):
    a, b, _ = world.logs
    both = await listen(world, logs=f"{a},{b}").open()
    await both.until(lambda self: len(self.versions) == 2)
    version = await note(world, "in the second", log_id=b)
    await both.hears(f"{b}={version}")
    assert re.fullmatch(rf"{a}=\d+,{b}={version}", both.last_id)
    again = await listen(world, logs=f"{a},{b}", last_id=both.last_id).open()
    later = await note(world, "in the first", log_id=a)
    await again.hears(f"{a}={later}")
    assert again.versions == [f"{a}={later}"]
    both.drop()
    again.drop()


@pytest.mark.parametrize("path", ["/live/999999/", "/live/1,x/", "/live/0/"])
@alone
async def test_missing_log_returns_404(world, path):
    assert (await fetch(world.port, path, world.cookie()))[0] == 404


@alone
async def test_stranger_gets_404_and_no_stream(world):
    stranger = await Listener(world.port, f"/live/{world.logs[0]}/", "").open()
    assert stranger.status == 404


@alone
async def test_write_by_another_process_arrives_with_the_next_poll(world):
    one = await (await listen(world).open()).until(lambda self: self.versions)
    version = await asyncio.to_thread(world.write_from_outside, world.logs[0], "from outside")
    await one.hears(version, 6)
    one.drop()


@alone
async def test_streams_per_person_are_limited_and_the_oldest_is_told_to_wait(world):
    from live.hub import MAX_PER_OWNER

    many = [await listen(world, who=1).open() for _ in range(MAX_PER_OWNER)]
    other = await listen(world, who=2).open()
    newest = await listen(world, who=1).open()
    await many[0].until(lambda self: self.ended)
    assert many[0].retry == 30_000
    version = await note(world, "who is left")
    for row in (*many[1:], other, newest):
        await row.hears(version)
        row.drop()


@alone
async def test_returning_page_replaces_its_dead_stream(world):
    old = await listen(world, who=1, query="?page=abc").open()
    new = await listen(world, who=1, query="?page=abc").open()
    await old.until(lambda self: self.ended)
    await new.until(lambda self: self.versions)
    assert not new.ended
    new.drop()


@pytest.mark.clock
@alone
async def test_uvicorn_stops_at_once_with_streams_open(world):
    other = await asyncio.to_thread(world.beside, "uvicorn")
    streams = [await listen(other, n).open() for n in (0, 1)]
    assert await asyncio.to_thread(other.stop, signal.SIGTERM) < within(3)
    for stream in streams:
        await stream.until(lambda self: self.ended, 1)
    assert "graceful shutdown exceeded" not in world.output


@alone
async def test_idle_stream_sends_heartbeats_and_ends_when_its_viewer_loses_access(world):
    import sqlite3

    quick = await asyncio.to_thread(world.beside, "uvicorn", WORLD_HEARTBEAT="0.2", WORLD_ASK_AGAIN="0.5")
    revoked, other = await listen(quick, 2).open(), await listen(quick, 0).open()
    await revoked.until(lambda self: self.comments >= 4 and ("beat", "1", "") in self.events)
    assert not revoked.ended, "asked again twice by now, and still allowed"

    def let_in(active: int) -> None:
        with sqlite3.connect(world.var / "companion.sqlite3", timeout=20) as connection:
            connection.execute("UPDATE auth_user SET is_active = ? WHERE username = 'mouse2'", [active])

    let_in(0)
    try:
        await revoked.until(lambda self: self.ended)
        assert not other.ended
        assert (await listen(quick, 2).open()).status == 404
    finally:
        let_in(1)  # later tests share this world
    other.drop()
    quick.stop()


@alone
async def test_wsgi_explains_that_it_has_no_streams(world):
    pages = await asyncio.to_thread(world.beside, "gunicorn")
    status, _, body = await fetch(pages.port, f"/live/{world.logs[0]}/", pages.cookie())
    assert status == 503
    assert "no live stream" in body
    assert (await fetch(pages.port, f"/live/{world.logs[0]}/", ""))[0] == 404
    # What one server writes reaches the streams of the other with its next poll.
    one = await (await listen(world).open()).until(lambda self: self.versions)
    await one.hears(await note(pages, "by gunicorn"), 6)
    one.drop()
    pages.stop()


@pytest.mark.redis
@alone
async def test_redis_carries_news_between_processes_and_polling_replaces_it_when_down(world):
    port = free_port()
    env = {"REDIS_URL": f"redis://127.0.0.1:{port}/0", "WORLD_LOOK_EVERY": "4", "WORLD_REST": "0.5"}
    with private_redis(port):
        pages, streams = await asyncio.gather(
            *(asyncio.to_thread(world.beside, server, **env) for server in ("gunicorn", "uvicorn"))
        )
        one = await (await listen(streams).open()).until(lambda self: self.versions)
        await asyncio.sleep(0.5)
        for text in ("one", "two", "three"):
            await one.hears(await note(pages, text), 2)
    begin = time.monotonic()
    version = await note(pages, "while Redis is away")
    assert time.monotonic() - begin < within(1.5), "a writer never waits for a Redis that is away"
    await one.hears(version, 8)
    with private_redis(port):
        await asyncio.sleep(3)  # the listener's pause has grown meanwhile
        for text in ("four", "five", "six"):
            await one.hears(await note(pages, text), 2)
    one.drop()
    await asyncio.gather(*(asyncio.to_thread(server.stop) for server in (pages, streams)))
