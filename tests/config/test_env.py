"""Settings: defaults that work, and a wrong value stops the start with the variable's name."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from tests.services import ROOT, SETTING_NAMES


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DEBUG", "maybe", "DEBUG must be 1 or 0"),
        ("PORT", "eighty", "PORT must be a whole number from 1 to 65535"),
        ("PORT", "70000", "PORT must be a whole number"),
        ("PORT", "٨٠", "PORT must be a whole number"),
        ("SIGN_UP", "friends", "SIGN_UP must be one of open, invite, closed"),
        ("PUBLIC_URL", "mice.example.org", "PUBLIC_URL must look like"),
        ("PUBLIC_URL", "https://mice.example.org/games", "PUBLIC_URL must look like"),
        ("PUBLIC_URL", "ftp://mice.example.org", "PUBLIC_URL must look like"),
        ("PUBLIC_URL", "https://mice.example.org:port", "PUBLIC_URL must look like"),
        ("DATABASE_URL", "mysql://localhost/mice", "DATABASE_URL must start with"),
        ("DATABASE_URL", "postgresql://localhost/", "DATABASE_URL does not name a database"),
        ("DATABASE_URL", "sqlite://", "DATABASE_URL does not name a file"),
        ("DATABASE_URL", "postgresql://host:port/mice", "DATABASE_URL is not a valid address"),
        ("REDIS_URL", "http://localhost:6379", "REDIS_URL must start with"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT must be one of"),
        ("TRUSTED_PROXIES", "the router", "TRUSTED_PROXIES must be addresses"),
    ],
)
def test_a_wrong_value_stops_the_start_and_names_the_variable(name, value, sentence, tmp_path):
    clean = {k: v for k, v in os.environ.items() if k not in SETTING_NAMES} | {"VAR": str(tmp_path), name: value}
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"], cwd=ROOT, env=clean, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert sentence in done.stderr.splitlines()[-1]


def test_every_part_of_a_postgresql_url_is_read(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://wren:p%40ss@db.example.org:5433/mice%20war?sslmode=require")
    database = env.read_database("DATABASE_URL", tmp_path, keep_seconds=60)
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["NAME"], database["USER"], database["PASSWORD"]) == ("mice war", "wren", "p@ss")
    assert (database["HOST"], database["PORT"], database["OPTIONS"]) == (
        "db.example.org",
        "5433",
        {"connect_timeout": "5", "sslmode": "require", "server_side_binding": True, "prepare_threshold": 5},
    )
    behind_pgbouncer = env.read_database("DATABASE_URL", tmp_path, keep_seconds=0)
    assert behind_pgbouncer["OPTIONS"]["prepare_threshold"] is None
    assert behind_pgbouncer["DISABLE_SERVER_SIDE_CURSORS"]


def test_sqlite_settings_are_safe(db):
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("is about SQLite")

    with connection.cursor() as cursor:
        pragmas = {}
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
            cursor.execute(f"PRAGMA {name}")
            pragmas[name] = cursor.fetchone()[0]
    assert pragmas == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 20000}
    assert connection.transaction_mode == "IMMEDIATE"


def test_a_flag_reads_the_usual_words(monkeypatch):
    for word in ("1", "true", "YES", "on"):
        monkeypatch.setenv("DEBUG", word)
        assert env.read_flag("DEBUG", False) is True
    monkeypatch.setenv("DEBUG", "")
    assert env.read_flag("DEBUG", True) is True
    monkeypatch.setenv("DEBUG", "2")
    with pytest.raises(ImproperlyConfigured):
        env.read_flag("DEBUG", True)
