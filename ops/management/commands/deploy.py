"""manage.py deploy"""

import compileall
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection, models
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import (
    AddField,
    AlterField,
    AlterModelTable,
    CreateModel,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
    RunPython,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.fields import NOT_PROVIDED

from config import gunicorn_addresses
from people.accounts import services

NOT_OURS = re.compile(r"/(\.venv|tests|var)/")
# Any number will do, as long as every release uses the same one.
DEPLOY_LOCK = 7_403_201


class Command(BaseCommand):
    help = "Prepare a new release: check the settings, update the tables, collect static files. Safe to run twice."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--keep-running",
            action="store_true",
            help="Stop if the older release, still running, could not work with the new tables.",
        )

    def handle(self, *args: Any, keep_running: bool = False, **options: Any) -> None:
        call_command("check", deploy=not settings.AT_HOME, stdout=self.stdout, stderr=self.stderr)
        with _one_at_a_time():
            pending, conflicts = self._pending_migrations()
            if conflicts:
                self._explain(conflicts, keep_running)
            if pending:
                call_command("migrate", interactive=False, verbosity=0)
            self.stdout.write(f"Tables: {_count(pending, 'migration')} applied." if pending else "Tables: up to date.")
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"Static files: collected in {settings.STATIC_ROOT}.")
        # Where the processes may not write beside our code, each start would compile all of it again.
        compileall.compile_dir(settings.BASE_DIR, quiet=2, rx=NOT_OURS)
        if warning := gunicorn_addresses.warning(gunicorn_addresses.known_binds()):
            self.stdout.write(f"Warning: {warning}")
        if services.has_no_owner():
            call_command("owner_code", stdout=self.stdout)
        self.stdout.write("Ready. Start or restart the processes.")

    def _pending_migrations(self) -> "tuple[int, list[Conflict]]":
        executor = MigrationExecutor(connection)
        plan = [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
        if not executor.loader.applied_migrations:
            return len(plan), []  # a new site has no older release
        applied = [key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes]
        before = executor.loader.project_state(applied) if plan else None
        return len(plan), find_conflicts(plan, before)

    def _explain(self, conflicts: "list[Conflict]", keep_running: bool) -> None:
        for conflict in conflicts:
            self.stdout.write(f"  {conflict}")
        sentence = "The older release cannot work with these changes. Stop its processes first."
        if keep_running:
            raise CommandError(f"{sentence} Nothing was changed.")
        self.stdout.write(sentence)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """On PostgreSQL two machines that deploy at once wait for each other. SQLite has one machine and its own lock."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CommandError(f"The database does not answer. Check DATABASE_URL. ({str(error).strip()})") from error
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [DEPLOY_LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [DEPLOY_LOCK])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# ── Which pending migrations an older release, still running beside the new one, could not work with ─────
# A migration says what its operations do not show: ``locks_out_older_release = "why"`` for one that needs the older
# processes to stop, ``suits_older_release = "why"`` for one whose own code or SQL does no harm to them.


LOCKS_OUT, SUITS = "locks_out_older_release", "suits_older_release"
# What older code still reads or writes under its old name.
TAKES_AWAY = (RemoveField, DeleteModel, RenameField, RenameModel, AlterModelTable)
OWN_CODE = (RunPython, RunSQL)


@dataclass(frozen=True, slots=True)
class Conflict:
    migration: str
    what: str

    def __str__(self) -> str:
        return f"{self.migration}: {self.what}"


def find_conflicts(pending: Iterable[Migration], before: ProjectState | None = None) -> list[Conflict]:
    """Operations that break an older release. Tables made by the same pending migrations are new to everybody.

    ``before``: the models as they are now; with them a narrower column is found too.
    """
    conflicts: list[Conflict] = []
    new_tables: set[tuple[str, str]] = set()
    state = before.clone() if before is not None else None
    for migration in pending:
        label = f"{migration.app_label}.{migration.name}"
        if why := getattr(migration, LOCKS_OUT, ""):
            conflicts.append(Conflict(label, why))
        suits = bool(getattr(migration, SUITS, ""))
        for operation in _database_operations(migration.operations):
            name = getattr(operation, "model_name", getattr(operation, "name", None)) or ""
            table = (migration.app_label, name.lower())
            if isinstance(operation, CreateModel):
                new_tables.add(table)
            elif why or table in new_tables or (suits and isinstance(operation, OWN_CODE)):
                continue
            elif _breaks_older_code(operation, _field(state, table, operation)):
                conflicts.append(Conflict(label, operation.describe()))
        if state is not None:
            state = migration.mutate_state(state, preserve=False)
    return conflicts


def _database_operations(operations: Iterable[Operation]) -> Iterable[Operation]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _database_operations(operation.database_operations)
        else:
            yield operation


def _field(state: ProjectState | None, table: tuple[str, str], operation: Operation) -> models.Field | None:
    """The field as it was, where an operation changes one that is known."""
    if state is None or not isinstance(operation, AlterField) or table not in state.models:
        return None
    return state.models[table].fields.get(operation.name)


def _breaks_older_code(operation: Operation, old: models.Field | None) -> bool:
    if isinstance(operation, (*TAKES_AWAY, *OWN_CODE)):
        return True
    # Older code leaves a new column out when it adds a row, and Django sets no default in the database unless asked.
    if isinstance(operation, AddField):
        return _needs_a_value(operation.field)
    if not isinstance(operation, AlterField):
        return False
    if old is not None and _is_narrower(operation.field, old):
        return True
    return _needs_a_value(operation.field) and operation.preserve_default is False


def _is_narrower(new: models.Field, old: models.Field) -> bool:
    """Whether older code can write what no longer fits, or reads another type."""
    if new.get_internal_type() != old.get_internal_type() or (old.null and not new.null):
        return True
    return new.max_length is not None and (old.max_length is None or new.max_length < old.max_length)


def _needs_a_value(field: models.Field) -> bool:
    return not (field.null or field.many_to_many or field.db_default is not NOT_PROVIDED)
