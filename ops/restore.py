"""Reading a backup back into an empty site: every byte is checked before anything is written.

The tables are built as they were when the backup was made, filled, and only then brought up to this release by its own
migrations; so a file of an older release restores as that release would have been updated.
"""

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from jobs.models import Job, State
from ops import backup
from ops.backup import Manifest
from refusal import Refusal

# Tables that fill themselves: a site that was started once and never used still counts as empty.
SELF_FILLED = {"django_migrations", "django_content_type", "auth_permission", "django_session", "jobs_due"}
BATCH = 200

Say = Callable[[str], None]


def restore(path: Path, say: Say = lambda sentence: None) -> Manifest:
    """Restore the site from a backup. Returns the manifest."""
    with open_backup(path) as archive:
        manifest = check_backup(archive, path)
        leaves = known_leaves(manifest)
        check_names(manifest, leaves)
        refuse_unless_empty()
        say("The file is complete. Creating the tables as they were.")
        state = build_tables(leaves)
        load_tables(archive, manifest, state, say)
        unpack_files(archive, manifest)
        key = archive.read(backup.SECRET_KEY).decode()
    say("Updating the tables to this release.")
    migrate_forward()
    Job.objects.filter(state=State.RUNNING).update(
        state=State.FAILED,
        lease_token="",
        lease_until=None,
        error="The site was restored from a backup made while this job was running. Start it again.",
    )
    save_secret_key(key, say)
    return manifest


# ── Is the file what it says? ────────────────────────────────────────────────────────────────────────────


