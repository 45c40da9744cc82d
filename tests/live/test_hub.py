"""The hub misses no news, queues none up, and keeps nobody out for long."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from live import hub as live_hub
from live.hub import MAX_PER_OWNER, Hub, HubFull
from log.models import Log
from tests.live.run_async import alone


@pytest.fixture
def versions() -> dict[int, int]:
    """The versions the database would return."""
    return {}


@pytest.fixture
def hub(versions):
    return Hub(look=lambda ids: {log_id: versions[log_id] for log_id in ids if log_id in versions}, look_every=0.02)


@alone
async def test_news_reaches_only_the_streams_of_that_log(hub):
    mine, other = hub.subscribe([1]), hub.subscribe([2])
    hub.publish(1, 7)
    assert await mine.next(1) == {1: 7}
    assert await other.next(0.01) == {}


@alone
async def test_one_stream_can_watch_several_logs(hub):
    mine = hub.subscribe([1, 2])
    hub.publish(1, 7)
    hub.publish(2, 3)
    await asyncio.sleep(0)
    assert await mine.next(1) == {1: 7, 2: 3}


@alone
async def test_slow_reader_gets_only_the_newest_version(hub):
    mine = hub.subscribe([1])
    for version in range(10_000):
        hub.publish(1, version)
    await asyncio.sleep(0.05)
    assert mine.news == {1: 9_999}
    assert await mine.next(1) == {1: 9_999}
    assert await mine.next(0.01) == {}


@alone
async def test_simultaneous_commits_end_at_the_highest_version(hub):
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
async def test_poll_finds_a_write_by_another_process(hub, versions):
    mine = hub.subscribe([1])
    versions[1] = 4
    assert await mine.next(1) == {1: 4}
    assert await mine.next(0.1) == {}, "the same version is told once"
    versions[1] = 5
    assert await mine.next(1) == {1: 5}


@alone
async def test_restored_log_is_news_although_its_version_fell(hub, versions):
    mine = hub.subscribe([1])
    versions[1] = 40
    assert await mine.next(1) == {1: 40}
    versions[1] = 12
    assert await mine.next(1) == {1: 12}


@alone
async def test_poll_started_before_a_commit_does_not_undo_its_news():
    begun, go_on = threading.Event(), threading.Event()

    def slow_poll(ids):
        if begun.is_set():
            return {1: 6}
        begun.set()
        go_on.wait(2)
        return {1: 5}

    hub = Hub(look=slow_poll, look_every=0.01)
    mine = hub.subscribe([1])
    await asyncio.to_thread(begun.wait, 2)
    hub.publish(1, 6)
    assert await mine.next(1) == {1: 6}
    go_on.set()
    assert await mine.next(0.1) == {}
    hub.shutdown()


@alone
async def test_one_poll_serves_all_streams_and_none_runs_without_streams():
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
async def test_brief_database_outage_stops_nothing(caplog):
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
async def test_shutdown_from_another_thread_ends_all_streams_and_refuses_new_ones(hub):
    streams = [hub.subscribe([1]) for _ in range(100)]
    begin = time.monotonic()
    threading.Thread(target=hub.shutdown).start()
    for stream in streams:
        await stream.next(5)
        assert stream.over == "shutdown"
    assert time.monotonic() - begin < 0.5
    with pytest.raises(HubFull):
        hub.subscribe([1])


@alone
async def test_closed_stream_leaves_nothing_behind(hub):
    for _ in range(100):
        hub.unsubscribe(hub.subscribe([1, 2], owner="person:1", page="p"))
        hub.unsubscribe(hub.subscribe([1, 2], owner="browser:1", page="p", stranger_at="198.51.100.1"))
    assert (hub.streams, hub._waiting, hub._owned, hub._versions, hub._strangers) == (0, {}, {}, {}, [])


@alone
async def test_oldest_stream_of_a_person_makes_room(hub):
    first, *rest = [hub.subscribe([1], owner="person:1") for _ in range(MAX_PER_OWNER)]
    stranger = hub.subscribe([1], owner="person:2")
    newest = hub.subscribe([1], owner="person:1")
    assert first.over == "crowded"
    assert not any(row.over for row in (*rest, stranger, newest))
    hub.unsubscribe(first)
    assert hub.streams == MAX_PER_OWNER + 1


@alone
async def test_streams_of_one_person_can_be_ended(hub):
    mine, others = hub.subscribe([1], owner="person:1"), hub.subscribe([1], owner="person:2")
    hub.end_streams_of("person:1")
    await mine.next(5)
    assert mine.over == "ended"
    assert not others.over
    assert hub.streams == 1


@alone
async def test_returning_page_replaces_its_dead_stream(hub):
    old = hub.subscribe([1], owner="person:1", page="abc")
    other = hub.subscribe([1], owner="person:2", page="abc")
    new = hub.subscribe([1], owner="person:1", page="abc")
    assert (old.over, other.over, new.over) == ("replaced", "", "")


@alone
async def test_streams_per_process_are_limited(hub, monkeypatch):
    monkeypatch.setattr(live_hub, "MAX_STREAMS", 5)
    streams = [hub.subscribe([1], owner=f"person:{n}") for n in range(5)]
    with pytest.raises(HubFull):
        hub.subscribe([1], owner="person:9")
    hub.unsubscribe(streams[0])
    hub.subscribe([1], owner="person:9")


@alone
async def test_strangers_leave_room_for_members(hub, monkeypatch):
    monkeypatch.setattr(live_hub, "MAX_STREAMS", 8)
    monkeypatch.setattr(live_hub, "MAX_OF_STRANGERS", 5)
    for n in range(5):
        hub.subscribe([1], owner=f"browser:{n}", stranger_at=f"198.51.100.{n}")
    with pytest.raises(HubFull):
        hub.subscribe([1], owner="browser:9", stranger_at="198.51.100.9")
    members = [hub.subscribe([1], owner=f"person:{n}") for n in range(8)]
    assert not any(member.over for member in members), "the strangers who came first made room"
    assert hub.streams == 8
    assert hub._strangers == []
    with pytest.raises(HubFull):
        hub.subscribe([1], owner="person:9")


@alone
async def test_one_address_leaves_room_for_other_strangers(hub, monkeypatch):
    monkeypatch.setattr(live_hub, "MAX_PER_ADDRESS", 3)
    first, *_ = [hub.subscribe([1], owner=f"browser:{n}", stranger_at="198.51.100.1") for n in range(3)]
    with pytest.raises(HubFull):
        hub.subscribe([1], owner="browser:3", stranger_at="198.51.100.1")
    hub.subscribe([1], owner="browser:4", stranger_at="198.51.100.2")
    hub.unsubscribe(first)
    hub.subscribe([1], owner="browser:5", stranger_at="198.51.100.1")


@pytest.mark.django_db(transaction=True)  # it closes a connection that is in the middle of something
def test_polling_reads_any_number_of_versions(django_assert_num_queries):
    logs = Log.objects.bulk_create(Log(kind="world", version=number) for number in range(300))
    wanted = {log.pk: log.version for log in logs}
    assert live_hub.read_versions(wanted) == wanted  # and the queries are prepared
    with django_assert_num_queries(3):
        assert live_hub.read_versions(wanted) == wanted
    assert live_hub.read_versions([]) == {}
    assert live_hub.read_versions([0]) == {}
