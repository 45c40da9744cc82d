"""Which pending migrations an older release, still running beside the new one, could not work with.

A migration says what its operations do not show: ``locks_out_older_release = "why"`` for one that needs the older
processes to stop, ``suits_older_release = "why"`` for one whose own code or SQL does no harm to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.db.migrations import Migration
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
    found: list[Conflict] = []
    new_tables: set[tuple[str, str]] = set()
    state = before.clone() if before is not None else None
    for migration in pending:
        label = f"{migration.app_label}.{migration.name}"
        if why := getattr(migration, LOCKS_OUT, ""):
            found.append(Conflict(label, why))
        suits = bool(getattr(migration, SUITS, ""))
        for operation in _database_operations(migration.operations):
            name = getattr(operation, "model_name", getattr(operation, "name", None)) or ""
            table = (migration.app_label, name.lower())
            if isinstance(operation, CreateModel):
                new_tables.add(table)
            elif why or table in new_tables or (suits and isinstance(operation, OWN_CODE)):
                continue
            elif _breaks_older_code(operation, _field(state, table, operation)):
                found.append(Conflict(label, operation.describe()))
        if state is not None:
            state = migration.mutate_state(state, preserve=False)
    return found


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
