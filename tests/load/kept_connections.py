"""The connections of a proxy to the site: shared by all phones, kept if the site keeps them, and opened anew if not.

A phone keeps its connection to the proxy; behind it a request takes the connection that was free last, as in nginx.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

Headers = dict[str, str]


@dataclass
class Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    is_fresh: bool = True

    async def ask(self, request: bytes) -> tuple[int, Headers, bytes]:
        self.writer.write(request)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(lines[0].split()[1])
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:] if line)}
        return status, headers, await self._read_body(status, headers)

    async def _read_body(self, status: int, headers: Headers) -> bytes:
        if status in (204, 304):
            return b""
        if "content-length" in headers:
            return await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await self.reader.read()
        body = b""
        while size := int((await self.reader.readline()).strip(), 16):
            body += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readline()
        return body


@dataclass
class KeptConnections:
    """A second request at the same time opens a second connection. So many are kept while nobody needs them."""

    port: int
    most_idle: int = 32
    opened: int = 0
    _idle: list[Connection] = field(default_factory=list)

    async def fetch(
        self, path: str, cookie: str, *, post: str | None = None, headers: str = ""
    ) -> tuple[int, Headers, bytes]:
        """(status, headers, body). A kept connection that the server has closed meanwhile is replaced, once."""
        method = "GET" if post is None else "POST"
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {cookie}\r\n{headers}"
        if post is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(post.encode())}\r\n"
        request = f"{head}\r\n{post or ''}".encode()
        while True:
            connection = self._idle.pop() if self._idle else await self._open()
            try:
                answer = await connection.ask(request)
            except (asyncio.IncompleteReadError, ConnectionError) as error:
                connection.writer.close()
                nothing_came = not getattr(error, "partial", b"")
                if connection.is_fresh or not nothing_came:
                    raise ConnectionError("no whole answer") from error
                continue
            connection.is_fresh = False
            is_over = answer[1].get("connection", "").lower() == "close" or connection.reader.at_eof()
            if is_over or len(self._idle) >= self.most_idle:
                connection.writer.close()
            else:
                self._idle.append(connection)
            return answer

    async def _open(self) -> Connection:
        self.opened += 1
        return Connection(*await asyncio.open_connection("127.0.0.1", self.port))

    def close(self) -> None:
        for connection in self._idle:
            connection.writer.close()
        self._idle.clear()
