"""A Redis that hangs holds nobody up for long."""

from __future__ import annotations

import json
import os
import signal

import pytest
import redis

from tests.services import private_redis

# With the settings of a real site: each call once, on a connection that worked before.
CALLS = """
import json, os, signal, time
from django.core.cache import cache
from live.hub import HUB
from jobs.tasks import note_worker
from ops.health import check_redis
calls = {
    "cache": lambda: cache.get("key"),
    "news": lambda: HUB.publish(1, 1),
    "order": lambda: note_worker.apply_async(queue="quick", expires=60),
    "health": check_redis,
}
for call in calls.values():
    call()
os.kill(PID, signal.SIGSTOP)
took = {}
for name, call in calls.items():
    begun = time.monotonic()
    try:
        call()
    except Exception:
        pass
    took[name] = time.monotonic() - begun
print(json.dumps(took))
"""


@pytest.mark.clock
@pytest.mark.redis
def test_frozen_redis_costs_a_request_less_than_a_second(make_site):
    with private_redis() as url:
        with redis.Redis.from_url(url) as connection:
            pid = connection.info("server")["process_id"]
        site = make_site(start=False, REDIS_URL=url)
        try:
            took = json.loads(site.shell(CALLS.replace("PID", str(pid))).splitlines()[-1])
        finally:
            os.kill(pid, signal.SIGCONT)
    assert took["cache"] < 1
    assert took["news"] < 1
    assert took["order"] < 3, "once in ten seconds in each process"
    assert took["health"] < 2
