"""The connections of a load run are kept as far as the site keeps them, as a proxy does."""

from __future__ import annotations

import asyncio

import pytest

from tests.live.run_async import alone
from tests.load.kept_connections import KeptConnections

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
UNCHANGED = b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"


async def fetch_from(answers: list[bytes], times: int) -> tuple[list[tuple[int, bytes]], int]:
    """What came, and over how many connections. A server gives these answers on each connection, then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            if not await reader.readline():
                break
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    connections = KeptConnections(server.sockets[0].getsockname()[1])
    came = []
    for _ in range(times):
        status, _, body = await connections.fetch("/", "cookie")
        came.append((status, body))
        await asyncio.sleep(0.01)
    connections.close()
    server.close()
    return came, connections.opened


@pytest.mark.parametrize(
    ("answers", "opened"),
    [([PLAIN, CHUNKED, PLAIN], 1), ([PLAIN, PLAIN], 2), ([CLOSING], 3)],
    ids=["kept", "closed by the server meanwhile", "announced as closing"],
)
@alone
async def test_connection_is_kept_until_the_server_closes_it(answers, opened):
    assert await fetch_from(answers, 3) == ([(200, b"ok")] * 3, opened)


@alone
async def test_answer_without_a_body_leaves_the_connection_open():
    assert await fetch_from([UNCHANGED, PLAIN], 2) == ([(304, b""), (200, b"ok")], 1)


@alone
async def test_new_connection_without_an_answer_is_an_error():
    with pytest.raises(ConnectionError):
        await fetch_from([], 1)
