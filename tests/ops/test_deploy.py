"""manage.py deploy, request ids and the log of slow queries."""

from __future__ import annotations

import copy
import io
import logging
import logging.config
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Now

from config import gunicorn_addresses
from config.log_lines import RequestIdFilter, begin_request
from ops import metrics_endpoint
from ops.management.commands import deploy
from ops.management.commands.deploy import LOCKS_OUT, Conflict, find_conflicts

RELEASED = Path(__file__).parent / "data" / "released_migrations.txt"


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


@pytest.mark.parametrize(
    ("started_with", "set_now", "named"),
    [
        ([], "", ""),
        (["127.0.0.1:8000", "[::1]:8000", "localhost:8000", "unix:/run/web.sock"], "", ""),
        (["127.0.0.1:8000", "0.0.0.0:8000"], "", "listens on 0.0.0.0:8000."),
        (["[::]:8000"], "", "listens on [::]:8000."),
        (["192.168.1.20:80"], "--threads 4 -b 127.0.0.1:80", ""),
        ([], "--bind=:8000 --workers 3", "listens on :8000."),
    ],
)
def test_deploy_warns_if_others_reach_gunicorn(db, settings, tmp_path, monkeypatch, started_with, set_now, named):
    settings.VAR = settings.STATIC_ROOT = tmp_path
    monkeypatch.setenv("GUNICORN_CMD_ARGS", set_now)
    if started_with:
        gunicorn_addresses.note(started_with)
    printed = run_deploy()
    assert ("Warning: gunicorn" in printed) == bool(named)
    assert named in printed


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
        migrations.RunPython(migrations.RunPython.noop),
        migrations.RunSQL("SELECT 1"),
    ],
)
def test_changes_that_break_an_older_release_are_named(operation):
    assert [str(result).split(":")[0] for result in find_conflicts([migration(operation)])] == ["battles.0009_x"]


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("battle", "place", models.CharField(max_length=9, null=True)),
        migrations.AddField("battle", "at", models.DateTimeField(db_default=Now())),
        migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
        migrations.SeparateDatabaseAndState([], [migrations.RemoveField("battle", "place")]),
    ],
)
def test_changes_that_suit_an_older_release_are_not_named(operation):
    assert not find_conflicts([migration(operation)])


def marked(operation, **marks: str):
    return type("Migration", (migrations.Migration,), {"operations": [operation], **marks})("0009_x", "battles")


def test_migration_says_what_its_operations_do_not_show():
    own_code = migrations.RunPython(migrations.RunPython.noop)
    assert not find_conflicts([marked(own_code, suits_older_release="It fills a column that only we read.")])
    removal = migrations.RemoveField("battle", "place")
    assert find_conflicts([marked(removal, suits_older_release="No.")])
    [result] = find_conflicts([marked(removal, locks_out_older_release="Places move to maps.")])
    assert str(result) == "battles.0009_x: Places move to maps."


@pytest.mark.parametrize(
    ("field", "named"),
    [
        (models.CharField(max_length=20, null=True), False),
        (models.CharField(max_length=9, null=True), True),
        (models.CharField(max_length=10), True),
        (models.IntegerField(null=True), True),
        (models.CharField(max_length=10, null=True, blank=True), False),
    ],
)
def test_narrower_column_breaks_an_older_release(field, named):
    before = ProjectState()
    columns = [("id", models.BigAutoField(primary_key=True)), ("place", models.CharField(max_length=10, null=True))]
    before.add_model(ModelState("battles", "Battle", columns))
    change = migration(migrations.AlterField("battle", "place", field))
    assert bool(find_conflicts([change], before)) is named


def test_new_migrations_suit_the_older_release_or_say_why_not():
    """A migration that is not in the list was made after it. Never add to the list: mark the migration instead."""
    loader = MigrationLoader(None)
    ours = {app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR}
    released = set(RELEASED.read_text().split())
    state, new = ProjectState(), []
    for key in loader.graph._generate_plan(loader.graph.leaf_nodes(), at_end=True):
        made = loader.graph.nodes[key]
        if key[0] in ours and ".".join(key) not in released:
            new.append(made)
        else:
            state = made.mutate_state(state, preserve=False)
    marked = {f"{row.app_label}.{row.name}" for row in new if getattr(row, LOCKS_OUT, "")}
    wrong = [str(row) for row in find_conflicts(new, state) if row.migration not in marked]
    assert not wrong, "give it locks_out_older_release or suits_older_release; CONTRIBUTING.md says how"
    assert released <= {".".join(key) for key in loader.disk_migrations}, "a released migration is gone"


def test_deploy_looks_at_what_is_pending(db):
    loader = MigrationLoader(connection)
    [newest] = loader.graph.leaf_nodes("jobs")
    MigrationRecorder(connection).record_unapplied(*newest)
    pending, conflicts = deploy.Command()._pending_migrations()
    assert pending == 1
    assert all(conflict.migration == ".".join(newest) for conflict in conflicts)


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


@pytest.mark.parametrize("formatter", ["text", "json"])
def test_every_line_of_the_log_has_the_id(formatter, monkeypatch):
    out = io.StringIO()
    configured = copy.deepcopy(settings.LOGGING)
    configured["handlers"] = {"console": {**configured["handlers"]["console"], "formatter": formatter, "stream": out}}
    configured["root"]["handlers"], configured["loggers"] = ["console"], {}
    begin_request("abc-123.DEF_4")
    before = logging.root.handlers[:]
    try:
        logging.config.dictConfig(configured)
        logging.getLogger("ops").warning("the cellar is flooded")
    finally:
        logging.root.handlers[:] = before
    assert "abc-123.DEF_4" in out.getvalue()
    assert "the cellar is flooded" in out.getvalue()


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
    monkeypatch.setattr(metrics_endpoint.time, "perf_counter", lambda: next(clock))
    for sql in ("SELECT  %s", "SELECT 1"):
        metrics_endpoint._log_if_slow(lambda *_: None, sql, ["secret"], False, {})
    assert [record.getMessage() for record in caplog.records] == ["slow query, 900 ms: SELECT %s"]


def test_every_connection_is_watched_once(settings, db):
    settings.SLOW_QUERY_MS = 500
    connection.ensure_connection()
    before = list(connection.execute_wrappers)
    metrics_endpoint.watch_connection(connection)
    metrics_endpoint.watch_connection(connection)
    assert connection.execute_wrappers.count(metrics_endpoint._log_if_slow) == 1
    connection.execute_wrappers[:] = before
