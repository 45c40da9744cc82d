"""Run programs on a fresh database, because threads cannot share the transaction of a test."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.services import ROOT, Site, create_database

DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def make_fresh_site(request: pytest.FixtureRequest, make_site, database: str) -> Site:
    """A migrated site without a server, on its own database."""
    env = {}
    if database == "postgres":
        server, template = request.getfixturevalue("postgres_server"), request.getfixturevalue("migrated_postgres")
        env["DATABASE_URL"] = create_database(server, template)
    return make_site(start=False, **env)


def run_program(site: Site, module: str, *words: str, seconds: int = 120) -> dict[str, Any]:
    """Run a module and return its last line of output as JSON."""
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, cwd=ROOT, env=site.env, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
