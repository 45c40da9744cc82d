"""A bad network between a browser and the site: drops connections at random, or cuts them all.

A lost packet on TCP shows as a connection that stalls and dies, so a "lost" chunk is never forwarded and takes its
connection with it. The nasty case is among them: the server has acted and its answer never arrives.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Iterator

from tests.services import free_port


class LossyProxy:
    """Runs in its own thread; every setting can be changed at any time.

    ``loss`` is the chance that a chunk is lost, ``deaf_to`` what a chunk must begin with to be lost for certain.
    """

    def __init__(self, target: int, *, seed: int = 7) -> None:
        self.target = target
        self.port = free_port()
        self.loss = 0.0
        self.deaf_to = b""
        self.killed = 0
        self.forwarded = 0
        self._cut = False
        self._moving = asyncio.Event()
        self._moving.set()
        self._chance = random.Random(seed)
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> LossyProxy:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """Nothing gets through; open connections die."""
        self._cut = True
        self.kill_all()
        try:
            yield
        finally:
            self._cut = False

    @contextlib.contextmanager
    def stalled(self) -> Iterator[None]:
        """Nothing gets through and no connection closes; what was sent arrives late, after its sender has retried."""
        self._moving.clear()
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._moving.set)

    @contextlib.contextmanager
    def losing(self, loss: float) -> Iterator[None]:
        self.loss = loss
        try:
            yield
        finally:
            self.loss = 0.0

    def kill_all(self) -> None:
        self._loop.call_soon_threadsafe(lambda: [writer.transport.abort() for writer in list(self._open)])

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", self.port))
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = (writer, there_writer)
        self._open.update(pair)
        try:
            await asyncio.gather(self._pipe(reader, there_writer, pair), self._pipe(there_reader, writer, pair))
        finally:
            self._open.difference_update(pair)
            for row in pair:
                row.transport.abort()

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: tuple) -> None:
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            while chunk := await reader.read(65536):
                if self._chance.random() < self.loss or (self.deaf_to and chunk.startswith(self.deaf_to)):
                    self.killed += 1
                    for row in pair:
                        row.transport.abort()
                    return
                await self._moving.wait()
                self.forwarded += 1
                writer.write(chunk)
                await writer.drain()
        for row in pair:
            row.close()
