"""The body of an event stream, around Django instead of inside it.

Django answers who may watch, with all its middleware, and is then done: its thread ends and its database connection
closes before the first byte is streamed. Inside Django each stream would hold a thread for as long as it is open.

config/asgi.py wraps Django in it.
"""

import asyncio
import contextlib
import random
import signal
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from live.hub import HUB, Hub, Subscriber
from pages.api.schema import register_feed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

PREFIX = "/live/"
HEARTBEAT = 15.0
# A viewer who lost the right to watch is gone within a minute.
ASK_AGAIN = 40.0
# Two hundred phones that come back at once ask a few at a time, so that they do not take two hundred threads.
ASK_AT_ONCE = 8
# Open streams ask again and again: fewer at a time, so that whoever comes does not wait for them.
ASK_AGAIN_AT_ONCE = 2
# A reader that takes nothing for so long is not there any more.
STUCK = 30.0


class StreamRequest:
    """Travels with the request through Django; the view marks it once the viewer is allowed in."""

    def __init__(self, hub: Hub, loop: asyncio.AbstractEventLoop, *, is_open: bool = False) -> None:
        self._hub = hub
        self._loop = loop
        self.is_open = is_open
        # Those of the address that the viewer may watch.
        self.logs: tuple[int, ...] = ()
        self.versions: dict[int, int] = {}
        self.subscriber: Subscriber | None = None

    def subscribe(self, *, owner: str, page: str, stranger_at: str = "") -> None:
        """Called in the view's thread, before it reads the versions: subscribe first, then read. Raises HubFull."""
        asyncio.run_coroutine_threadsafe(self._subscribe(owner, page, stranger_at), self._loop).result(5)

    async def _subscribe(self, owner: str, page: str, stranger_at: str) -> None:
        self.subscriber = self._hub.subscribe(self.logs, owner=owner, page=page, stranger_at=stranger_at)


