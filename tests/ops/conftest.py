"""Sites without a server, each with its own database and folder, on which steps are run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.services import ROOT


@pytest.fixture
def take(make_site):
    """take(env, ["fill"], ["backup", path]): run the steps in one process on a fresh site; return their results."""

    def take(env: dict[str, str], *steps: list[str]) -> list:
        # A backup is restored into an empty database.
        place = make_site(start=False, migrated=all(step[0] != "restore" for step in steps), **env)
        words = [sys.executable, "-m", "tests.ops.site_steps", json.dumps(steps)]
        done = subprocess.run(words, cwd=ROOT, env=place.env, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return [json.loads(line)[1] for line in done.stdout.splitlines()]

    return take
