"""300 slow heads and 60 slow bodies: the site answers others meanwhile, in every set-up that the README describes."""

from __future__ import annotations

import contextlib
import http.client
from collections.abc import Iterator

import pytest

from tests.proxies import PROXIES, running_proxy
from tests.site.production_site import commands, is_server, wait_until
from tests.slow_clients import (
    HEAD,
    connect_with_tls,
    seconds_for_healthz,
    slow_body,
    slow_crowd,
    slowest_healthz,
    unverified,
)

MEGABYTE = 1024 * 1024
PHOTOS = "/api/v1/battles/abcd/photos/"
CROWD = [HEAD] * 300 + [slow_body("/log-in/", 60_000)] * 30 + [slow_body(PHOTOS, 15 * MEGABYTE)] * 30
DURATIONS = [pytest.param(10, id="short"), pytest.param(90, id="long", marks=pytest.mark.soak)]


@pytest.mark.clock
@pytest.mark.parametrize("seconds", DURATIONS)
def test_one_process_answers_beside_slow_clients(make_site, seconds):
    site = make_site()
    seconds_for_healthz(site.port)
    alone = slowest_healthz(site.port, 2)
    with slow_crowd(site.port, CROWD):
        assert slowest_healthz(site.port, seconds) < max(1, alone * 10)


@pytest.mark.clock
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("seconds", DURATIONS)
@pytest.mark.parametrize("proxy", PROXIES)
def test_three_processes_answer_beside_slow_clients(production, tmp_path, proxy, seconds):
    for line in filter(is_server, commands()):
        production.start(line)
    for port in production.ports:
        wait_until(lambda port=port: production.is_up(port), f"port {port}")
    with running_proxy(proxy, tmp_path / proxy, production.ports) as port:
        seconds_for_healthz(port, tls=True)
        alone = slowest_healthz(port, 2, tls=True)
        with slow_crowd(port, CROWD, tls=True):
            assert slowest_healthz(port, seconds, tls=True) < max(1, alone * 10)


@pytest.mark.postgres
@pytest.mark.redis
def test_bodies_and_their_refusals_come_through_the_proxies(production, tmp_path):
    production.start(next(filter(is_server, commands())))
    wait_until(lambda: production.is_up("8000"), "gunicorn")
    for proxy in PROXIES:
        with running_proxy(proxy, tmp_path / proxy, production.ports) as port:
            for path, refused in (("/api/v1/log-in/", (403, b"Log in first")), ("/api/v1/nothing/", (404, b"nothing"))):
                status, text = post(port, path, b"a" * MEGABYTE)
                assert (status, refused[1] in text) == (refused[0], True), (proxy, text)
            # Without a length: nginx adds it, Caddy does not.
            status, text = post(port, "/api/v1/log-in/", iter([b"{", b"}"]))
            assert (status == 411, status >= 500) == (proxy == "caddy", False), (proxy, status, text)


def post(port: int, path: str, body: bytes | Iterator[bytes]) -> tuple[int, bytes]:
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=unverified())
    connection.sock = connect_with_tls(port, 60)
    with contextlib.closing(connection):
        connection.request("POST", path, body, {"Host": "mice.example.org", "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()


@pytest.mark.postgres
@pytest.mark.redis
def test_gunicorn_without_a_proxy_is_back_when_slow_clients_have_left(production):
    """Nothing holds before that: whoever reaches it can stop it, which is why it warns (tests/ops/test_deploy.py)."""
    production.start(next(filter(is_server, commands())))
    wait_until(lambda: production.is_up("8000"), "gunicorn")
    port = int(production.ports["8000"])
    with slow_crowd(port, [HEAD] * 30 + [slow_body("/log-in/", 60_000)] * 30):
        pass
    seconds_for_healthz(port)
