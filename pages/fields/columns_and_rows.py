"""Between a dataclass that is sent or stored and a row of the database: columns, values of a row, entries of a log."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from typing import Any, TypeVar

from django.db import models

from dataclass_json import Text, find_mark, type_of_field

T = TypeVar("T")


def column(kind: type, name: str, *, field: type[models.Field] = models.CharField, **options: Any) -> models.Field:
    """The column that keeps a text of this dataclass, with its limit."""
    limit = find_mark(type_of_field(kind, name), Text)
    if limit is None:
        raise TypeError(f"{kind.__name__}.{name} is no text with a limit.")
    return field(max_length=limit.most, blank=limit.empty, **options)


def take(kind: type[T], row: object, **given: Any) -> T:
    """The dataclass as it is in this row."""
    names = [field.name for field in fields(kind) if field.init and field.name not in given]  # type: ignore[arg-type]
    return kind(**{name: getattr(row, name) for name in names}, **given)


def as_rows(kind: type[T]) -> Callable[[Iterable[object]], list[T]]:
    """What turns rows of the database into such dataclasses."""
    return lambda rows: [take(kind, row) for row in rows]


def put(row: object, sent: object, *, but: Collection[str] = ()) -> None:
    """Into the row, which must have them all; ``but`` names what it does not."""
    for field in fields(sent):  # type: ignore[arg-type]
        if field.name not in but:
            if not hasattr(row, field.name):
                raise AttributeError(f"{type(row).__name__} has no {field.name}.")
            setattr(row, field.name, getattr(sent, field.name))


def extend(kind: type[T], sent: object, **more: Any) -> T:
    """An entry with what was sent, as far as it keeps that, and more."""
    kept = {field.name for field in fields(kind)} - set(more)  # type: ignore[arg-type]
    shared = [field.name for field in fields(sent) if field.name in kept]  # type: ignore[arg-type]
    return kind(**{name: getattr(sent, name) for name in shared}, **more)
