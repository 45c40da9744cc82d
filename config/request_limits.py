"""Requests reach Django whole: uvicorn's bodies are read here first, with a limit of bytes and of time.

Reading them takes no thread, so whoever sends slowly stops nobody. Only what the address takes from its sender is kept
(``pages.request_middleware`` then says what is wrong with the rest). gunicorn has a proxy in front that does
the same.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from itertools import islice
from typing import IO, Any, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.urls import Resolver404, resolve

from pages.request_middleware import SMALL_BODY, drop_broken_cookies, max_body_of, sends_large_bodies

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

# What is too large is still read so far, and thrown away, so that the browser gets to see the sentence about it.
DISCARDED = 32 * 1024 * 1024
# A phone in a cellar sends at least this many bytes per second, after some time to begin.
SLOWEST = 16 * 1024
PATIENCE = 20.0
SPOOLED = 1024 * 1024
CHUNK = 64 * 1024
TOO_SLOW = b"The request came too slowly. Try again."


class BodyLimits:
    def __init__(self, app: AsgiApp) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _sends_a_body(scope):
            await self._app(scope, receive, send)
            return
        announced = _announced(scope)
        # Every view takes a small body.
        is_small = 0 <= announced <= SMALL_BODY
        most = SMALL_BODY if is_small else await asyncio.to_thread(_max_body_in_thread, scope)
        with tempfile.SpooledTemporaryFile(SPOOLED) as body:
            try:
                size = await read_body(receive, body, most)
            except ConnectionError:
                return
            except TimeoutError:
                headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
                await send({"type": "http.response.start", "status": 408, "headers": headers})
                await send({"type": "http.response.body", "body": TOO_SLOW})
                return
            body.seek(0)
            await self._app(_with_length(scope, size), _replay(body, receive), send)


def _max_body_in_thread(scope: Message) -> int:
    try:
        return max_body_from(scope)
    finally:
        connections.close_all()


def max_body_from(scope: Message) -> int:
    """How many bytes the address takes from whoever the head of the request shows."""
    try:
        most = SMALL_BODY if scope["method"] in ("GET", "HEAD", "OPTIONS") else max_body_of(resolve(scope["path"]).func)
    except Resolver404:
        most = SMALL_BODY
    return most if most > SMALL_BODY and is_known(scope) else min(most, SMALL_BODY)


def is_known(scope: Message) -> bool:
    """Whether cookie or token are of somebody who may send more than a small form."""
    from people.accounts.log_ins import attach_requester
    from people.api_tokens.services import TokenSessionMiddleware

    request = HttpRequest()
    request.method, request.path = scope["method"], scope["path"]
    for name, value in scope["headers"]:
        if name in (b"cookie", b"authorization"):
            request.META[f"HTTP_{name.decode().upper()}"] = value.decode("latin-1")
    request.COOKIES = parse_cookie(request.META.get("HTTP_COOKIE", ""))
    drop_broken_cookies(request)
    if settings.SESSION_COOKIE_NAME not in request.COOKIES and "Authorization" not in request.headers:
        return False
    try:
        TokenSessionMiddleware(lambda _: HttpResponse()).process_request(request)
        attach_requester(request)
        return sends_large_bodies(request)
    except (DatabaseError, InterfaceError):
        return True  # Django will say that the database is away


async def read_body(receive: Receive, body: IO[bytes], most: int) -> int:
    """How many bytes came. ``body`` has all of them, or as many as allowed."""
    begin, size = asyncio.get_running_loop().time(), 0
    while size <= most + DISCARDED:
        async with asyncio.timeout_at(begin + PATIENCE + size / SLOWEST):
            message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError("The sender has left.")
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= most:
            body.write(chunk)
        if not message.get("more_body", False):
            break
    return size


def _replay(body: IO[bytes], receive: Receive) -> Receive:
    is_whole = False

    async def replay() -> Message:
        nonlocal is_whole
        if is_whole:  # from here on it only tells when the browser leaves
            return await receive()
        chunk = body.read(CHUNK)
        is_whole = len(chunk) < CHUNK
        return {"type": "http.request", "body": chunk, "more_body": not is_whole}

    return replay


def _with_length(scope: Message, size: int) -> Message:
    """WSGI knows a body by its length only."""
    others = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*others, (b"content-length", b"%d" % size)]}


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


# ── The pages ──────────────────────────────────────────────────────────────────────────────────────────
# The WSGI application behind uvicorn: a2wsgi answers each request in one thread, the event loop sends the files.
#
# A file handed from thread to loop block by block would take the thread for as long as a slow phone needs to read it.


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
