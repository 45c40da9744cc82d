"""The database is away or the disk is full: 503, when to come back, and a page that says so."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.test import Client

from tests.services import ROOT, free_port

OUTAGES = {
    "away": (OperationalError("connection to server at 127.0.0.1 failed: Connection refused"), "cannot reach"),
    "closed": (InterfaceError("the connection is closed"), "cannot reach"),
    "locked": (OperationalError("database is locked"), "cannot reach"),
    "unreadable": (OperationalError("unable to open database file"), "cannot reach"),
    "full database": (OperationalError("database or disk is full"), "disk is full"),
    "full disk": (OSError(errno.ENOSPC, "No space left on device"), "disk is full"),
}


@pytest.fixture
def broken_site(monkeypatch, db):
    """``broken_site(error)``: each page that asks for people fails with it. Gives a client that reads the answer."""

    def breaks(error: Exception) -> Client:
        def fail(*args: object, **kwargs: object) -> None:
            raise error

        monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", fail)
        client = Client(raise_request_exception=False)
        client.cookies["companion_session"] = "a" * 32
        return client

    return breaks


@pytest.mark.parametrize("kind", OUTAGES)
@pytest.mark.parametrize("path", ["/people/", "/api/v1/me/"])
def test_outage_is_answered_with_a_sentence_and_when_to_come_back(broken_site, kind, path):
    error, words = OUTAGES[kind]
    answer = broken_site(error).get(path)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert answer["Cache-Control"] == "no-store"
    assert words in (answer.json()["refusal"] if path.startswith("/api/") else answer.text)


@pytest.mark.parametrize("error", [OperationalError("no such table: people_person"), ProgrammingError("x"), KeyError()])
def test_fault_of_ours_is_not_called_an_outage(broken_site, error):
    assert broken_site(error).get("/people/").status_code == 500


@pytest.mark.parametrize("command", [["backup"], ["migrate"]])
def test_missing_database_is_explained_on_the_command_line(command, tmp_path):
    away = f"postgresql://companion@127.0.0.1:{free_port()}/companion"
    env = {**os.environ, "DATABASE_URL": away, "VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode
    assert "Traceback" not in done.stderr
    assert "is not answering" in done.stderr or "does not exist" in done.stderr
