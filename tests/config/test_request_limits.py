"""What strangers can make the servers hold: bodies, and connections that never finish a request."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvicorn
from django.conf import settings

from config import request_limits
from config.gunicorn_worker import ImpatientWorker
from config.request_limits import (
    DISCARDED,
    SLOW_AT_ONCE,
    SMALL,
    AsgiLimits,
    WsgiLimits,
    max_body_at,
    seconds_for,
)
from config.servers.answers_at_once import Places
from config.uvicorn_protocol import ImpatientProtocol
from pages.middleware.request_cleaning import BODY_LIMIT, BODY_SIZE, MAX_BODY
from tests.api_client import Api
from tests.live.run_async import run_alone
from tests.services import ROOT, free_port, is_answering, stop_process, wait_for


@pytest.mark.parametrize(
    ("method", "path", "most"),
    [
        ("GET", "/log-in/", SMALL),
        ("POST", "/log-in/", MAX_BODY),
        ("POST", "/nothing/here/", SMALL),
        ("POST", "/api/v1/people/", MAX_BODY),
    ],
)
def test_body_is_limited_by_what_is_at_the_address(method, path, most):
    assert max_body_at(method, path) == most


# ── uvicorn ──────────────────────────────────────────────────────────────────────────────────────────────


async def send_asgi(
    path: str, pieces: list[bytes], *, method: str = "POST", silent: bool = False, promised: int | None = None
):
    """What an application behind the limits read, what was answered, and how much of the body was taken."""
    left, read, answers = list(pieces), [], []

    async def receive():
        if not left:
            await asyncio.Event().wait() if silent else None
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or silent}

    async def app(scope, receive, send):
        while (message := await receive())["type"] == "http.request":
            read.append(message["body"])
            if not message["more_body"]:
                answers.append(scope[BODY_SIZE])
                break

    async def send(message):
        answers.append(message.get("status", message.get("body")))

    headers = [(b"transfer-encoding", b"chunked") if promised is None else (b"content-length", b"%d" % promised)]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    await AsgiLimits(app)(scope, receive, send)
    return b"".join(read), answers, len(pieces) - len(left)


def test_body_within_the_limit_arrives_whole():
    read, answers, _ = run_alone(send_asgi("/log-in/", [b"a" * 1000, b"b" * 1000]))
    assert (read, answers) == (b"a" * 1000 + b"b" * 1000, [2000])


def test_body_for_nothing_is_not_kept():
    read, answers, taken = run_alone(send_asgi("/nothing/here/", [b"a" * SMALL] * 100))
    assert len(read) == SMALL
    assert answers == [100 * SMALL], "read to its end and thrown away, so that the browser sees the answer"
    assert taken == 100


def test_endless_body_is_cut_off():
    piece = b"a" * (1024 * 1024)
    _, answers, taken = run_alone(send_asgi("/nothing/here/", [piece] * 200))
    assert answers[0] > SMALL + DISCARDED
    assert taken < 40


def test_slow_body_is_answered_and_ended(monkeypatch):
    monkeypatch.setattr(request_limits, "PATIENCE", 0.1)
    monkeypatch.setattr(request_limits, "SLOWEST", 2**40)
    _, answers, _ = run_alone(send_asgi("/log-in/", [b"name="], silent=True))
    assert answers == [408, request_limits.TOO_SLOW]


@contextlib.contextmanager
def uvicorn_server(head_seconds: float):
    class Quick(ImpatientProtocol):
        pass

    Quick.head_seconds = head_seconds

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, http=Quick, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: is_answering(port), 20, "uvicorn")
        yield port
    finally:
        server.should_exit = True
        thread.join(10)


HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def seconds_until_closed(port: int, sent: bytes, *, drip: bytes = b"") -> float:
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(sent)
        begin = time.monotonic()
        connection.settimeout(0.05)
        while time.monotonic() - begin < 20:
            try:
                if not connection.recv(1000):
                    break
            except TimeoutError:
                with contextlib.suppress(OSError):
                    connection.sendall(drip)
            except OSError:
                break
        return time.monotonic() - begin


@pytest.mark.parametrize(
    ("sent", "drip"), [(b"", b""), (b"GET / HT", b""), (HEAD, b"X-A: 1\r\n"), (HEAD + b"\r\n", b"G")]
)
def test_uvicorn_closes_half_sent_requests(sent, drip):
    with uvicorn_server(0.4) as port:
        assert seconds_until_closed(port, sent, drip=drip) < 20


# ── gunicorn ─────────────────────────────────────────────────────────────────────────────────────────────


def call_wsgi(path: str, body: bytes, **more):
    read = {}

    def app(environ, start_response):
        read["body"], read["size"] = environ["wsgi.input"].read(), environ[BODY_SIZE]
        return []

    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        **more,
    }
    WsgiLimits(app)(environ, lambda *answer: None)
    return read


def test_wsgi_bodies_are_limited_too():
    assert call_wsgi("/log-in/", b"a" * 1000) == {"body": b"a" * 1000, "size": 1000}
    assert call_wsgi("/nothing/here/", b"a" * (SMALL * 3))["size"] == SMALL * 3
    assert len(call_wsgi("/nothing/here/", b"a" * (SMALL * 3))["body"]) <= SMALL


def test_small_wsgi_body_is_taken_without_looking_for_its_view(monkeypatch):
    monkeypatch.setattr(request_limits, "resolve", lambda path: pytest.fail("looked for the view"))
    assert call_wsgi("/log-in/", b"a" * SMALL) == {"body": b"a" * SMALL, "size": SMALL}


@pytest.mark.parametrize(
    ("more", "size"),
    [
        ({"CONTENT_LENGTH": str(SMALL + 1)}, SMALL + 1),  # not waited for
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, 11),
        ({"CONTENT_LENGTH": "9" * 5000}, 11),
    ],
)
def test_other_wsgi_bodies_are_limited_by_their_view(monkeypatch, more, size):
    monkeypatch.setattr(request_limits, "max_body_at", lambda method, path: 10)
    assert call_wsgi("/log-in/", b"a" * 11, **more) == {"body": b"", "size": size}


# ── Who sends it ─────────────────────────────────────────────────────────────────────────────────────────

LARGE = b"a" * (SMALL + 1)


def sent_by(client) -> dict[str, str]:
    return {"HTTP_COOKIE": client.cookies.output(header="", sep=";", attrs=[]).strip()}


def size_kept_by_wsgi(**head: str) -> int:
    return len(call_wsgi("/api/v1/tables/decks/take-in/", LARGE, **head)["body"])


@pytest.fixture
def kept_connection(monkeypatch) -> None:
    """As Django's own test client does: a test's connection is in a transaction, which looks like a broken one."""
    monkeypatch.setattr(request_limits, "close_old_connections", lambda: None)


def test_strangers_send_small_bodies_only(db, kept_connection):
    cookie = settings.SESSION_COOKIE_NAME
    heads = ({}, {"HTTP_COOKIE": f"{cookie}=made-up-and-long-enough"}, {"HTTP_COOKIE": f"{cookie}=a\x00b"})
    for head in (*heads, {"HTTP_AUTHORIZATION": "Bearer made-up"}, {"HTTP_AUTHORIZATION": f"Bearer {'a' * 22}"}):
        assert size_kept_by_wsgi(**head) <= SMALL


def test_people_with_a_log_in_or_a_token_send_large_bodies(player, kept_connection):
    assert size_kept_by_wsgi(**sent_by(player.client)) == len(LARGE)
    token = Api.log_in(name="Tam", password="cheese-and-thyme").token
    assert size_kept_by_wsgi(HTTP_AUTHORIZATION=f"Bearer {token}") == len(LARGE)


def test_uvicorn_asks_for_the_sender_too(monkeypatch):
    pieces = [b"a" * SMALL] * 3
    assert len(run_alone(send_asgi("/log-in/", pieces))[0]) == SMALL
    monkeypatch.setattr(request_limits, "is_known", lambda request: True)
    assert len(run_alone(send_asgi("/log-in/", pieces))[0]) == 3 * SMALL


@pytest.mark.parametrize(("size", "status"), [(SMALL + 1, 403), (MAX_BODY + 1, 413)])
def test_refused_body_says_what_to_do(client, db, size, status):
    answer = client.post("/log-in/", {}, **{BODY_SIZE: size, BODY_LIMIT: SMALL})
    assert answer.status_code == status
    assert ("Log in first" if status == 403 else "The limit is") in answer.content.decode()


def test_time_for_a_body_follows_what_came():
    assert seconds_for(0) == 20
    assert seconds_for(160 * 1024) == 30
    assert seconds_for(0, in_vain=True) == 1  # however much was promised


def test_promise_of_a_stranger_is_not_waited_for():
    """uvicorn: the answer is that of the view, which sees that too much was sent."""
    read, answers, _ = run_alone(send_asgi("/log-in/", [b"a"], silent=True, promised=15_000_000))
    assert answers == [15_000_000]
    assert read == b"a"


def slow_reading(opened: contextlib.ExitStack, statuses: list[str]) -> tuple[threading.Thread, socket.socket]:
    """A body of which one byte comes, read in a thread of its own; and the end that sends it."""
    ours, theirs = (opened.enter_context(one) for one in socket.socketpair())
    theirs.sendall(b"n")
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/log-in/",
        "CONTENT_LENGTH": "1000",
        "wsgi.input": opened.enter_context(ours.makefile("rb")),
        "gunicorn.socket": ours,
    }
    app = WsgiLimits(lambda *ask: [])
    thread = threading.Thread(target=app, args=[environ, lambda status, headers: statuses.append(status)])
    thread.start()
    return thread, theirs


def test_slow_bodies_leave_threads_for_others(monkeypatch):
    monkeypatch.setattr(request_limits, "SLOW", 0.1)
    statuses: list[str] = []
    with contextlib.ExitStack() as opened:
        readers = [slow_reading(opened, statuses) for _ in range(SLOW_AT_ONCE + 3)]
        wait_for(lambda: len(statuses) >= 3, 15, "the end of three of them")
        wait_for(lambda: sum(reader.is_alive() for reader, _ in readers) == SLOW_AT_ONCE, 15, "their threads")
        for reader, sender in readers:
            sender.close()
            reader.join(30)
    assert len(statuses) == 3


def test_slow_wsgi_body_is_answered(monkeypatch):
    monkeypatch.setattr(request_limits, "PATIENCE", 0.2)
    monkeypatch.setattr(request_limits, "SLOWEST", 2**40)
    ours, theirs = socket.socketpair()
    theirs.sendall(b"name=")
    statuses = []
    with ours, theirs, ours.makefile("rb") as source:
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/log-in/",
            "CONTENT_LENGTH": "1000",
            "wsgi.input": source,
            "gunicorn.socket": ours,
        }
        answer = WsgiLimits(lambda *ask: pytest.fail("half a body reached Django"))(
            environ, lambda status, headers: statuses.append(status)
        )
    assert statuses == ["408 Request Timeout"]
    assert answer == [request_limits.TOO_SLOW]


@contextlib.contextmanager
def gunicorn_server(var: Path):
    """One worker with two threads, and half a second for the head of a request."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["-k", "tests.config.quick_worker.QuickWorker", "--workers", "1", "--threads", "2"]
    server = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "VAR": str(var), "DEMO": "0"}, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: is_answering(port), 60, "gunicorn")
        yield port
    finally:
        stop_process(server)


