"""A backup: one zip file with everything, written while the site runs.

    manifest.json       what is in it: format, release, migrations, how many rows, the SHA-256 of every member
    secret_key          or printed QR codes would stop working
    rows/people.person.jsonl, ...
    files/...           what the site keeps below var/files

The SHA-256 of the manifest is the comment of the zip. Sessions and caches are left out: after a restore people log in
again; passes, links and accounts are all there.
"""

import base64
import contextlib
import datetime as dt
import decimal
import functools
import hashlib
import json
import os
import re
import uuid
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, reset_queries, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, JSONField, Model, Value
from django.utils import timezone
from django.utils.duration import duration_string

from jobs.registry import Progress
from ops import health
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
            "release": health.version(),
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
        paths = (
            sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
            if root.is_dir()
            else []
        )
        written = 0
        for number, path in enumerate(paths):
            self.progress("Copying files", number, len(paths))
            with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
                self.member(
                    f"files/{path.relative_to(root).as_posix()}", iter(functools.partial(file.read, CHUNK), b"")
                )
                written += 1
        self.progress("Copying files", len(paths), len(paths))
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
                for line in write_rows(model):
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


# ── The backups in var/backups, made by hand and every night. The newest few are kept ────────────────────


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


# ── Read the whole database as it was at one moment, while others go on writing ──────────────────────────


@contextmanager
def consistent_read() -> Iterator[None]:
    if connection.vendor == "sqlite":
        # Not transaction.atomic(): that takes the write lock at once (IMMEDIATE), and the site would stand still.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            cursor.execute("SELECT name FROM sqlite_master LIMIT 1")  # the moment is that of the first reading
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


# ── Rows as lines of JSON and back, for any database: the format of a backup ─────────────────────────────


# NUL and halves of surrogate pairs: older releases stored them in SQLite, and PostgreSQL cannot.
UNSTORABLE = re.compile(rb"\\u(0000|d[89a-f])")


def fields_of(model: type[Model]) -> list[Field]:
    """The columns that are written; generated ones are not."""
    return [field for field in model._meta.local_concrete_fields if not getattr(field, "generated", False)]


def write_rows(model: type[Model], chunk: int = 500) -> Iterator[bytes]:
    """Every row of a model as one line, by primary key. JSON keys are sorted: PostgreSQL does not keep their order."""
    fields = fields_of(model)
    names = [field.attname for field in fields]
    rows = model._base_manager.order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=chunk):
        record = {field.attname: _to_json(field, value) for field, value in zip(fields, row, strict=True)}
        yield json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _to_json(field: Field, value: Any) -> Any:
    if value is None or isinstance(field, JSONField):
        return value
    match value:
        case bool() | int() | float() | str():
            return value
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return duration_string(value)
        case decimal.Decimal() | uuid.UUID():
            return str(value)
        case bytes() | memoryview():
            return base64.b64encode(bytes(value)).decode()
    raise TypeError(f"{field} holds a {type(value).__name__}, which a backup cannot write yet")


def read_row(model: type[Model], line: bytes) -> Model:
    """Read one line back into an unsaved row."""
    record = json.loads(line, parse_constant=lambda name: None)
    if UNSTORABLE.search(line):
        record = _replace_unstorable(record)
    fields = fields_of(model)
    if record.keys() != {field.attname for field in fields}:
        raise ValueError(f"a row of {model._meta.label} has columns this release does not know")
    return model(**{field.attname: _from_json(field, record[field.attname]) for field in fields})


def _replace_unstorable(value: Any) -> Any:
    match value:
        case str():
            return value.replace("\0", "\ufffd").encode(errors="replace").decode()
        case list():
            return [_replace_unstorable(item) for item in value]
        case dict():
            return {_replace_unstorable(key): _replace_unstorable(inner) for key, inner in value.items()}
    return value


def _from_json(field: Field, value: Any) -> Any:
    if isinstance(field, JSONField):
        # None in a column that may not be NULL is JSON's own null.
        return Value(None, JSONField()) if value is None and not field.null else value
    if value is None:
        return None
    if isinstance(field, models.BinaryField):
        return base64.b64decode(value)
    return field.to_python(value)


def insert_rows(model: type[Model], rows: list[Model]) -> None:
    """Insert the rows exactly as they are: raw, so that no auto_now field changes."""
    model._base_manager._insert(rows, fields=fields_of(model), using="default", raw=True)
    reset_queries()  # with DEBUG on Django would keep every statement in memory
