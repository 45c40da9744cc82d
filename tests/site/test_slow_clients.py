"""300 slow heads and 60 slow bodies: the site answers others meanwhile, in every set-up that the README describes."""

from __future__ import annotations

import pytest

from tests.proxies import PROXIES, running_proxy
from tests.site.production_site import commands, is_server, wait_until
from tests.slow_clients import HEAD, seconds_for_healthz, slow_body, slow_crowd, slowest_healthz

MEGABYTE = 1024 * 1024
PHOTOS = "/api/v1/battles/abcd/photos/"
CROWD = [HEAD] * 300 + [slow_body("/log-in/", 60_000)] * 30 + [slow_body(PHOTOS, 15 * MEGABYTE)] * 30
DURATIONS = [pytest.param(10, id="short"), pytest.param(90, id="long", marks=pytest.mark.soak)]


@pytest.mark.clock
@pytest.mark.parametrize("seconds", DURATIONS)
def test_one_process_answers_beside_slow_clients(make_site, seconds):
    site = make_site()
    seconds_for_healthz(site.port)
    with slow_crowd(site.port, CROWD):
        assert slowest_healthz(site.port, seconds) < 1


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
        with slow_crowd(port, CROWD, tls=True):
            assert slowest_healthz(port, seconds, tls=True) < 1
