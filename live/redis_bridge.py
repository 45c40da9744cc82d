"""Redis carries "log L is now at version N" between processes, and nothing else.

The hub polls the versions every two seconds, so a Redis that is down delays news but never loses it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from hashlib import sha256

import redis
import redis.asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

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
