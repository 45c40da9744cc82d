"""A migrated SQLite file to copy. Migrating takes seconds; runs with the same migrations share one file."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SQLITE_NAME = "companion.sqlite3"


def migrated_file() -> Path:
    """The file for the migrations as they are now, made on first use."""
    import django

    content = hashlib.sha256(django.__version__.encode())
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        content.update(path.as_posix().removeprefix(ROOT.as_posix()).encode() + path.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"companion-migrated-{os.getuid()}-{content.hexdigest()[:16]}"
    folder.mkdir(exist_ok=True)
    file, done = folder / SQLITE_NAME, folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            file.unlink(missing_ok=True)
            migrate(VAR=str(folder))
            with contextlib.closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            done.touch()
    return file


def migrate(**env: str) -> None:
    clean = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=clean | {"DEMO": "0"} | env, check=True, timeout=300)
