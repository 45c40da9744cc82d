"""The hub: which streams of this process wait for news of which log, and how news reaches them.

News comes three ways: from a commit in this process (any thread), over Redis from another process if there is one, and
by looking at the versions every two seconds, which also finds what a process without Redis wrote. A version is all
there is to tell, so each subscriber keeps only the newest per log, however slowly it reads.
"""

import asyncio
import contextvars
import logging
import random
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import chain

import redis
import redis.asyncio
from django.conf import settings
from django.db import close_old_connections, connections
from django.db.models import QuerySet
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import prometheus_counters
from log.models import Log
from prepared_queries import prepared_query

logger = logging.getLogger(__name__)

LOOK_EVERY = 2.0
# One person at the table: a phone, a laptop, a tablet and a few windows. Beyond that the oldest stream makes room.
MAX_PER_OWNER = 12
# Below the 1024 open files a process usually gets.
MAX_STREAMS = 800
# Strangers who watch leave room for the people who play, and one network leaves room for other strangers.
MAX_OF_STRANGERS = 400
MAX_PER_ADDRESS = 100
IN_ONE_QUERY = 128


class Subscriber:
    """One open stream: what it waits for and what it has not been sent yet."""

    __slots__ = ("_wake", "address", "logs", "news", "over", "owner", "page")

    def __init__(self, logs: Iterable[int], *, owner: str = "", page: str = "", address: str = "") -> None:
        self.logs = tuple(logs)
        self.owner = owner
        self.address = address
        self.page = page
        self.news: dict[int, int] = {}
        self.over = ""
        self._wake = asyncio.Event()

    def tell(self, log_id: int, version: int) -> None:
        self.news[log_id] = version
        self._wake.set()

    def end(self, why: str) -> None:
        self.over = self.over or why
        self._wake.set()

    async def next(self, seconds: float) -> dict[int, int]:
        """The news since the last call; empty when nothing came within ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return {}
        self._wake.clear()
        news, self.news = self.news, {}
        return news


class HubFull(Exception):
    """This process has as many open streams as it can take."""


@prepared_query
def versions_of(log_ids: tuple[int, ...]) -> QuerySet[Log]:
    return Log.objects.filter(pk__in=log_ids).values_list("pk", "version")


def read_versions(log_ids: Iterable[int]) -> dict[int, int]:
    """The current versions of these logs in the database. The hub's thread keeps its connection as requests do."""
    ids = tuple(log_ids)
    versions: dict[int, int] = {}
    close_old_connections()
    try:
        for begin in range(0, len(ids), IN_ONE_QUERY):
            versions.update(versions_of(ids[begin : begin + IN_ONE_QUERY]))
    finally:
        close_old_connections()
    return versions


class Hub:
    def __init__(
        self,
        *,
        look: Callable[[Iterable[int]], Mapping[int, int]] = read_versions,
        look_every: float = LOOK_EVERY,
        bridge: "RedisBridge | None" = None,
    ) -> None:
        self._look = look
        self._look_every = look_every
        self._bridge = bridge
        self._waiting: dict[int, set[Subscriber]] = {}
        self._versions: dict[int, int] = {}
        self._owned: dict[str, list[Subscriber]] = {}
        self._strangers: list[Subscriber] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.streams = 0
        self.closing = False

    # From any thread

    def publish(self, log_id: int, version: int) -> None:
        """Log ``log_id`` is now at ``version``."""
        if log_id in self._waiting:
            self._call(self._hear, log_id, version)
        if self._bridge is not None:
            self._bridge.send(log_id, version)

    def end_streams_of(self, owner: str) -> None:
        """End the streams of this owner in this process. Whoever is still logged in comes back by themselves.

        Other processes notice when they next ask who may still watch.
        """
        if owner in self._owned:
            self._call(self._end_owned, owner)

    def shutdown(self) -> None:
        """End all streams and accept no new ones. Safe in a signal handler."""
        self.closing = True
        self._call(self._close)

    def _call(self, function: Callable[..., None], *args: int | str) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # the loop has ended, and the streams with it
            self._loop = None

    # In the loop's own thread

    def subscribe(self, logs: Iterable[int], *, owner: str = "", page: str = "", stranger_at: str = "") -> Subscriber:
        """Subscribe to news of these logs. Read the versions after this call and nothing is missed.

        ``stranger_at`` is the address of somebody nobody knows; there can be any number of them.
        """
        self._attach()
        mine = self._owned.get(owner, [])
        # A phone that lost its network comes back while its old connection still looks open from here.
        for other in [stream for stream in mine if page and stream.page == page]:
            self._leave(other, "replaced")
        while owner and len(mine) >= MAX_PER_OWNER:
            self._leave(mine[0], "crowded")
        if not stranger_at and self.streams >= MAX_STREAMS:
            self._make_room(len(mine))
        if self.closing or self.streams >= MAX_STREAMS or (stranger_at and self._is_full_for_strangers(stranger_at)):
            raise HubFull
        subscriber = Subscriber(logs, owner=owner, page=page, address=stranger_at)
        if stranger_at:
            self._strangers.append(subscriber)
        self._owned.setdefault(owner, []).append(subscriber)
        for log_id in subscriber.logs:
            self._waiting.setdefault(log_id, set()).add(subscriber)
        self.streams += 1
        prometheus_counters.STREAMS.inc()
        return subscriber

    def _make_room(self, own: int) -> None:
        """A stranger leaves; where there is none, the oldest stream of whoever has the most, if they have more."""
        if self._strangers:
            self._leave(self._strangers[0], "crowded")
            return
        most = max(self._owned.values(), key=len)
        if len(most) > own + 1:
            self._leave(most[0], "crowded")

    def _is_full_for_strangers(self, address: str) -> bool:
        here = sum(1 for stranger in self._strangers if stranger.address == address)
        return len(self._strangers) >= MAX_OF_STRANGERS or here >= MAX_PER_ADDRESS

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._leave(subscriber, "left")

    def _leave(self, subscriber: Subscriber, why: str) -> None:
        subscriber.end(why)
        mine = self._owned.get(subscriber.owner, [])
        if subscriber not in mine:
            return
        mine.remove(subscriber)
        if not mine:
            del self._owned[subscriber.owner]
        if subscriber.address:
            self._strangers.remove(subscriber)
        for log_id in subscriber.logs:
            waiting = self._waiting[log_id]
            waiting.discard(subscriber)
            if not waiting:
                del self._waiting[log_id]
                self._versions.pop(log_id, None)
        self.streams -= 1
        prometheus_counters.STREAMS.dec()

    def _end_owned(self, owner: str) -> None:
        for subscriber in [*self._owned.get(owner, [])]:
            self._leave(subscriber, "ended")

    def _hear(self, log_id: int, version: int) -> None:
        # Two commits may publish in the other order, and Redis repeats what this process said itself.
        if version > self._versions.get(log_id, -1):
            self._tell(log_id, version)

    def _tell(self, log_id: int, version: int) -> None:
        if log_id in self._waiting:
            self._versions[log_id] = version
            for subscriber in self._waiting[log_id]:
                subscriber.tell(log_id, version)

    def _attach(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        self._loop = loop
        self._waiting, self._versions, self._owned, self._strangers, self.streams = {}, {}, {}, [], 0
        # An empty context: the first stream's own would tie these tasks to the thread of its request.
        start = contextvars.Context().run
        self._tasks = [start(loop.create_task, self._watch())]
        if self._bridge is not None:
            self._tasks.append(start(loop.create_task, self._bridge.listen(self._hear)))

    def _close(self) -> None:
        for subscriber in list(chain.from_iterable(self._owned.values())):
            self._leave(subscriber, "shutdown")
        for task in self._tasks:
            task.cancel()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, "live-look")
        try:
            while True:
                await asyncio.sleep(self._look_every)
                if not self._waiting:
                    continue
                before = {log_id: self._versions.get(log_id, -1) for log_id in self._waiting}
                try:
                    versions = await loop.run_in_executor(thread, self._look, list(before))
                except Exception as error:  # the database is away for a moment; the next look may find it
                    logger.warning("could not read the versions of %s logs: %s", len(before), error)
                    continue
                for log_id, version in versions.items():
                    # Lower than what was known before the look: the log was put back from a backup.
                    if version > self._versions.get(log_id, -1) or version < before[log_id]:
                        self._tell(log_id, version)
        finally:
            thread.submit(connections.close_all)
            thread.shutdown(wait=False)


