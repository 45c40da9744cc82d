"""Migrated databases to copy. Migrating takes seconds; workers and runs with the same migrations share one."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SQLITE_NAME = "companion.sqlite3"


def migrated_once(kind: str, prepare: Callable[[Path], None]) -> Path:
    """The folder that ``prepare`` filled for the migrations as they are now; filled on first use."""
    import django

    content = hashlib.sha256(django.__version__.encode())
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        content.update(path.as_posix().removeprefix(ROOT.as_posix()).encode() + path.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"companion-{kind}-{os.getuid()}-{content.hexdigest()[:16]}"
    with Path(f"{folder}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            half = Path(tempfile.mkdtemp(prefix=f"companion-{kind}-"))
            try:
                prepare(half)
                half.rename(folder)
            except BaseException:
                shutil.rmtree(half, ignore_errors=True)
                raise
    return folder


def migrated_file() -> Path:
    """A SQLite file, migrated."""
    return migrated_once("sqlite", _prepare_sqlite) / SQLITE_NAME


def _prepare_sqlite(folder: Path) -> None:
    migrate(VAR=str(folder))
    with contextlib.closing(sqlite3.connect(folder / SQLITE_NAME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def migrate(**env: str) -> None:
    clean = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=clean | {"DEMO": "0"} | env, check=True, timeout=300)