class Streams:
    """An ASGI application: event streams are written here, everything else is Django's."""

    def __init__(self, app: App, *, hub: Hub = HUB, heartbeat: float = HEARTBEAT, ask_again: float = ASK_AGAIN) -> None:
        self._app = app
        self._hub = hub
        self._heartbeat = heartbeat
        self._ask_again = ask_again
        self._asking = asyncio.Semaphore(ASK_AT_ONCE)
        self._asking_again = asyncio.Semaphore(ASK_AGAIN_AT_ONCE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith(PREFIX):
            await self._live(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _live(self, scope: Message, receive: Receive, send: Send) -> None:
        ticket = StreamRequest(self._hub, asyncio.get_running_loop())
        try:
            answer = await self._ask(scope, ticket)
            if ticket.subscriber is None or answer[0]["status"] != 200:
                for message in answer:
                    await send(message)
                return
            head = dict(answer[0])
            head["headers"] = [pair for pair in head["headers"] if pair[0].lower() != b"content-length"]
            await send(head)
            await self._stream(scope, ticket, receive, send)
        finally:
            if ticket.subscriber is not None:
                self._hub.unsubscribe(ticket.subscriber)

    async def _ask(self, scope: Message, ticket: StreamRequest) -> list[Message]:
        """Django's whole answer to this request. ``ticket`` says whether the viewer is allowed in."""
        answer: list[Message] = []
        body: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if body:
                return body.pop()
            await asyncio.Event().wait()  # the real connection is watched while streaming, not while asking
            raise AssertionError

        async def send(message: Message) -> None:
            answer.append(message)

        async with self._asking_again if ticket.is_open else self._asking:
            await self._app({**scope, "live.ticket": ticket}, receive, send)
        return answer

    async def _still_allowed(self, scope: Message, logs: tuple[int, ...]) -> bool:
        ticket = StreamRequest(self._hub, asyncio.get_running_loop(), is_open=True)
        answer = await self._ask(scope, ticket)
        # A site that stumbles says nothing about who may watch, and the stream tells nothing secret: ask later.
        return not answer or answer[0]["status"] >= 500 or ticket.logs == logs

    async def _stream(self, scope: Message, ticket: StreamRequest, receive: Receive, send: Send) -> None:
        subscriber, versions = ticket.subscriber, ticket.versions
        assert subscriber is not None
        now = asyncio.get_running_loop().time

        async def write(text: str) -> None:
            async with asyncio.timeout(STUCK):
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})

        leaving = asyncio.create_task(_wait_for_disconnect(receive, subscriber))
        try:
            # Spread out, so that a restart does not bring everyone back in the same moment.
            await write(f"retry: {random.randint(1000, 3000)}\n\n")
            if _header(scope, b"last-event-id") != _event_id(subscriber.logs, versions):
                for log_id in subscriber.logs:
                    await write(_event(subscriber.logs, versions, log_id))
            ask_at = now() + self._ask_again * random.uniform(0.75, 1.25)
            beat_at = now() + self._heartbeat
            while not subscriber.over:
                news = await subscriber.next(max(0.0, min(ask_at, beat_at) - now()))
                for log_id, version in news.items():
                    if versions.get(log_id) != version:
                        versions[log_id] = version
                        await write(_event(subscriber.logs, versions, log_id))
                if subscriber.over:
                    break
                if now() >= beat_at:
                    # The comment keeps proxies awake; the event lets the page notice a connection that died silently.
                    await write(": still here\nevent: beat\ndata: 1\n\n")
                    beat_at = now() + self._heartbeat
                if now() >= ask_at:
                    if not await self._still_allowed(scope, subscriber.logs):
                        break
                    ask_at = now() + self._ask_again * random.uniform(0.75, 1.25)
            if subscriber.over == "crowded":
                # The browser comes back by itself; at once it would push out the stream that pushed it out.
                await write("retry: 30000\n\n")
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            pass
        finally:
            leaving.cancel()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """uvicorn sends "shutdown" only once every connection has closed; open streams never close by themselves."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._end_streams_on_signals()
                await send({"type": "lifespan.startup.complete"})
            else:
                self._hub.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _end_streams_on_signals(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)

            def handle(sig: int, frame: Any, before: Any = before) -> None:
                self._hub.shutdown()
                if callable(before):
                    before(sig, frame)

            with contextlib.suppress(ValueError):
                signal.signal(number, handle)


async def _wait_for_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.end("gone")


def _event(logs: tuple[int, ...], versions: dict[int, int], log_id: int) -> str:
    """One log: the version alone. Several on one stream: which log it is, too."""
    data = str(versions[log_id]) if len(logs) == 1 else f"{log_id}={versions[log_id]}"
    return f"id: {_event_id(logs, versions)}\nevent: version\ndata: {data}\n\n"


def _event_id(logs: tuple[int, ...], versions: dict[int, int]) -> str:
    if len(logs) == 1:
        return str(versions[logs[0]])
    return ",".join(f"{log_id}={versions[log_id]}" for log_id in logs)


def _header(scope: Message, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


# ── The event stream, for the API's schema ───────────────────────────────────────────────────────────────


def register_stream_schema() -> None:
    sentence = "News that something has changed: its log and new version, and nothing else. Then ask for it again."
    register_feed(
        "/live/{logs}/",
        {
            "operationId": "live_stream",
            "summary": "Server-sent events about logs you can see",
            "description": sentence,
            "tags": ["feeds"],
            "security": [{"token": []}, {"session": []}, {}],
            "parameters": [
                {
                    "name": "logs",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string"},
                    "description": "from the field “live” of an answer; up to twenty, separated by commas",
                }
            ],
            "responses": {
                "200": {"description": sentence, "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                "404": {"description": "There is no such log that you can see."},
                "503": {"description": "Too many streams are open. Retry-After says when to try again."},
            },
        },
    )
