"""How much a request may send and how long it may take, before Django sees it.

Django keeps a whole body, on disk if it is large, before it knows whether anything is at the address. Here a body is
cut off at what its view accepts, and ends when it comes too slowly. Only people whom the site knows by the head of the
request, its cookie or token, send more than a small form.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from typing import IO, Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, InterfaceError, close_old_connections, connections
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from config.servers.deadlines import Deadline
from pages.middleware.request_cleaning import BODY_LIMIT, BODY_SIZE, drop_broken_cookies, max_body_of

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

# Where nothing takes a body, and for people the site does not know.
SMALL = 64 * 1024
# What is too large is still read so far, and thrown away, so that the browser gets to see the sentence about it.
DISCARDED = 32 * 1024 * 1024
# A phone in a cellar sends at least this many bytes per second, after some time to begin.
SLOWEST = 16 * 1024
PATIENCE = 20.0
# What a stranger sends in vain has to come as fast as from a proxy that has it already.
SLOWEST_IN_VAIN = 4 * 1024 * 1024
PATIENCE_IN_VAIN = 1.0
# Half of gunicorn's threads in a process may wait for bodies for longer than this.
SLOW = 1.0
SLOW_AT_ONCE = 3
SPOOLED = 1024 * 1024
CHUNK = 8 * 1024
TOO_SLOW = b"The request came too slowly. Try again."


def max_body_at(method: str, path: str) -> int:
    if method in ("GET", "HEAD", "OPTIONS"):
        return SMALL
    try:
        return max_body_of(resolve(path).func)
    except Resolver404:
        return SMALL


def seconds_for(received: int, *, in_vain: bool = False) -> float:
    """How long a body may take of which so much has come."""
    return PATIENCE_IN_VAIN + received / SLOWEST_IN_VAIN if in_vain else PATIENCE + received / SLOWEST


def is_known(request: HttpRequest) -> bool:
    """Whether the head of a request shows somebody who may send more than a small form."""
    from people.accounts.log_ins import attach_requester
    from people.api_tokens.token_sessions import TokenSessionMiddleware

    drop_broken_cookies(request)
    if settings.SESSION_COOKIE_NAME not in request.COOKIES and "Authorization" not in request.headers:
        return False
    try:
        close_old_connections()
        TokenSessionMiddleware(lambda _: HttpResponse()).process_request(request)
        attach_requester(request)
        return request.who.is_known or bool(request.who.passes)
    except (DatabaseError, InterfaceError):
        return True  # Django will say that the database is away


class TooSlow(Exception):
    """The rest of the body did not come in time."""


class AsgiLimits:
    def __init__(self, app: AsgiApp) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _sends_a_body(scope):
            await self._app(scope, receive, send)
            return
        announced = _announced(scope)
        most = SMALL if 0 <= announced <= SMALL else max_body_at(scope["method"], scope["path"])
        knows = most > SMALL and await asyncio.to_thread(_is_known_in_thread, scope)
        body = _AsgiBody(scope, receive, announced, most if knows else min(most, SMALL), is_known=knows)
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


def _is_known_in_thread(scope: Message) -> bool:
    try:
        return is_known(ASGIRequest(scope, io.BytesIO()))
    finally:
        connections.close_all()


class _AsgiBody:
    def __init__(self, scope: Message, receive: Receive, announced: int, most: int, *, is_known: bool) -> None:
        self.scope = {**scope, BODY_SIZE: 0, BODY_LIMIT: most}
        self._receive = receive
        self._announced = announced
        self._most = most
        self._is_known = is_known
        self._begin = asyncio.get_running_loop().time()
        self._received = 0
        self._is_whole = False
        self.is_too_slow = False

    async def receive(self) -> Message:
        if self._is_whole:  # from here on it only tells when the browser leaves
            return await self._receive()
        while True:
            in_vain = not self._is_known and max(self._received, self._announced) > self._most
            try:
                async with asyncio.timeout_at(self._begin + seconds_for(self._received, in_vain=in_vain)):
                    message = await self._receive()
            except TimeoutError:
                if in_vain:
                    return self._end_early()
                self.is_too_slow = True
                return {"type": "http.disconnect"}
            if message["type"] != "http.request":
                return message
            self._received += len(message.get("body", b""))
            self.scope[BODY_SIZE] = self._received
            self._is_whole = not message.get("more_body", False)
            if self._received <= self._most:
                return message
            if self._is_whole or self._received > self._most + DISCARDED:
                return self._end_early()

    def _end_early(self) -> Message:
        """For a view that will not look at it."""
        self._is_whole = True
        self.scope[BODY_SIZE] = max(self._received, self._announced)
        return {"type": "http.request", "body": b"", "more_body": False}


def _announced(scope: Message) -> int:
    """How many bytes the head promises; −1 if it does not say."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    return int(length) if b"transfer-encoding" not in headers and length.isdigit() and len(length) < 16 else -1


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
        announced = _announced_to_wsgi(environ)
        # Every view takes a small body, and looking for its limit costs as much as Django's own look.
        is_small = 0 <= announced <= SMALL
        most = SMALL if is_small else max_body_at(environ["REQUEST_METHOD"], environ.get("PATH_INFO", "/"))
        knows = most > SMALL and is_known(WSGIRequest({**environ, "wsgi.input": io.BytesIO()}))
        limit = most if knows else min(most, SMALL)
        with tempfile.SpooledTemporaryFile(SPOOLED) as body:
            try:
                size = _read_body(environ, body, announced, limit, is_known=knows)
            except (TooSlow, OSError):
                start_response("408 Request Timeout", [("Content-Type", "text/plain"), ("Connection", "close")])
                return [TOO_SLOW]
            body.seek(0)
            kept = 0 if size > limit else size
            sizes = {"CONTENT_LENGTH": str(kept), BODY_SIZE: size, BODY_LIMIT: limit}
            # A view has read what it wants of the body by the time it answers; only files are streamed after that.
            return self._app({**environ, "wsgi.input": body, **sizes}, start_response)


