"""The health checks: alive, ready, degraded."""

from __future__ import annotations

import datetime as dt
import shutil

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F
from django.utils import timezone

from jobs import timers, turns_and_leases
from jobs.models import Due, Job, State
from ops import health
from tests.services import free_port


@pytest.fixture(autouse=True)
def process_of_long_ago(monkeypatch):
    """It has not looked at the migrations yet, and no longer waits for a worker that is starting."""
    monkeypatch.setattr(health, "_migrated", False)
    monkeypatch.setattr(health, "GRACE", 0.0)


@pytest.fixture
def working(db):
    """A clock and a worker."""
    timers.start_recurring_timers()
    turns_and_leases.note_seen()


def test_healthz_needs_no_database(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_readyz_reports_every_check(client, working, django_assert_max_num_queries):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    checks = {"database": "ok", "migrations": "ok", "redis": "not used", "clock": "ok", "worker": "ok", "disk": "ok"}
    assert answer.json() == {"ready": True, "degraded": False, "checks": checks}
    with django_assert_max_num_queries(2):  # the migrations are checked only once
        client.get("/readyz")


def test_site_without_redis_is_degraded_but_ready(client, working, settings):
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["degraded"]) == (200, True, True)
    assert answer.json()["checks"]["redis"] == "does not answer"


@pytest.mark.redis
def test_redis_that_answers_is_ok(client, working, settings, redis_url):
    settings.REDIS_URL = redis_url
    assert client.get("/readyz").json()["checks"]["redis"] == "ok"


def test_site_without_its_database_is_not_ready(client, db, monkeypatch):
    away = connection.copy()
    away.settings_dict = away.settings_dict | {"NAME": "/nowhere/x.sqlite3"}
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


def away(client) -> set[str]:
    """The parts that /readyz names, which is 503 for each of them."""
    answer = client.get("/readyz")
    checks = answer.json()["checks"]
    seen = {part for part in ("clock", "worker") if checks[part].startswith("away for more than a minute")}
    assert (answer.status_code, answer.json()["ready"]) == ((503, False) if seen else (200, True)), checks
    return seen


def let_pass(seconds: float) -> None:
    Due.objects.update(due_at=F("due_at") - dt.timedelta(seconds=seconds))


def test_site_is_not_ready_if_its_worker_never_came(client, db):
    assert away(client) == {"clock", "worker"}


def test_site_that_has_just_started_waits_for_its_worker(client, db, monkeypatch):
    monkeypatch.setattr(health, "GRACE", float("inf"))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["degraded"]) == (200, True)
    assert {answer.json()["checks"][part] for part in ("clock", "worker")} == {"starting"}


def test_parts_that_are_away_for_more_than_a_minute_are_named(client, working):
    assert away(client) == set()
    let_pass(55)
    assert away(client) == set()
    let_pass(10)
    assert away(client) == {"clock", "worker"}
    turns_and_leases.note_seen()
    assert away(client) == {"clock"}
    timers.fire_due_timers()
    assert away(client) == set()
    timers.set_timer(turns_and_leases.WORKER_AWAY, "", timezone.now())
    assert away(client) == {"worker"}


def test_owner_sees_which_part_is_away(make_person, working):
    owner = make_person("Bram")
    owner.account.is_staff = True
    owner.account.save()
    timers.set_timer(turns_and_leases.WORKER_AWAY, "", timezone.now())
    page = owner.client.get("/ops/").content.decode()
    assert "Something is not running" in page
    assert page.count("away for more than a minute") == 1


def test_worker_with_a_long_job_is_there(client, working):
    let_pass(65)
    turns_and_leases.note_seen()
    let_pass(65)
    until = timezone.now() + dt.timedelta(seconds=5)
    job = Job.objects.create(kind="x", state=State.RUNNING, lease_until=until)
    assert away(client) == {"clock"}
    timers.fire_due_timers()  # nobody is told that it was away
    assert Due.objects.get(kind=turns_and_leases.WORKER_AWAY).due_at > timezone.now()
    job.delete()
    assert away(client) == set()


def test_worker_that_is_away_is_logged(working, caplog):
    let_pass(65)
    timers.fire_due_timers()
    assert "No worker has taken a job for a minute." in caplog.text


def test_clock_asks_the_workers_on_redis(working, settings, monkeypatch):
    """Without Redis, the site's own worker says that it is there. Without a broker, jobs wait, and that shows."""
    asked = []
    monkeypatch.setattr(turns_and_leases, "send", lambda task, queue: asked.append(task.name))
    turns_and_leases.ask_worker()
    assert asked == []
    settings.REDIS_URL = "redis://localhost/0"
    turns_and_leases.ask_worker()
    assert asked == ["jobs.note_worker"]
    let_pass(65)
    assert "worker" in turns_and_leases.away_parts()


@pytest.mark.parametrize(("free", "disk", "status"), [(150, "only 150 MB free", 200), (4, "full", 503)])
def test_free_space_is_reported(client, working, monkeypatch, free, disk, status):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: usage._replace(free=free * 1024 * 1024))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["disk"], answer.json()["degraded"]) == (status, disk, True)
