"""The health checks: alive, ready, degraded."""

from __future__ import annotations

import shutil

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from jobs import timers
from jobs.pulse_and_sweeper_timers import PULSE
from ops import health
from tests.services import free_port


@pytest.fixture(autouse=True)
def forget_migration_check(monkeypatch):
    monkeypatch.setattr(health, "_migrated", False)


def test_healthz_needs_no_database(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_readyz_reports_every_check(client, db, django_assert_max_num_queries):
    timers.start_recurring_timers()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    checks = {"database": "ok", "migrations": "ok", "redis": "not used", "clock": "ok", "disk": "ok"}
    assert answer.json() == {"ready": True, "degraded": False, "checks": checks}
    with django_assert_max_num_queries(2):  # the migrations are checked only once
        client.get("/readyz")


def test_site_without_redis_is_degraded_but_ready(client, db, settings):
    timers.start_recurring_timers()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["degraded"]) == (200, True, True)
    assert answer.json()["checks"]["redis"] == "does not answer"


@pytest.mark.redis
def test_redis_that_answers_is_ok(client, db, settings, redis_url):
    timers.start_recurring_timers()
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").json()["checks"]["redis"] == "ok"


def test_site_without_its_database_is_not_ready(client, db, monkeypatch, tmp_path):
    away = connection.copy()
    away.settings_dict = away.settings_dict | {"NAME": str(tmp_path / "nowhere" / "x.sqlite3")}
    monkeypatch.setattr(health, "connection", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert answer.json()["checks"]["database"] == "does not answer"


def test_site_with_tables_of_another_release_is_not_ready(client, db):
    [newest] = MigrationLoader(connection).graph.leaf_nodes("jobs")
    MigrationRecorder(connection).record_unapplied(*newest)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "missing" in answer.json()["checks"]["migrations"]


def test_stopped_timers_are_reported(client, db):
    assert client.get("/readyz").json()["checks"]["clock"] == "stopped, no worker is running"
    timers.set_timer(PULSE, "", timezone.now() - health.MISSED)
    assert client.get("/readyz").json()["checks"]["clock"] == "stopped, no worker is running"
    timers.fire_due_timers()
    assert client.get("/readyz").json()["checks"]["clock"] == "ok"


@pytest.mark.parametrize(("free", "disk", "status"), [(150, "only 150 MB free", 200), (4, "full", 503)])
def test_free_space_is_reported(client, db, monkeypatch, free, disk, status):
    timers.start_recurring_timers()
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: usage._replace(free=free * 1024 * 1024))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["disk"], answer.json()["degraded"]) == (status, disk, True)
