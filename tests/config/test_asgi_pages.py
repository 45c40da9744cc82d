"""Pages behind uvicorn as it comes: files, refused bodies and headers, with a small application instead of Django."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading

import pytest
import uvicorn

from config.request_limits import THREADS, AsgiPages, BodyLimits
from tests.services import free_port, is_answering, wait_for

MEGABYTE = 1024 * 1024


class Pages:
    def __init__(self, path) -> None:
        self.path = path
        self.opened = []

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] == "/file":
            self.opened.append(self.path.open("rb"))
            start_response("200 OK", [("Content-Length", str(self.path.stat().st_size))])
            return environ["wsgi.file_wrapper"](self.opened[-1], 4096)
        text = f"{environ.get('CONTENT_LENGTH')} {environ.get('HTTP_X_FORWARDED_FOR')} {environ['wsgi.input'].read()!r}"
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [text.encode()]


@pytest.fixture
def pages(tmp_path):
    path = tmp_path / "big.bin"
    path.write_bytes(bytes(range(256)) * (8 * MEGABYTE // 256) + b"end")
    return Pages(path)


@pytest.fixture
def port(pages):
    port = free_port()
    config = uvicorn.Config(BodyLimits(AsgiPages(pages)), port=port, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: is_answering(port), 20, "uvicorn")
        yield port
    finally:
        server.force_exit = server.should_exit = True
        thread.join(10)


def ask(port: int, path: str, body: bytes | None = None, *, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_file_arrives_whole_and_is_closed(port, pages):
    assert ask(port, "/file") == (200, pages.path.read_bytes())
    assert ask(port, "/file", method="HEAD") == (200, b"")
    wait_for(lambda: all(file.closed for file in pages.opened), 20, "the end of the files")


@pytest.mark.clock
def test_slow_readers_of_files_take_no_threads(port):
    with contextlib.ExitStack() as opened:
        for _ in range(2 * THREADS):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            connection.sendall(b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(1)
        assert ask(port, "/")[0] == 200


def test_answer_to_a_body_that_is_too_large_arrives(port):
    assert ask(port, "/nothing/here/", b"a" * 10 * MEGABYTE, method="POST") == (200, b"%d None b''" % (10 * MEGABYTE))


def test_body_without_a_length_gets_one(port):
    assert ask(port, "/log-in/", iter([b"a" * 10, b"b" * 10]), method="POST") == (
        200,
        b"20 None b'aaaaaaaaaabbbbbbbbbb'",
    )


def test_header_with_an_underscore_does_not_pass_for_that_of_a_proxy(port):
    assert ask(port, "/", **{"X_Forwarded_For": "10.0.0.1"}) == (200, b"None None b''")
    assert ask(port, "/", **{"X-Forwarded-For": "10.0.0.1"}) == (200, b"None 10.0.0.1 b''")
