"""A backup: one zip file with everything, written while the site runs.

    manifest.json       what is in it: format, release, migrations, how many rows, the SHA-256 of every member
    secret_key          or printed QR codes would stop working
    rows/people.person.jsonl, ...
    files/...           what the site keeps below var/files

The SHA-256 of the manifest is the comment of the zip. Sessions and caches are left out: after a restore people log in
again; passes, links and accounts are all there.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from django.utils import timezone

from jobs.registry import Progress
from ops import release, row_json
from ops.consistent_read import consistent_read
from refusal import Refusal

# What a backup says of itself; files of other releases have other keys.
Manifest = dict[str, Any]

FORMAT = 1
MANIFEST = "manifest.json"
SECRET_KEY = "secret_key"
LEFT_OUT = {"sessions.Session"}
CHUNK = 2**20


def no_progress(stage: str, k: int = 0, n: int = 0) -> None:
    """A progress callback that does nothing."""


def models_to_back_up() -> list[type[Model]]:
    kept = [
        model for model in apps.get_models(include_auto_created=True) if model._meta.managed and not model._meta.proxy
    ]
    return sorted(
        (model for model in kept if model._meta.label not in LEFT_OUT), key=lambda model: model._meta.label_lower
    )


def member_name(label: str) -> str:
    return f"rows/{label.lower()}.jsonl"


def write_backup(path: Path, progress: Progress = no_progress, now: dt.datetime | None = None) -> Manifest:
    """Write the backup, completely or not at all. Returns its manifest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        # It holds the secret key: only its owner may read it.
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=5) as archive:
                manifest = BackupWriter(archive, progress).everything(now or timezone.now())
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return manifest


class BackupWriter:
    def __init__(self, archive: zipfile.ZipFile, progress: Progress) -> None:
        self.archive = archive
        self.progress = progress
        self.members: dict[str, dict[str, object]] = {}

    def everything(self, now: dt.datetime) -> Manifest:
        with consistent_read():
            migrations = applied_migrations()
            self.member(SECRET_KEY, [settings.SECRET_KEY.encode()])
            # Files first: they may be cleared away meanwhile, rows of this moment may not.
            files = self.files(Path(settings.MEDIA_ROOT))
            counts = self.tables()
        manifest = {
            "format": FORMAT,
            "release": release.version(),
            "made_at": now.astimezone(dt.UTC).isoformat(timespec="seconds"),
            "database": connection.vendor,
            "migrations": migrations,
            "rows": counts,
            "files": files,
            "left_out": sorted(LEFT_OUT),
            "members": self.members,
        }
        text = json.dumps(manifest, indent=1, sort_keys=True).encode()
        self.archive.writestr(MANIFEST, text)
        self.archive.comment = hashlib.sha256(text).hexdigest().encode()
        return manifest

    def files(self, root: Path) -> int:
        found = (
            sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
            if root.is_dir()
            else []
        )
        written = 0
        for number, path in enumerate(found):
            self.progress("Copying files", number, len(found))
            with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
                self.member(
                    f"files/{path.relative_to(root).as_posix()}", iter(functools.partial(file.read, CHUNK), b"")
                )
                written += 1
        self.progress("Copying files", len(found), len(found))
        return written

    def tables(self) -> dict[str, int]:
        models = models_to_back_up()
        total = sum(model._base_manager.count() for model in models)
        counts: dict[str, int] = {}
        done = 0
        for model in models:
            label = model._meta.label_lower
            counts[label] = 0

            def counted(model: type[Model] = model, label: str = label) -> Iterator[bytes]:
                nonlocal done
                for line in row_json.write_rows(model):
                    counts[label] += 1
                    done += 1
                    if done % 200 == 0:
                        self.progress("Writing rows", done, total)
                    yield line

            self.member(member_name(label), counted())
        self.progress("Writing rows", total, total)
        return counts

    def member(self, name: str, pieces: Iterable[bytes]) -> None:
        digest = hashlib.sha256()
        size = 0
        with self.archive.open(name, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        self.members[name] = {"sha256": digest.hexdigest(), "size": size}


def applied_migrations() -> dict[str, list[str]]:
    """The applied migrations. They must match this release, or its models cannot read the rows."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise Refusal("The database is not up to date. Run manage.py migrate, then make the backup.", status=409)
    known: dict[str, list[str]] = {}
    for app, name in sorted(executor.loader.graph.nodes):
        known.setdefault(app, []).append(name)
    return known
