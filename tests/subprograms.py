"""Tests that run as a program of their own, on a fresh database: many threads at once cannot live inside a test's transaction."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from typing import Any

import pytest

from tests.services import ROOT, Site

DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def fresh_place(request: pytest.FixtureRequest, make_site, database: str) -> Site:
    """A place with every table and no server, on a database that nobody else uses. It goes with its server."""
    env = {}
    if database == "postgres":
        import psycopg

        server, name = request.getfixturevalue("postgres_server"), f"t_{secrets.token_hex(6)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        env["DATABASE_URL"] = f"{server.rsplit('/', 1)[0]}/{name}"
    place = make_site(start=False, **env)
    place.manage("migrate", "-v0")
    return place


def found_by(place: Site, module: str, *words: str, seconds: int = 120) -> dict[str, Any]:
    """What the program printed last, as JSON."""
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=ROOT, env=place.env, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
