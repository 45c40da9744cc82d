"""What var/ holds and how big each part is, and which versions are running."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import django
from django.conf import settings
from django.db import connection

from ops import release


@dataclass(frozen=True, slots=True)
class StoragePart:
    name: str
    words: str
    size: int
    files: int


def storage_parts() -> list[StoragePart]:
    var = Path(settings.VAR)
    files = Path(settings.MEDIA_ROOT)
    made = _measure(files / "jobs")
    all_files = _measure(files)
    backups = _measure(Path(settings.BACKUPS))
    static = _measure(Path(settings.STATIC_ROOT))
    database = _database()
    logs = _logs()
    known = [all_files, backups, static, logs] + ([database] if connection.vendor == "sqlite" else [])
    whole = _measure(var)
    rest = (max(0, whole[0] - sum(size for size, _ in known)), max(0, whole[1] - sum(count for _, count in known)))
    return [
        StoragePart("Database", "People, campaigns and everything they wrote", *database),
        StoragePart("Made by jobs", "Prints and exports; cleared after a month", *made),
        StoragePart("Other files", "Uploaded by people", all_files[0] - made[0], all_files[1] - made[1]),
        StoragePart("Backups", "The newest backups", *backups),
        StoragePart("Static files", "Style sheets and scripts, collected at each start", *static),
        StoragePart("Logs", "Only with LOG_FILE", *logs),
        StoragePart("The rest", "The secret key and a few small files", *rest),
    ]


def free_space() -> int:
    return shutil.disk_usage(settings.VAR).free


def versions() -> list[tuple[str, str]]:
    return [
        ("Companion", release.version()),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
    ]


def _measure(folder: Path) -> tuple[int, int]:
    size = count = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(root, name)).st_size
                count += 1
            except OSError:
                continue
    return size, count


def _database() -> tuple[int, int]:
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"])
        there = [path for path in (name, Path(f"{name}-wal"), Path(f"{name}-shm")) if path.is_file()]
        return sum(path.stat().st_size for path in there), len(there)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return cursor.fetchone()[0], 0


def _logs() -> tuple[int, int]:
    if not settings.LOG_FILE:
        return 0, 0
    path = Path(settings.LOG_FILE)
    there = [one for one in path.parent.glob(f"{path.name}*") if one.is_file()]
    return sum(one.stat().st_size for one in there), len(there)


def database_version() -> str:
    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0].split()[0]}"
