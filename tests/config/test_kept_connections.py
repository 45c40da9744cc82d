"""A connection to PostgreSQL that is kept: no query asks whether it works, and a broken one is noticed."""

from __future__ import annotations

import time

import psycopg
import pytest
from django.db import ProgrammingError
from django.db.backends.postgresql import base

from config.env import read_database
from config.postgresql.base import DatabaseWrapper
from tests.services import create_database

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(postgres_server, monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", create_database(postgres_server))
    settings = {
        **read_database("DATABASE_URL", tmp_path),
        **{"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_MAX_AGE": 60, "TIME_ZONE": None},
        "TEST": {},
    }
    assert settings["ENGINE"] == DatabaseWrapper.__module__.rpartition(".")[0]
    connection = DatabaseWrapper(settings)
    connection.connect()
    yield connection
    connection.close()


def ask(connection: DatabaseWrapper) -> int:
    """As a request does: what is kept is looked at once, before the first query."""
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def end(connection: DatabaseWrapper, pid: int) -> None:
    with psycopg.connect(_url(connection)) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
    time.sleep(0.2)


def _url(connection: DatabaseWrapper) -> str:
    settings = connection.settings_dict
    return f"postgresql://{settings['USER']}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


@pytest.fixture
def asked_server(monkeypatch) -> list[str]:
    """Django's own checks, each of which asks the server."""
    asked: list[str] = []
    check = base.DatabaseWrapper.is_usable
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda self: asked.append("SELECT 1") or check(self))
    return asked


def test_working_connection_is_kept_without_asking_the_server(kept, asked_server):
    assert ask(kept) == ask(kept) == ask(kept)
    assert asked_server == []


def test_connection_that_the_server_ended_is_replaced(kept):
    pid = ask(kept)
    end(kept, pid)
    assert ask(kept) != pid


def test_after_an_error_the_server_is_asked(kept, asked_server):
    pid = ask(kept)
    with pytest.raises(ProgrammingError), kept.cursor() as cursor:
        cursor.execute("SELECT nothing_of_this_name")
    assert ask(kept) == pid
    assert asked_server


def test_connection_in_the_middle_of_a_transaction_is_checked_by_the_server(kept, asked_server):
    ask(kept)
    kept.connection.execute("BEGIN")
    assert kept.is_usable()
    assert asked_server
