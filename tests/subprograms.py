"""Run programs on a fresh database, because threads cannot share the transaction of a test."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from typing import Any

import pytest

from tests.services import ROOT, Site

DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def make_fresh_site(request: pytest.FixtureRequest, make_site, database: str) -> Site:
    """A migrated site without a server, on its own database."""
    env = {}
    if database == "postgres":
        import psycopg

        server, name = request.getfixturevalue("postgres_server"), f"t_{secrets.token_hex(6)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        env["DATABASE_URL"] = f"{server.rsplit('/', 1)[0]}/{name}"
    site = make_site(start=False, **env)
    site.manage("migrate", "-v0")
    return site


def run_program(site: Site, module: str, *words: str, seconds: int = 120) -> dict[str, Any]:
    """Run a module and return its last line of output as JSON."""
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=ROOT, env=site.env, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
