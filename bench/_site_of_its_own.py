"""Sites for benchmarks, each with processes and a database of its own, so that no site in use is touched."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services import SETTING_NAMES, Site, free_port

ROOT = Path(__file__).resolve().parent.parent

Row = tuple[str, float, str, tuple[str, float]]


def run_in_own_site(module: str, *, demo: bool = False) -> list[Row]:
    """What ``python -m module`` prints on a migrated site: a row a line, its parts separated by tabs."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-", ignore_cleanup_errors=True) as folder:
        env = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")}
        env |= {"VAR": folder, "DEMO": "1" if demo else "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
        env["API_RATE"] = "0"
        for command in ("migrate", "demo") if demo else ("migrate",):
            words = [sys.executable, "manage.py", command, "-v0"]
            subprocess.run(words, cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
        words = [sys.executable, "-m", module]
        done = subprocess.run(words, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True)
    rows = []
    for line in done.stdout.splitlines():
        name, ratio, note, limit = line.split("\t")
        rows.append((name, float(ratio), note, ("<=", float(limit))))
    return rows


@contextmanager
def running_site(*, demo: bool = False) -> Iterator[Site]:
    """A site that answers, as ``make run`` starts it."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-", ignore_cleanup_errors=True) as folder:
        var, port = Path(folder) / "var", free_port()
        env = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
        env |= {"VAR": str(var), "PORT": str(port), "DEMO": "1" if demo else "0"}
        site = Site(var=var, port=port, env=env)
        try:
            yield site.start()
        finally:
            site.stop()