@contextmanager
def open_backup(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise Refusal(f"{path} does not exist.") from error
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Refusal(
            f"{path.name} is not a complete backup. It was cut short, or it is another kind of file."
        ) from error
    with archive:
        yield archive


def check_backup(archive: zipfile.ZipFile, path: Path) -> Manifest:
    """The manifest, once every file in the backup has been checked against it."""
    changed = Refusal(f"{path.name} was changed or damaged. Use another backup.")
    names = [info.filename for info in archive.infolist()]
    if backup.MANIFEST not in names:
        raise Refusal(f"{path.name} is not a backup of this site: it has no manifest.")
    try:
        text = archive.read(backup.MANIFEST)
        manifest = json.loads(text)
        number = manifest["format"]
    except Exception as error:  # damage shows as any of a dozen errors of zipfile and zlib
        raise changed from error
    if isinstance(number, int) and number > backup.FORMAT:
        raise newer_release_refusal(manifest)
    if hashlib.sha256(text).hexdigest().encode() != archive.comment:
        raise changed
    if sorted(names) != sorted([backup.MANIFEST, *manifest["members"]]):
        raise changed
    for name, listed in manifest["members"].items():
        digest = hashlib.sha256()
        size = 0
        try:
            with archive.open(name) as member:
                while piece := member.read(backup.CHUNK):
                    digest.update(piece)
                    size += len(piece)
        except Exception as error:
            raise changed from error
        if (digest.hexdigest(), size) != (listed["sha256"], listed["size"]):
            raise changed
    return manifest


def newer_release_refusal(manifest: Manifest) -> Refusal:
    return Refusal(
        f"This backup was made by a newer release ({manifest.get('release', 'unknown')}). "
        "Update the companion, then restore it."
    )


def known_leaves(manifest: Manifest) -> list[tuple[str, str]]:
    """The last migration of every app when the backup was made; all of them must be known here."""
    graph = MigrationLoader(None, ignore_no_migrations=True).graph
    had = {(app, name) for app, names in manifest["migrations"].items() for name in names}
    if had - set(graph.nodes):
        raise newer_release_refusal(manifest)
    return sorted(
        node
        for node in had
        if not any(child.key in had and child.key[0] == node[0] for child in graph.node_map[node].children)
    )


def check_names(manifest: Manifest, leaves: list[tuple[str, str]]) -> None:
    """Every table and every file has a name that this site can use. Checked before anything is written."""
    apps = MigrationLoader(None, ignore_no_migrations=True).project_state(leaves).apps
    labels = {model._meta.label_lower: model._meta.label for model in apps.get_models(include_auto_created=True)}
    for label in manifest["rows"]:
        if label not in labels:
            raise Refusal(f"The backup has rows of {label}, which this release does not know. Nothing was restored.")
        if backup.member_name(labels[label]) not in manifest["members"]:
            raise Refusal(f"The rows of {label} are missing from the backup. Nothing was restored.")
    for name in manifest["members"]:
        if name.startswith("files/"):
            safe_parts(name)


def safe_parts(name: str) -> tuple[str, ...]:
    parts = PurePosixPath(name).parts[1:]
    if not parts or ".." in parts or PurePosixPath(*parts).is_absolute() or "\\" in name or "\0" in name:
        raise Refusal(f"The backup contains a file with an unsafe path: {name}")
    return parts


# ── Is there room for it? ────────────────────────────────────────────────────────────────────────────────


def refuse_unless_empty() -> None:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table in SELF_FILLED:
                continue
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # nosec
            if cursor.fetchone():
                raise Refusal(
                    f"The database is not empty: there are rows in {table}. A restore never overwrites. Use an empty "
                    "one: VAR=another-folder for SQLite, or a new DATABASE_URL.",
                    status=409,
                )
    files = Path(settings.MEDIA_ROOT)
    if files.is_dir() and any(path.is_file() for path in files.rglob("*")):
        raise Refusal(
            f"The folder {files} is not empty. A restore never overwrites. Move it away, or choose another folder: "
            "VAR=another-folder",
            status=409,
        )


# ── Rows ─────────────────────────────────────────────────────────────────────────────────────────────────


def build_tables(leaves: list[tuple[str, str]]) -> Any:
    """Create the empty tables of that release. Returns the models that fit them."""
    drop_tables()
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    state = executor.migrate(leaves)
    return state


def drop_tables() -> None:
    """Drop the empty tables, which may be those of another release."""
    ours = {*connection.introspection.django_table_names(only_existing=True, include_views=False), "django_migrations"}
    there = ours & set(connection.introspection.table_names())
    if not there:
        return
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.schema_editor() as editor:
        for table in sorted(there):
            editor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


def load_tables(archive: zipfile.ZipFile, manifest: Manifest, state: Any, say: Say) -> None:
    """Load all rows in one transaction; foreign keys are checked at its end, so the order does not matter."""
    models = {model._meta.label_lower: model for model in state.apps.get_models(include_auto_created=True)}
    try:
        with transaction.atomic(durable=True):
            for label in manifest["rows"]:
                model = models[label]
                model._base_manager.all().delete()  # what a migration filled in by itself
            for label, count in manifest["rows"].items():
                if count:
                    say(f"{label}: {count}")
                if load_table(archive, models[label]) != count:
                    raise Refusal(f"The number of rows in {label} differs from the manifest.")
            connection.check_constraints()
            reset_counters(list(models.values()))
    except (IntegrityError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal(f"The rows of this backup do not fit together: {error}") from error


def load_table(archive: zipfile.ZipFile, model: type[Model]) -> int:
    fields = len(backup.fields_of(model))
    # SQLite counts the values of one statement.
    at_once = max(1, min(BATCH, (connection.features.max_query_params or 10**6) // fields))
    batch: list[Model] = []
    count = 0
    with archive.open(backup.member_name(model._meta.label)) as member:
        for line in member:
            batch.append(backup.read_row(model, line))
            count += 1
            if len(batch) >= at_once:
                backup.insert_rows(model, batch)
                batch = []
    if batch:
        backup.insert_rows(model, batch)
    return count


def reset_counters(models: list[type[Model]]) -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def migrate_forward() -> None:
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)


# ── Files and the key ────────────────────────────────────────────────────────────────────────────────────


def unpack_files(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    target = Path(settings.MEDIA_ROOT)
    beside = target.with_name(target.name + ".restoring")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    for name in manifest["members"]:
        if not name.startswith("files/"):
            continue
        path = beside.joinpath(*safe_parts(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(name) as member, path.open("wb") as file:
            shutil.copyfileobj(member, file, backup.CHUNK)
    shutil.rmtree(target, ignore_errors=True)  # empty folders at most
    beside.rename(target)


def save_secret_key(key: str, say: Say) -> None:
    if os.environ.get("SECRET_KEY", "").strip() and key != settings.SECRET_KEY:
        say(
            "SECRET_KEY differs from the key of this backup, so printed QR codes and links will not work. "
            "Unset it, or use the key in the file secret_key inside the backup."
        )
        return
    path = Path(settings.VAR) / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name("secret_key.restored")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(key)
    os.replace(new, path)
    settings.SECRET_KEY = key  # whatever else this process does, it does as the restored site
