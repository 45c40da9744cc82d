"""How much a request may send and how long it may take, before Django sees it.

Django keeps a whole body, on disk if it is large, before it knows whether anything is at the address. Here a body is
cut off at what its view accepts, and a request that comes too slowly ends. Nobody has to log in to send a request.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from typing import IO, Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.urls import Resolver404, resolve

from config.servers.deadlines import Deadline
from pages.middleware.request_cleaning import BODY_SIZE, max_body_of

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

# Where nothing takes a body.
SMALL = 64 * 1024
# What is too large is still read so far, and thrown away, so that the browser gets to see the sentence about it.
DISCARDED = 32 * 1024 * 1024
# A phone in a cellar sends at least this many bytes per second, after some time to begin.
SLOWEST = 16 * 1024
PATIENCE = 20.0
SPOOLED = 1024 * 1024
CHUNK = 64 * 1024
TOO_SLOW = b"The request came too slowly. Try again."


def max_body_at(method: str, path: str) -> int:
    if method in ("GET", "HEAD", "OPTIONS"):
        return SMALL
    try:
        return max_body_of(resolve(path).func)
    except Resolver404:
        return SMALL


def seconds_for(size: int) -> float:
    return PATIENCE + size / SLOWEST


class TooSlow(Exception):
    """The rest of the body did not come in time."""


class AsgiLimits:
    def __init__(self, app: AsgiApp) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _sends_a_body(scope):
            await self._app(scope, receive, send)
            return
        body = _AsgiBody(scope, receive)
        answered = False

        async def send_on(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        await self._app(body.scope, body.receive, send_on)
        if body.is_too_slow and not answered:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": 408, "headers": headers})
            await send({"type": "http.response.body", "body": TOO_SLOW})


class _AsgiBody:
    def __init__(self, scope: Message, receive: Receive) -> None:
        self.scope = {**scope, BODY_SIZE: 0}
        self._receive = receive
        self._most = max_body_at(scope["method"], scope["path"])
        self._ends_at = asyncio.get_running_loop().time() + seconds_for(self._most)
        self._is_whole = False
        self.is_too_slow = False

    async def receive(self) -> Message:
        if self._is_whole:  # from here on it only tells when the browser leaves
            return await self._receive()
        while True:
            try:
                async with asyncio.timeout_at(self._ends_at):
                    message = await self._receive()
            except TimeoutError:
                self.is_too_slow = True
                return {"type": "http.disconnect"}
            if message["type"] != "http.request":
                return message
            self.scope[BODY_SIZE] += len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False) or self.scope[BODY_SIZE] > self._most + DISCARDED
            if self.scope[BODY_SIZE] <= self._most:
                return message
            if self._is_whole:
                return {"type": "http.request", "body": b"", "more_body": False}


def _sends_a_body(scope: Message) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


class WsgiLimits:
    """For gunicorn, which gives the socket along: reads the body first, with a limit of bytes and of time."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("CONTENT_LENGTH") in (None, "", "0") and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._app(environ, start_response)
        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "/")
        most = SMALL if _is_surely_small(environ) else max_body_at(method, path)
        with tempfile.SpooledTemporaryFile(SPOOLED) as body:
            try:
                size = _read_body(environ, body, most)
            except (TooSlow, OSError):
                start_response("408 Request Timeout", [("Content-Type", "text/plain"), ("Connection", "close")])
                return [TOO_SLOW]
            body.seek(0)
            kept = 0 if size > most else size
            given = {**environ, "wsgi.input": body, "CONTENT_LENGTH": str(kept), BODY_SIZE: size}
            # A view has read what it wants of the body by the time it answers; only files are streamed after that.
            return self._app(given, start_response)


def _is_surely_small(environ: WSGIEnvironment) -> bool:
    """gunicorn reads no more than was announced. Every view takes so much, and looking for it costs as much as Django's
    own look."""
    announced = environ.get("CONTENT_LENGTH") or ""
    is_chunked = "HTTP_TRANSFER_ENCODING" in environ
    return not is_chunked and len(announced) <= 9 and announced.isdecimal() and int(announced) <= SMALL


def _read_body(environ: WSGIEnvironment, body: IO[bytes], most: int) -> int:
    """How many bytes came; ``body`` has at most as many as allowed."""
    source, size = environ["wsgi.input"], 0
    with _deadline(environ.get("gunicorn.socket"), seconds_for(most)) as is_over:
        while size <= most + DISCARDED and (chunk := source.read(CHUNK)):
            size += len(chunk)
            if size <= most:
                body.write(chunk)
        if is_over.is_set():
            raise TooSlow
    return size


@contextlib.contextmanager
def _deadline(connection: socket.socket | None, seconds: float) -> Iterator[threading.Event]:
    """Reading from the socket ends after so many seconds, however little comes; the answer can still be sent."""
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)

    deadline = Deadline(seconds, end)
    try:
        yield is_over
    finally:
        deadline.cancel()
