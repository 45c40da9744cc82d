"""Alive, ready, limping."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from jobs import clock
from jobs.job_kinds import PULSE
from ops import health
from tests.services import free_port


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    monkeypatch.setattr(health, "_migrated", False)


def test_alive_without_a_database(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_ready(client, db, django_assert_max_num_queries):
    clock.wind_up()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    checks = {"database": "ok", "migrations": "ok", "redis": "not used", "clock": "ok"}
    assert answer.json() == {"ready": True, "degraded": False, "checks": checks}
    with django_assert_max_num_queries(2):  # the tables are looked at once
        client.get("/readyz")


def test_without_redis_it_limps_but_is_ready(client, db, settings):
    clock.wind_up()
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["degraded"]) == (200, True, True)
    assert answer.json()["checks"]["redis"] == "does not answer"


@pytest.mark.redis
def test_with_redis(client, db, settings, redis_url):
    clock.wind_up()
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").json()["checks"]["redis"] == "ok"


def test_without_its_database_it_is_not_ready(client, db, monkeypatch, tmp_path):
    away = connection.copy()
    away.settings_dict = away.settings_dict | {"NAME": str(tmp_path / "nowhere" / "x.sqlite3")}
    monkeypatch.setattr(health, "connection", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert answer.json()["checks"]["database"] == "does not answer"


def test_with_tables_of_another_release_it_is_not_ready(client, db):
    MigrationRecorder(connection).record_unapplied("jobs", "0001_initial")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "missing" in answer.json()["checks"]["migrations"]


def test_a_clock_that_stands_still_is_told(client, db):
    assert client.get("/readyz").json()["checks"]["clock"] == "stopped, no worker runs"
    clock.wake(PULSE, "", timezone.now() - health.MISSED)
    assert client.get("/readyz").json()["checks"]["clock"] == "stopped, no worker runs"
    clock.tick()
    assert client.get("/readyz").json()["checks"]["clock"] == "ok"