# ── Between processes ──────────────────────────────────────────────────────────────────────────────────
# Redis carries "log L is now at version N" between them, and nothing else. The hub polls the versions every two
# seconds, so a Redis that is down delays news but never loses it.


# A writer never waits longer than this for a Redis that is away, and after a failure does not ask again for a while.
WAIT = 0.3
REST = 5.0
MAX_PAUSE = 10.0


class RedisBridge:
    def __init__(self, url: str, secret: str) -> None:
        self._url = url
        # Publishing crosses Redis's numbered databases, so two sites on one server need channels of their own.
        self.channel = "live:" + sha256(f"live:{secret}".encode()).hexdigest()[:16]
        self._sender: redis.Redis | None = None
        self._rest_until = 0.0

    def send(self, log_id: int, version: int) -> None:
        if time.monotonic() < self._rest_until:
            return
        if self._sender is None:
            self._sender = redis.Redis.from_url(
                self._url, socket_connect_timeout=WAIT, socket_timeout=WAIT, retry=Retry(NoBackoff(), 0)
            )
        try:
            self._sender.publish(self.channel, f"{log_id} {version}")
        except (redis.RedisError, OSError) as error:
            self._rest_until = time.monotonic() + REST
            logger.warning("Redis did not accept the update; the streams will find it by polling: %s", error)

    async def listen(self, hear: Callable[[int, int], None]) -> None:
        """Pass on all news for ever; when Redis goes away, reconnect after a growing pause."""
        pause = 0.2
        while True:
            client = redis.asyncio.Redis.from_url(
                self._url, socket_connect_timeout=2, health_check_interval=10, retry=Retry(NoBackoff(), 0)
            )
            try:
                async with client.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await pubsub.subscribe(self.channel)
                    while True:
                        message = await pubsub.get_message(timeout=5)
                        pause = 0.2
                        if message is not None:
                            self._hand_on(message["data"], hear)
            except (redis.RedisError, OSError) as error:
                if pause <= 0.2:
                    logger.warning("Redis is down, polling the versions instead: %s", error)
            finally:
                await client.aclose()
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(pause * 2, MAX_PAUSE)

    @staticmethod
    def _hand_on(data: bytes, hear: Callable[[int, int], None]) -> None:
        try:
            log_id, version = map(int, data.split())
        except ValueError:
            return
        hear(log_id, version)


HUB = Hub(bridge=RedisBridge(settings.REDIS_URL, settings.SECRET_KEY) if settings.REDIS_URL else None)


def publish(log_id: int, version: int) -> None:
    HUB.publish(log_id, version)


def end_streams_of(person_id: int) -> None:
    HUB.end_streams_of(f"person:{person_id}")


def shutdown() -> None:
    HUB.shutdown()
