"""Which pending migrations an older release, still running beside the new one, could not work with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.db.migrations import Migration
from django.db.migrations.operations import (
    AddField,
    AlterField,
    AlterModelTable,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
    SeparateDatabaseAndState,
)
from django.db.migrations.operations.base import Operation
from django.db.models.fields import NOT_PROVIDED

# What older code still reads or writes under its old name.
TAKES_AWAY = (RemoveField, DeleteModel, RenameField, RenameModel, AlterModelTable)


@dataclass(frozen=True, slots=True)
class Conflict:
    migration: str
    what: str

    def __str__(self) -> str:
        return f"{self.migration}: {self.what}"


def find_conflicts(pending: Iterable[Migration]) -> list[Conflict]:
    """Operations that break an older release. Tables made by the same pending migrations are new to everybody."""
    found: list[Conflict] = []
    new_tables: set[tuple[str, str]] = set()
    for migration in pending:
        label = f"{migration.app_label}.{migration.name}"
        for operation in _database_operations(migration.operations):
            name = getattr(operation, "model_name", getattr(operation, "name", "")).lower()
            if type(operation).__name__ == "CreateModel":
                new_tables.add((migration.app_label, name))
            elif (migration.app_label, name) not in new_tables and _breaks_older_code(operation):
                found.append(Conflict(label, operation.describe()))
    return found


def _database_operations(operations: Iterable[Operation]) -> Iterable[Operation]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _database_operations(operation.database_operations)
        else:
            yield operation


def _breaks_older_code(operation: Operation) -> bool:
    if isinstance(operation, TAKES_AWAY):
        return True
    # Older code leaves a new column out when it adds a row, and Django sets no default in the database unless asked.
    if isinstance(operation, AddField):
        return _needs_a_value(operation.field)
    return isinstance(operation, AlterField) and _needs_a_value(operation.field) and operation.preserve_default is False


def _needs_a_value(field: models.Field) -> bool:
    return not (field.null or field.many_to_many or field.db_default is not NOT_PROVIDED)
