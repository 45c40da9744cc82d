"""Clients that send a byte now and then: heads that never end, and bodies that were promised."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator

HEAD = b"GET / HTTP/1.1\r\nHost: mice.example.org\r\nX-Slow: "
BODY = b"POST %s HTTP/1.1\r\nHost: mice.example.org\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\nx"
EVERY = 2.0


def slow_body(path: str, promised: int) -> bytes:
    return BODY % (path.encode(), promised)


def unverified() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def connect_with_tls(port: int, patience: float) -> ssl.SSLSocket:
    """With the name of the site in the handshake, which the certificate is found by."""
    plain = socket.create_connection(("127.0.0.1", port), patience)
    return unverified().wrap_socket(plain, server_hostname="mice.example.org")


@contextlib.contextmanager
def slow_crowd(port: int, begins: list[bytes], *, tls: bool = False) -> Iterator[Callable[[], int]]:
    """One connection for each beginning, all open before the block; who is sent away comes back. Gives how often."""
    over, returned = threading.Event(), 0

    def connect(begin: bytes) -> socket.socket:
        connection = connect_with_tls(port, 30) if tls else socket.create_connection(("127.0.0.1", port), 30)
        connection.sendall(begin)
        return connection

    def drip() -> None:
        nonlocal returned
        while not over.wait(EVERY):
            for number, begin in enumerate(begins):
                if over.is_set():
                    return
                try:
                    connections[number].sendall(b"x")
                except OSError:
                    connections[number].close()
                    with contextlib.suppress(OSError):
                        connections[number] = connect(begin)
                        returned += 1

    connections = [connect(begin) for begin in begins]
    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    try:
        yield lambda: returned
    finally:
        over.set()
        thread.join(60)
        for connection in connections:
            connection.close()


def seconds_for_healthz(port: int, *, tls: bool = False, patience: float = 60) -> float:
    begin = time.monotonic()
    if tls:
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=patience, context=unverified())
        connection.sock = connect_with_tls(port, patience)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    with contextlib.closing(connection):
        connection.request("GET", "/healthz", headers={"Host": "mice.example.org"})
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"ok\n")
    return time.monotonic() - begin


def slowest_healthz(port: int, seconds: float, *, tls: bool = False) -> float:
    """Asked four times a second for so long."""
    end, slowest = time.monotonic() + seconds, 0.0
    while time.monotonic() < end:
        slowest = max(slowest, seconds_for_healthz(port, tls=tls))
        time.sleep(0.25)
    return slowest
