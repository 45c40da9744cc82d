"""The hub: nothing missed, nothing piled up, nobody crowded out for long."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from live import hub as live_hub
from live.hub import MOST_PER_OWNER, Full, Hub
from tests.live.alone import alone


@pytest.fixture
def versions() -> dict[int, int]:
    """What the database would say."""
    return {}


@pytest.fixture
def hub(versions):
    return Hub(look=lambda ids: {log_id: versions[log_id] for log_id in ids if log_id in versions}, look_every=0.02)


@alone
async def test_news_reaches_those_who_wait_for_that_log_and_no_other(hub):
    mine, other = hub.subscribe([1]), hub.subscribe([2])
    hub.publish(1, 7)
    assert await mine.next(1) == {1: 7}
    assert await other.next(0.01) == {}


@alone
async def test_one_stream_may_wait_for_several_logs(hub):
    mine = hub.subscribe([1, 2])
    hub.publish(1, 7)
    hub.publish(2, 3)
    await asyncio.sleep(0)
    assert await mine.next(1) == {1: 7, 2: 3}


@alone
async def test_a_slow_reader_keeps_only_the_newest_version(hub):
    mine = hub.subscribe([1])
    for version in range(10_000):
        hub.publish(1, version)
    await asyncio.sleep(0.05)
    assert mine.news == {1: 9_999}
    assert await mine.next(1) == {1: 9_999}
    assert await mine.next(0.01) == {}


@alone
async def test_news_from_threads_that_commit_at_once_ends_at_the_highest(hub):
    mine = hub.subscribe([1])
    threads = [threading.Thread(target=hub.publish, args=(1, version)) for version in (3, 9, 5, 8, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = []
    while news := await mine.next(0.05):
        seen.append(news[1])
    assert seen[-1] == 9
    assert seen == sorted(seen)


@alone
async def test_a_write_of_another_process_is_found_by_looking(hub, versions):
    mine = hub.subscribe([1])
    versions[1] = 4
    assert await mine.next(1) == {1: 4}
    assert await mine.next(0.1) == {}, "the same version is told once"
    versions[1] = 5
    assert await mine.next(1) == {1: 5}


@alone
async def test_a_log_put_back_from_a_backup_is_told_although_its_version_fell(hub, versions):
    mine = hub.subscribe([1])
    versions[1] = 40
    assert await mine.next(1) == {1: 40}
    versions[1] = 12
    assert await mine.next(1) == {1: 12}


@alone
async def test_a_look_that_began_before_a_commit_does_not_take_the_news_back():
    begun, go_on = threading.Event(), threading.Event()

    def slow_look(ids):
        if begun.is_set():
            return {1: 6}
        begun.set()
        go_on.wait(2)
        return {1: 5}

    hub = Hub(look=slow_look, look_every=0.01)
    mine = hub.subscribe([1])
    await asyncio.to_thread(begun.wait, 2)
    hub.publish(1, 6)
    assert await mine.next(1) == {1: 6}
    go_on.set()
    assert await mine.next(0.1) == {}
    hub.shutdown()


@alone
async def test_one_look_serves_all_streams_and_no_stream_means_no_look():
    looks = []
    hub = Hub(look=lambda ids: looks.append(sorted(ids)) or {}, look_every=0.02)
    streams = [hub.subscribe([1]) for _ in range(50)] + [hub.subscribe([2])]
    await asyncio.sleep(0.05)
    assert looks
    assert all(ids == [1, 2] for ids in looks)
    for stream in streams:
        hub.unsubscribe(stream)
    await asyncio.sleep(0.03)
    looks.clear()
    await asyncio.sleep(0.06)
    assert looks == []


@alone
async def test_a_database_that_is_away_for_a_moment_stops_nothing(caplog):
    answers = iter([RuntimeError("away"), RuntimeError("away"), {1: 3}])

    def look(ids):
        answer = next(answers, {})
        if isinstance(answer, Exception):
            raise answer
        return answer

    hub = Hub(look=look, look_every=0.02)
    assert await hub.subscribe([1]).next(1) == {1: 3}
    assert "away" in caplog.text


@pytest.mark.clock
@alone
async def test_shutdown_from_another_thread_ends_every_stream_at_once_and_takes_no_new_one(hub):
    streams = [hub.subscribe([1]) for _ in range(100)]
    begin = time.monotonic()
    threading.Thread(target=hub.shutdown).start()
    for stream in streams:
        await stream.next(5)
        assert stream.over == "shutdown"
    assert time.monotonic() - begin < 0.5
    with pytest.raises(Full):
        hub.subscribe([1])


@alone
async def test_leaving_leaves_nothing_behind(hub):
    for _ in range(100):
        hub.unsubscribe(hub.subscribe([1, 2], owner="person:1", page="p"))
    assert (hub.streams, hub._waiting, hub._owned, hub._versions) == (0, {}, {}, {})


@alone
async def test_the_oldest_stream_of_one_person_makes_room(hub):
    first, *rest = [hub.subscribe([1], owner="person:1") for _ in range(MOST_PER_OWNER)]
    stranger = hub.subscribe([1], owner="person:2")
    newest = hub.subscribe([1], owner="person:1")
    assert first.over == "crowded"
    assert not any(one.over for one in (*rest, stranger, newest))
    hub.unsubscribe(first)
    assert hub.streams == MOST_PER_OWNER + 1


@alone
async def test_a_page_that_comes_back_replaces_its_own_dead_stream(hub):
    old = hub.subscribe([1], owner="person:1", page="abc")
    other = hub.subscribe([1], owner="person:2", page="abc")
    new = hub.subscribe([1], owner="person:1", page="abc")
    assert (old.over, other.over, new.over) == ("replaced", "", "")


@alone
async def test_a_process_holds_a_bounded_number_of_streams(hub, monkeypatch):
    monkeypatch.setattr(live_hub, "MOST_STREAMS", 5)
    streams = [hub.subscribe([1], owner=f"person:{n}") for n in range(5)]
    with pytest.raises(Full):
        hub.subscribe([1], owner="person:9")
    hub.unsubscribe(streams[0])
    hub.subscribe([1], owner="person:9")
