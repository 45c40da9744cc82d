"""Rows as lines of JSON and back, for any database: the format of a backup."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

from django.db import models, reset_queries
from django.db.models import Field, JSONField, Model, Value
from django.utils.duration import duration_string

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
            return [_replace_unstorable(one) for one in value]
        case dict():
            return {_replace_unstorable(key): _replace_unstorable(one) for key, one in value.items()}
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
