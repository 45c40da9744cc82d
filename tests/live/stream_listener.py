"""A viewer without a browser: holds one event stream open and fetches what changed, over plain sockets."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field


@dataclass
class Listener:
    """One stream. ``events`` are (name, data, id) in the order they came."""

    port: int
    path: str
    cookie: str
    last_id: str = ""
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    events: list[tuple[str, str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    comments: int = 0
    retry: int = 0
    ended: bool = False
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    task: asyncio.Task | None = None
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def open(self) -> Listener:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        last = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
        self.writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n{last}\r\n".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        self.status = int(head[0].split()[1])
        self.headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in head[1:] if line)}
        if self.status == 200:
            self.task = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        text = ""
        try:
            while size := int((await self.reader.readline()).strip() or b"0", 16):
                text += (await self.reader.readexactly(size + 2))[:-2].decode()
                while "\n\n" in text:
                    block, text = text.split("\n\n", 1)
                    await self._block(block)
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        async with self.news:
            self.ended = True
            self.news.notify_all()

    async def _block(self, block: str) -> None:
        fields: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
            else:
                self.comments += 1
        if "retry" in fields:
            self.retry = int(fields["retry"])
        self.last_id = fields.get("id", self.last_id)
        if "data" in fields:
            async with self.news:
                self.events.append((fields.get("event", "message"), fields["data"], fields.get("id", "")))
                self.times.append(time.monotonic())
                self.news.notify_all()

    @property
    def versions(self) -> list[str]:
        return [data for name, data, _ in self.events if name == "version"]

    async def until(self, true, seconds: float = 10) -> Listener:
        """Wait until ``true(self)``, or fail and list the events that came."""
        try:
            async with asyncio.timeout(seconds), self.news:
                await self.news.wait_for(lambda: true(self))
        except TimeoutError:
            raise AssertionError(f"not within {seconds} s; came: {self.events[-5:]}, ended: {self.ended}") from None
        return self

    async def hears(self, version: object, seconds: float = 10) -> Listener:
        return await self.until(lambda self: self.versions[-1:] == [str(version)], seconds)

    def drop(self) -> None:
        """Lose the network without closing the connection."""
        if self.writer:
            self.writer.transport.abort()
        if self.task:
            self.task.cancel()


async def fetch(
    port: int, path: str, cookie: str, *, post: str | None = None, headers: str = ""
) -> tuple[int, dict[str, str], str]:
    """One request over a new connection: (status, headers, body)."""
    status, answer_headers, body = await fetch_bytes(port, path, cookie, post=post, headers=headers)
    return status, answer_headers, body.decode()


async def fetch_bytes(
    port: int, path: str, cookie: str, *, post: str | None = None, headers: str = ""
) -> tuple[int, dict[str, str], bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    method = "GET" if post is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n{headers}"
    if post is not None:
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(post.encode())}\r\n"
    writer.write(f"{head}\r\n{post or ''}".encode())
    answer = await reader.read()
    writer.close()
    top, _, body = answer.partition(b"\r\n\r\n")
    lines = top.decode().split("\r\n")
    answer_headers: dict[str, str] = {}
    for name, value in (line.split(": ", 1) for line in lines[1:] if line):
        name = name.lower()
        if name == "set-cookie":  # as a browser would send them back
            value = "; ".join(filter(None, (answer_headers.get(name), value.split(";")[0])))
        answer_headers[name] = value
    return int(lines[0].split()[1]), answer_headers, body