def _announced_to_wsgi(environ: WSGIEnvironment) -> int:
    """gunicorn reads no more than this; −1 if the head does not say how much."""
    length = environ.get("CONTENT_LENGTH") or ""
    is_number = length.isascii() and length.isdecimal() and len(length) < 16
    return int(length) if is_number and "HTTP_TRANSFER_ENCODING" not in environ else -1


def _read_body(environ: WSGIEnvironment, body: IO[bytes], announced: int, most: int, *, is_known: bool) -> int:
    """How many bytes came, or would have come; ``body`` has at most as many as allowed."""
    source, size = environ["wsgi.input"], 0
    begin = time.monotonic()
    in_vain = not is_known and announced > most
    with _deadline(environ.get("gunicorn.socket"), seconds_for(0, in_vain=in_vain)) as (deadline, is_over):
        while size <= most + DISCARDED and (chunk := source.read(CHUNK)):
            size += len(chunk)
            if size <= most:
                body.write(chunk)
            in_vain = in_vain or (not is_known and size > most)
            deadline.due = begin + seconds_for(size, in_vain=in_vain)
    if in_vain:
        return max(size, announced)
    if is_over.is_set():
        raise TooSlow
    return size


# When each body that this process is reading was begun.
_reading: dict[object, float] = {}


@contextlib.contextmanager
def _deadline(connection: socket.socket | None, seconds: float) -> Iterator[tuple[Deadline, threading.Event]]:
    """Reading from the socket ends when the deadline is over, however little came; the answer can still be sent.

    It ends sooner if many others are slow too: a thread that waits for a body answers nobody.
    """
    is_over, this, begin = threading.Event(), object(), time.monotonic()

    def end() -> None:
        is_over.set()
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)

    def end_if_crowded() -> None:
        if sum(other < begin for other in list(_reading.values())) >= SLOW_AT_ONCE:
            end()

    _reading[this] = begin
    deadlines = Deadline(seconds, end), Deadline(SLOW, end_if_crowded)
    try:
        yield deadlines[0], is_over
    finally:
        for deadline in deadlines:
            deadline.cancel()
        del _reading[this]
