"""Loaded first (``-p`` in pyproject.toml): tests never use the var/ folder or the environment of a real site."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

# Where Python is told to keep no compiled modules, each of the hundreds of processes compiles the whole site again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for _name in ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "HOST", "PORT", "SIGN_UP", "DEBUG", "LOG_FILE"):
    os.environ.pop(_name, None)
_database = os.environ.get("DATABASE") or "sqlite"
if _database not in ("sqlite", "postgresql"):
    raise SystemExit(f"DATABASE must be sqlite or postgresql, not {_database!r}.")
if _database == "postgresql":
    # Tests of this process run on PostgreSQL. Its server is started, and its port known, when the first test needs it.
    os.environ["DATABASE_URL"] = "postgresql://companion@127.0.0.1:1/tests"
os.environ["VAR"] = tempfile.mkdtemp(prefix="companion-test-")
os.environ["DEMO"] = "0"
# Tests send thousands of requests; those about the limit set one.
os.environ["API_RATE"] = "0"
# No test cuts the power, and waiting for the disk a hundred thousand times takes minutes.
os.environ["SQLITE_SYNC"] = "normal"
os.makedirs(os.path.join(os.environ["VAR"], "static"))
# Playwright's synchronous API runs its own event loop, which makes Django refuse the ORM in the same thread.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
atexit.register(shutil.rmtree, os.environ["VAR"], ignore_errors=True)
