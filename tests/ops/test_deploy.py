"""manage.py deploy, request ids and the log of slow queries."""

from __future__ import annotations

import io
import logging
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.models.functions import Now

from config.request_ids import RequestIdFilter, begin_request
from ops import slow_queries
from ops.management.commands import deploy
from ops.migration_safety import Conflict, find_conflicts


def run_deploy(**options) -> str:
    out = io.StringIO()
    call_command("deploy", stdout=out, **options)
    return out.getvalue()


def test_deploy_can_be_run_twice(db, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    first = run_deploy()
    assert "Tables: up to date." in first
    assert "Owner code: " in first
    assert (tmp_path / "static" / "css" / "tokens.css").exists()
    assert run_deploy() == first


def test_deploy_names_no_owner_code_once_there_is_an_owner(db, settings, tmp_path, django_user_model):
    settings.STATIC_ROOT = tmp_path
    django_user_model.objects.create_superuser("maud", password="cheese-and-thyme")
    assert "Owner code" not in run_deploy()


def test_deploy_keeps_the_older_release_running_or_changes_nothing(db, settings, tmp_path, monkeypatch):
    settings.STATIC_ROOT = tmp_path
    conflict = Conflict("battles.0009_x", "Remove field place from battle")
    monkeypatch.setattr(deploy.Command, "_pending_migrations", lambda self: (0, [conflict]))
    with pytest.raises(CommandError, match=r"Stop its processes first\. Nothing was changed\."):
        run_deploy(keep_running=True)
    assert not list(tmp_path.iterdir())
    text = run_deploy()
    assert str(conflict) in text
    assert "Stop its processes first." in text


def migration(*operations):
    return type("Migration", (migrations.Migration,), {"operations": list(operations)})("0009_x", "battles")


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("battle", "place"),
        migrations.DeleteModel("Battle"),
        migrations.RenameField("battle", "place", "where"),
        migrations.RenameModel("Battle", "Fight"),
        migrations.AddField("battle", "place", models.CharField(max_length=9, default="")),
        migrations.SeparateDatabaseAndState([migrations.RemoveField("battle", "place")], []),
    ],
)
def test_changes_that_break_an_older_release_are_named(operation):
    assert [str(found).split(":")[0] for found in find_conflicts([migration(operation)])] == ["battles.0009_x"]


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("battle", "place", models.CharField(max_length=9, null=True)),
        migrations.AddField("battle", "at", models.DateTimeField(db_default=Now())),
        migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
        migrations.SeparateDatabaseAndState([], [migrations.RemoveField("battle", "place")]),
        migrations.RunPython(migrations.RunPython.noop),
    ],
)
def test_changes_that_suit_an_older_release_are_not_named(operation):
    assert not find_conflicts([migration(operation)])


def test_a_new_table_can_change_freely():
    made = migration(
        migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("other", "place", models.CharField(max_length=9, default="")),
    )
    assert not find_conflicts([made])


def test_every_answer_has_an_id_of_its_own(client, db):
    first, second = (client.get("/healthz").headers["X-Request-ID"] for _ in range(2))
    assert re.fullmatch(r"[0-9a-f]{12}", first)
    assert first != second


@pytest.mark.parametrize(
    ("trusted", "sent", "kept"),
    [
        (True, "abc-123.DEF_4", True),
        (True, "short", False),
        (True, "with a space and\nmore", False),
        (False, "abc-123.DEF_4", False),
    ],
)
def test_id_of_a_trusted_proxy_is_kept(client, settings, trusted, sent, kept):
    import ipaddress

    settings.TRUSTED_PROXIES = [ipaddress.ip_network("127.0.0.1/32")] if trusted else []
    answer = client.get("/healthz", headers={"X-Request-ID": sent}).headers["X-Request-ID"]
    assert (answer == sent) is kept


def test_log_records_carry_the_id():
    record = logging.makeLogRecord({})
    begin_request("abc-123.DEF_4")
    assert RequestIdFilter().filter(record)
    assert record.request_id == "abc-123.DEF_4"


def test_error_page_shows_the_id(db, client, monkeypatch):
    client.raise_request_exception = False

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr("ops.health.check_health", fail)
    answer = client.get("/readyz")
    assert answer.status_code == 500
    assert answer.headers["X-Request-ID"] in answer.content.decode()


def test_slow_queries_are_logged_without_their_values(settings, caplog, monkeypatch):
    settings.SLOW_QUERY_MS = 500
    clock = iter((0.0, 0.9, 1.0, 1.4))
    monkeypatch.setattr(slow_queries.time, "perf_counter", lambda: next(clock))
    for sql in ("SELECT  %s", "SELECT 1"):
        slow_queries._log_if_slow(lambda *_: None, sql, ["secret"], False, {})
    assert [record.getMessage() for record in caplog.records] == ["slow query, 900 ms: SELECT %s"]


def test_every_connection_is_watched_once(settings, db):
    settings.SLOW_QUERY_MS = 500
    connection.ensure_connection()
    before = list(connection.execute_wrappers)
    slow_queries.watch_connection(connection)
    slow_queries.watch_connection(connection)
    assert connection.execute_wrappers.count(slow_queries._log_if_slow) == 1
    connection.execute_wrappers[:] = before
