"""/metrics: for whoever has the token, with the counts of every process."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
from django.http import HttpResponse

from config import prometheus_counters
from jobs.models import Job, State
from live.hub import Hub
from live.shared_parts import render_once
from ops import metrics_endpoint
from pages import cached_parts
from tests.live.fake_requests import ask
from tests.live.run_async import alone
from tests.services import ROOT

TOKEN = {"Authorization": "Bearer thyme"}


@pytest.mark.parametrize(("token", "sent"), [("", ""), ("", "Bearer "), ("thyme", ""), ("thyme", "Bearer sage")])
def test_without_the_token_there_is_no_such_page(client, db, settings, token, sent):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": sent}).status_code == 404


def value(text: str, name: str) -> float:
    return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])


def test_requests_and_queries_are_counted_by_app(client, db, settings):
    settings.METRICS_TOKEN = "thyme"
    name = 'companion_requests_total{app="reference",method="GET",status="200"}'
    before = prometheus_counters.REQUESTS.labels("reference", "GET", "200")._value.get()
    queries = prometheus_counters.QUERIES._value.get()
    client.get("/rules/")
    assert not Job.objects.exists()
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert value(text, name) == before + 1
    assert value(text, "companion_queries_total") > queries
    assert value(text, 'companion_request_seconds_count{app="reference"}') >= 1


@pytest.mark.parametrize(
    ("address", "app"),
    [
        ("/api/v1/battles/", "battles"),
        ("/api/v1/me/", "people"),
        ("/api/v1/nothing/", "other"),
        ("/api/schema/", "pages"),
        ("/", "home"),
    ],
)
def test_requests_are_counted_by_their_part_of_the_site(client, db, address, app):
    def count() -> float:
        counters = prometheus_counters.SECONDS.collect()[0].samples
        return sum(
            counter.value for counter in counters if counter.name.endswith("_count") and counter.labels["app"] == app
        )

    before = count()
    client.get(address)
    assert count() == before + 1


def test_invented_http_method_gets_no_series_of_its_own(client, db, settings):
    settings.METRICS_TOKEN = "thyme"
    client.generic("CHEESE", "/rules/")
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert 'method="other"' in text
    assert "CHEESE" not in text


def test_jobs_and_tables_come_from_the_database(client, db, settings):
    settings.METRICS_TOKEN = "thyme"
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert value(text, "companion_card_tables") == 0
    assert not Job.objects.exists()
    assert "companion_jobs{" not in text


def counted(client) -> str:
    return client.get("/metrics", headers=TOKEN).content.decode()


def test_queue_is_counted_by_state(client, db, settings):
    settings.METRICS_TOKEN = "thyme"
    for state in (State.QUEUED, State.QUEUED, State.DONE):
        Job.objects.create(kind="adds", state=state)
    text = counted(client)
    assert (value(text, 'companion_jobs{state="queued"}'), value(text, 'companion_jobs{state="done"}')) == (2, 1)


def test_shared_drawings_are_counted(client, db, settings):
    settings.METRICS_TOKEN = "thyme"
    cached_parts.forget_all()
    before = [prometheus_counters.DRAWINGS.labels(how)._value.get() for how in ("drawn", "shared")]
    for number in range(3):
        render_once(ask(who=f"person:{number}"), lambda: HttpResponse("a map"), 7)
    text = counted(client)
    assert value(text, 'companion_drawings_total{how="drawn"}') == before[0] + 1
    assert value(text, 'companion_drawings_total{how="shared"}') == before[1] + 2


@alone
async def test_open_streams_are_counted():
    hub = Hub(look=lambda ids: {}, look_every=60)
    before = prometheus_counters.STREAMS._value.get()
    streams = [hub.subscribe([1]), hub.subscribe([2])]
    assert prometheus_counters.STREAMS._value.get() == before + 2
    for stream in streams:
        hub.unsubscribe(stream)
    assert prometheus_counters.STREAMS._value.get() == before


def test_slow_queries_are_counted(settings, monkeypatch):
    settings.SLOW_QUERY_MS = 500
    clock = iter((0.0, 0.9, 1.0, 1.1))
    monkeypatch.setattr(metrics_endpoint.time, "perf_counter", lambda: next(clock))
    counters = (prometheus_counters.QUERIES, prometheus_counters.SLOW_QUERIES)
    before = [counter._value.get() for counter in counters]
    for _ in range(2):
        metrics_endpoint._log_if_slow(lambda *_: None, "SELECT 1", [], False, {})
    assert [counter._value.get() for counter in counters] == [before[0] + 2, before[1] + 1]


COUNT = "import config.prometheus_counters as m; m.QUERIES.inc(3); m.STREAMS.set(2)"
SCRAPE = """
import django; django.setup()
from django.test import Client
print(Client().get("/metrics", headers={"Authorization": "Bearer thyme"}).content.decode())
"""


def test_counts_of_all_processes_are_added_up(tmp_path, migrated_sqlite):
    """Two processes counted and ended: their counts stay, the streams they had open are gone."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    shutil.copy(migrated_sqlite, tmp_path)
    env = os.environ | {
        "VAR": str(tmp_path),
        "METRICS_TOKEN": "thyme",
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEMO": "0",
    }
    for _ in range(2):
        subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, env=env, check=True, timeout=120)
    done = subprocess.run(
        [sys.executable, "-c", SCRAPE], cwd=ROOT, env=env, check=True, timeout=300, capture_output=True, text=True
    )
    assert value(done.stdout, "companion_queries_total") > 6
    assert "companion_streams 4.0" not in done.stdout
