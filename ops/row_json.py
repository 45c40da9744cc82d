"""Rows as lines of JSON and back, whatever the database: the language a backup is written in."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import json
import uuid
from collections.abc import Iterator
from typing import Any

from django.db import models, reset_queries
from django.db.models import Field, JSONField, Model, Value
from django.utils.duration import duration_string


def fields_of(model: type[Model]) -> list[Field]:
    """The columns that are written; what the database works out by itself is not."""
    return [field for field in model._meta.local_concrete_fields if not getattr(field, "generated", False)]


def lines(model: type[Model], chunk: int = 500) -> Iterator[bytes]:
    """Every row of a model as one line, in the order of the key. Keys inside are sorted, as PostgreSQL forgets their order."""
    fields = fields_of(model)
    names = [field.attname for field in fields]
    rows = model._base_manager.order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=chunk):
        record = {field.attname: _written(field, value) for field, value in zip(fields, row, strict=True)}
        yield json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _written(field: Field, value: Any) -> Any:
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


def read(model: type[Model], line: bytes) -> Model:
    """The row again, not yet saved."""
    record = json.loads(line)
    fields = fields_of(model)
    if record.keys() != {field.attname for field in fields}:
        raise ValueError(f"a row of {model._meta.label} has other columns than this release knows")
    return model(**{field.attname: _read(field, record[field.attname]) for field in fields})


def _read(field: Field, value: Any) -> Any:
    if isinstance(field, JSONField):
        # None in a column that may not be NULL is JSON's own null.
        return Value(None, JSONField()) if value is None and not field.null else value
    if value is None:
        return None
    if isinstance(field, models.BinaryField):
        return base64.b64decode(value)
    return field.to_python(value)


def write(model: type[Model], rows: list[Model]) -> None:
    """Into the table exactly as they are: raw, so that no field sets itself to today."""
    model._base_manager._insert(rows, fields=fields_of(model), using="default", raw=True)
    reset_queries()  # with DEBUG on Django would keep every statement in memory
