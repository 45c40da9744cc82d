"""The backups in var/backups, made by hand and every night. The newest few are kept."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import timezone

NAME = re.compile(r"companion-\d{4}-\d{2}-\d{2}-\d{6}\.zip")


@dataclass(frozen=True, slots=True)
class BackupCopy:
    name: str
    size: int
    made_at: dt.datetime


def new_copy_path(now: dt.datetime | None = None) -> Path:
    return Path(settings.BACKUPS) / f"companion-{now or timezone.now():%Y-%m-%d-%H%M%S}.zip"


def list_copies() -> list[BackupCopy]:
    """All backups, newest first."""
    folder = Path(settings.BACKUPS)
    if not folder.is_dir():
        return []
    rows = []
    for path in folder.iterdir():
        if NAME.fullmatch(path.name):
            about = path.stat()
            rows.append(BackupCopy(path.name, about.st_size, dt.datetime.fromtimestamp(about.st_mtime, dt.UTC)))
    return sorted(rows, key=lambda row: row.name, reverse=True)


def find_copy(name: str) -> Path | None:
    """The backup of that name. Only names of backups are ever looked up."""
    path = Path(settings.BACKUPS) / name
    return path if NAME.fullmatch(name) and path.is_file() else None


def prune_copies() -> int:
    """Delete all but the newest KEEP_COPIES. 0 keeps all."""
    if not settings.KEEP_COPIES:
        return 0
    surplus = list_copies()[settings.KEEP_COPIES :]
    for copy in surplus:
        (Path(settings.BACKUPS) / copy.name).unlink(missing_ok=True)
    return len(surplus)