def test_gunicorn_closes_half_sent_requests_and_serves_others_meanwhile(tmp_path):
    with gunicorn_server(tmp_path) as port, contextlib.ExitStack() as opened:
        assert seconds_until_closed(port, HEAD) < 20
        for _ in range(6):
            half = opened.enter_context(socket.create_connection(("127.0.0.1", port), 20))
            half.sendall(HEAD)
        whole = opened.enter_context(socket.create_connection(("127.0.0.1", port), 30))
        whole.sendall(HEAD + b"\r\n")
        assert whole.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.clock
def test_silent_connections_hold_no_thread_of_gunicorn_and_are_closed(tmp_path):
    with gunicorn_server(tmp_path) as port, contextlib.ExitStack() as opened:
        ask(port, "/healthz")  # the first request loads what later ones have
        silent = [opened.enter_context(socket.create_connection(("127.0.0.1", port), 20)) for _ in range(6)]
        begin = time.monotonic()
        ask(port, "/healthz")
        assert time.monotonic() - begin < 4  # by itself gunicorn would first wait five seconds for each pair of them
        assert [connection.recv(1) for connection in silent] == [b""] * 6


def test_gunicorn_ends_a_connection_with_its_request(tmp_path):
    """A kept one would stay with its worker, which may be busy while another is free."""
    with gunicorn_server(tmp_path) as port, socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while received := connection.recv(65536):
            answer += received
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer.lower()


def test_busy_worker_leaves_new_connections_to_others(monkeypatch):
    worker, accepted = object.__new__(ImpatientWorker), []
    listener = SimpleNamespace(accept=lambda: accepted.append(1) or (_ for _ in ()).throw(BlockingIOError))
    own = Places(1, 10)
    monkeypatch.setattr("config.gunicorn_worker.places", own)
    place = own.take()
    worker.accept(listener)
    assert not accepted
    own.give_back(place)
    worker.accept(listener)
    assert accepted


@pytest.mark.parametrize(("alive", "left"), [(True, 1), (False, 0)])
def test_silent_connections_do_not_hold_up_the_end_of_gunicorn(alive, left):
    worker = object.__new__(ImpatientWorker)
    worker.alive, worker.nr_conns, worker.poller = alive, 1, selectors.DefaultSelector()
    ours, theirs = socket.socketpair()
    with worker.poller, ours, theirs:
        silent = SimpleNamespace(sock=ours, timeout=time.monotonic() + 60, close=ours.close)
        worker.poller.register(ours, selectors.EVENT_READ)
        worker.pending_conns = deque([silent])
        worker.murder_pending()
        assert worker.nr_conns == len(worker.pending_conns) == left


def ask(port: int, path: str) -> None:
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
