"""The WSGI application behind uvicorn: a2wsgi answers each request in one thread, the event loop sends the files.

A file handed from thread to loop block by block would take the thread for as long as a slow phone needs to read it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

from a2wsgi import WSGIMiddleware

from config.request_limits import AsgiApp, Message, Receive, Send

# One that waits for a lock must not keep others from a page.
THREADS = 16
# Of Django's 4 kB each, read together in one thread call.
BLOCKS_PER_CHUNK = 64
FILES = "companion.files"


class AsgiPages:
    def __init__(self, pages: WSGIApplication) -> None:
        # Its types are those of one server, ours those of any.
        self._app = cast(AsgiApp, WSGIMiddleware(cast(Any, _hand_over_files(pages)), workers=THREADS))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        files: list[FileWrapper] = []

        async def send_unless_a_file_follows(message: Message) -> None:
            if not files or message["type"] == "http.response.start":
                await send(message)

        # WSGI knows no difference between - and _ in a header: a proxy may have set the one, a stranger the other.
        headers = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        await self._app({**scope, "headers": headers, FILES: files}, receive, send_unless_a_file_follows)
        for file in files:
            try:
                await _send_file(iter(file) if scope["method"] != "HEAD" else iter(()), send)
            finally:
                await asyncio.to_thread(file.close)


def _hand_over_files(pages: WSGIApplication) -> WSGIApplication:
    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answered = pages({**environ, "wsgi.file_wrapper": FileWrapper}, start_response)
        if not isinstance(answered, FileWrapper):
            return answered
        environ["asgi.scope"][FILES].append(answered)
        return ()

    return answer


async def _send_file(blocks: Iterator[bytes], send: Send) -> None:
    while chunk := await asyncio.to_thread(lambda: b"".join(islice(blocks, BLOCKS_PER_CHUNK))):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
