"""Those who watch share one pass, made with the table: a look at a table writes nothing, however old the table is."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardgames.tables.seats.seat_and_watch_passes import WATCH
from people.models import Pass
from tests.cardgames.tables.sample_tables import open_sample_table

pytestmark = pytest.mark.django_db
create_watch_passes = importlib.import_module("cardgames.migrations.0010_watch_passes").create_watch_passes


def test_look_at_a_table_writes_no_pass(master):
    table = open_sample_table(master)
    Pass.objects.filter(kind=WATCH).delete()  # as before the migration
    with CaptureQueriesContext(connection) as asked:
        for part in ("", "around/", "wall/"):
            assert Client().get(f"/tables/{table.code}/{part}").status_code == 200
    writes = [row["sql"] for row in asked if row["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert [sql for sql in writes if "django_session" not in sql] == []


def test_tables_of_older_releases_get_one_pass_each(master):
    old, new = open_sample_table(master), open_sample_table(master)
    Pass.objects.filter(kind=WATCH, target=old.pk).delete()
    for _ in range(2):
        create_watch_passes(apps, None)
    assert sorted(Pass.objects.filter(kind=WATCH).values_list("target", flat=True)) == sorted([old.pk, new.pk])
    row = Pass.objects.get(kind=WATCH, target=old.pk)
    assert row.token
    assert row.expires_at is None
    watcher = Client()
    assert watcher.get(f"/live/{old.log_id}/").status_code == 404
    watcher.get(f"/tables/{old.code}/")
    assert watcher.get(f"/live/{old.log_id}/").status_code == 503, "let in; the test client has no streams"
