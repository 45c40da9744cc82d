"""Queries that Django works out once and runs often.

Most of a page's time went into turning the same filters into the same SQL. ``@prepared_query`` keeps that SQL:

    @prepared_query
    def _open_tables(who: Who, game: str) -> QuerySet[Table]:
        return Table.objects.visible_to(who).filter(game=game)

    tables = _open_tables(request.who, "moods")    # a list; only the values are new

The function is called once for each *shape* of its arguments, with stand-ins for numbers, texts and moments; where they
turn up among the parameters of the SQL, later calls put their own values. It must therefore be a pure description: no
look at a number's or text's value, no other query, no slice by an argument, and no clock (the moment is an argument).
Whoever tries gets a TypeError at the first call. Everything else (None, True, an enum, and what is given by keyword) is
part of the shape. A tuple of numbers stands for a set, for ``__in``.

``insert_row(row)`` and ``update_row(row, "version", "size")`` store an object as ``row.save()`` does, for the few
writes that every choice at a card table makes.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Protocol, runtime_checkable

from django.apps import apps
from django.core.exceptions import EmptyResultSet
from django.db import DatabaseError, connections, transaction
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    ValuesIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, post_save, pre_init, pre_save

from postgres_plans import can_plan, run_planned

KEPT_SHAPES = 256  # for each query
# Descriptors of fields whose value is what the database gave.
PLAIN_FIELDS = {DeferredAttribute, ForeignKeyDeferredAttribute}
_LEAST, _MOST = -(2**63), 2**63 - 1
_RANDOM = secrets.SystemRandom()
_SIGNALS = (pre_save, post_save)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d")


@runtime_checkable
class Preparable(Protocol):
    """An argument with several values inside, such as the requester."""

    def prepared_values(self) -> tuple[Hashable, tuple[int, ...]]:
        """What its queries depend on beside numbers, and the numbers."""

    def prepared_stand_in(self, numbers: Sequence[int]) -> Any:
        """The same with other numbers."""


class prepared_query:
    """The queryset that ``build`` describes, as a list, with its SQL worked out once."""

    def __init__(self, build: Callable[..., Any]) -> None:
        self.build = build
        self.__doc__ = build.__doc__
        self._compiled: OrderedDict[Hashable, _Compiled] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **fixed: Hashable) -> list[Any]:
        shape: list[Hashable] = [*fixed.items()]
        values: list[object] = []
        for arg in args:
            _flatten(arg, shape, values)
        key = tuple(shape)
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = _compile(partial(self.build, **fixed) if fixed else self.build, args)
            with self._lock:
                self._compiled[key] = compiled
                while len(self._compiled) > KEPT_SHAPES:
                    self._compiled.popitem(last=False)
        return compiled.fetch(values)

    def first(self, *args: Any, **fixed: Hashable) -> Any:
        """The first row, or None."""
        rows = self(*args, **fixed)
        return rows[0] if rows else None


def _flatten(arg: Any, shape: list[Hashable], values: list[object]) -> None:
    """Append what the SQL depends on to ``shape``, and what it only carries to ``values``."""
    kind = type(arg)
    if kind is int and not _LEAST <= arg <= _MOST:
        shape.append(arg)  # no database has such a number: Django knows what that means for each comparison
    elif kind is int or kind is str or kind is dt.datetime or kind is dt.date:
        shape.append(kind.__name__)
        values.append(arg)
    elif kind is tuple:
        padded = _pad(arg)
        shape.append(("set", len(padded), type(padded[0]).__name__ if padded else None))
        values.extend(padded)
    elif isinstance(arg, Preparable):
        constants, numbers = arg.prepared_values()
        shape.append(("parts", constants, len(numbers)))
        values.extend(numbers)
    else:
        shape.append(arg)


def _pad(numbers: tuple[Any, ...]) -> tuple[Any, ...]:
    """A set of 1, 2, 4, 8 … members: the last one is repeated, so that there are few shapes."""
    size = 1
    while size < len(numbers):
        size *= 2
    return numbers + numbers[-1:] * (size - len(numbers)) if numbers else ()


def _stand_ins(args: Sequence[Any]) -> tuple[list[Any], list[Any], set[int]]:
    """Arguments of the same shape with values that are nowhere else; these values; those that may go unused."""
    unique = itertools.count(_RANDOM.randrange(10**9, 2 * 10**9))
    flat: list[Any] = []
    optional: set[int] = set()

    def one(value: Any) -> Any:
        number = next(unique)
        if type(value) is int:
            mark: Any = number
        elif type(value) is str:
            mark = f"prepared-{number}-{secrets.token_hex(4)}"
        elif type(value) is dt.datetime:
            mark = dt.datetime(2400, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=number * 1_000_003)
        elif type(value) is dt.date:
            mark = dt.date(2400, 1, 1) + dt.timedelta(days=number % 2_000_000)
        else:
            raise TypeError(f"A prepared query takes numbers, texts and moments in a tuple, not {value!r}.")
        flat.append(mark)
        return mark

    made: list[Any] = []
    for arg in args:
        if type(arg) is int and not _LEAST <= arg <= _MOST:
            made.append(arg)
        elif type(arg) in (int, str, dt.datetime, dt.date):
            made.append(one(arg))
        elif type(arg) is tuple:
            made.append(tuple(one(value) for value in _pad(arg)))
        elif isinstance(arg, Preparable):
            _, numbers = arg.prepared_values()
            optional |= set(range(len(flat), len(flat) + len(numbers)))
            made.append(arg.prepared_stand_in([one(number) for number in numbers]))
        else:
            made.append(arg)
    return made, flat, optional


def _refuse_queries(*_: Any) -> Any:
    raise TypeError("A prepared query must not ask the database while it is described.")


class _Compiled:
    """SQL with places for values, and how its rows become objects."""

    def __init__(self, queryset: Any, marks: Sequence[Any], optional: set[int]) -> None:
        self.db = queryset.db
        connection = connections[self.db]
        compiler = queryset.query.get_compiler(using=self.db)
        self.sql = ""
        try:
            with connection.execute_wrapper(_refuse_queries):
                self.sql, params = compiler.as_sql()
        except EmptyResultSet:
            return  # whatever the values are: nothing fits
        places = {_as_parameter(connection, mark): number for number, mark in enumerate(marks)}
        self.params = [(places[param], None) if _is_place(param, places) else (-1, param) for param in params]
        missing = set(range(len(marks))) - {place for place, _ in self.params} - optional
        if any(place < 0 and _MOMENT.match(str(constant)) for place, constant in self.params):
            raise TypeError("A moment in a prepared query must be one of its arguments, or it would never pass.")
        if missing or any(str(mark) in self.sql for mark in marks):
            raise TypeError("A value of a prepared query is not a parameter of its SQL.")
        if queryset._prefetch_related_lookups:
            raise TypeError("A prepared query cannot prefetch.")
        # SQLite's cursor would put its own marks into the same text each time.
        self.ready_sql = FORMAT_QMARK_REGEX.sub("?", self.sql) if connection.vendor == "sqlite" else self.sql
        fields = [row[0] for row in compiler.select[: compiler.col_count]]
        self.columns = compiler.col_count
        self.converters = list(compiler.get_converters(fields).items())
        self.rows = _reader(queryset, compiler)

    def fetch(self, values: Sequence[object]) -> list[Any]:
        if not self.sql:
            return []
        connection = connections[self.db]
        params = [
            _as_parameter(connection, values[place]) if place >= 0 else constant for place, constant in self.params
        ]
        if can_plan(connection):
            found = run_planned(connection, self.sql, params)
        else:
            with connection.cursor() as cursor:
                # A log of queries fills the values in, and needs Django's marks for that.
                cursor.execute(self.sql if connection.queries_logged else self.ready_sql, params)
                found = cursor.fetchall()
        return list(self.rows(self._converted(found, connection)))

    def _converted(self, found: Sequence[Sequence[Any]], connection: Any) -> Iterator[Sequence[Any]]:
        if not self.converters:
            yield from found
            return
        for row in map(list, found):
            for place, (converters, expression) in self.converters:
                value = row[place]
                for convert in converters:
                    value = convert(value, expression, connection)
                row[place] = value
            yield row


def insert_row(row: Model) -> None:
    """Store a new object."""
    model: Any = type(row)
    if model in _saved_otherwise():
        row.save(force_insert=True)
        return
    connection = connections["default"]
    sql, fields = _insert_sql(model, connection.vendor)
    params = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields]
    if _has_expression(params):
        row.save(force_insert=True)
        return
    ((row.pk,),) = _write(connection, sql, params, has_rows=True)
    row._state.adding, row._state.db = False, "default"


def update_row(row: Model, *names: str) -> None:
    """Store these fields of an object."""
    model: Any = type(row)
    if model in _saved_otherwise():
        row.save(update_fields=names)
        return
    connection = connections["default"]
    sql, fields = _update_sql(model, names, connection.vendor)
    params = [field.get_db_prep_save(field.pre_save(row, False), connection) for field in fields]
    if _has_expression(params):
        row.save(update_fields=names)
        return
    if _write(connection, sql, [*params, row.pk]) != 1:
        raise DatabaseError(f"{row!r} is no longer stored.")


def _has_expression(params: Sequence[Any]) -> bool:
    """Whether the database is to work one out: ``F("version") + 1``, or the default of a column (``db_default``)."""
    return any(hasattr(param, "resolve_expression") for param in params)


def _write(connection: Any, sql: str, params: Sequence[Any], *, has_rows: bool = False) -> Any:
    with transaction.mark_for_rollback_on_error():
        if can_plan(connection):
            return run_planned(connection, sql, params)
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return cursor.fetchall() if has_rows else cursor.rowcount


@cache
def _insert_sql(model: type[Model], vendor: str) -> tuple[str, list[Any]]:
    quote = connections["default"].ops.quote_name
    key, fields = model._meta.pk, [field for field in model._meta.concrete_fields if not field.primary_key]
    columns, marks = ", ".join(quote(field.column) for field in fields), ", ".join("%s" for _ in fields)
    table = quote(model._meta.db_table)
    # Names of our own models, quoted; values are never part of it.
    sql = f"INSERT INTO {table} ({columns}) VALUES ({marks}) RETURNING {quote(key.column)}"  # nosec B608
    return sql, fields


@cache
def _update_sql(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, list[Any]]:
    quote = connections["default"].ops.quote_name
    fields = [model._meta.get_field(name) for name in names]
    changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    table, key = quote(model._meta.db_table), quote(model._meta.pk.column)
    return f"UPDATE {table} SET {changes} WHERE {key} = %s", fields  # nosec B608


@cache
def _saved_otherwise() -> set[type[Model]]:
    """Models whose ``save`` does more than to store the fields."""
    return {
        model
        for model in apps.get_models()
        if model.save is not Model.save or model._meta.parents or any(one.has_listeners(model) for one in _SIGNALS)
    }


def _is_place(param: Any, places: dict[Any, int]) -> bool:
    return isinstance(param, Hashable) and param in places


def _as_parameter(connection: Any, value: Any) -> Any:
    """A moment as this database takes it."""
    if type(value) is dt.datetime:
        return connection.ops.adapt_datetimefield_value(value)
    if type(value) is dt.date:
        return connection.ops.adapt_datefield_value(value)
    return value


def _compile(build: Callable[..., Any], args: Sequence[Any]) -> _Compiled:
    made, marks, optional = _stand_ins(args)
    _ = connections["default"].features.supports_json_field  # Django asks the database once whether it does
    with connections["default"].execute_wrapper(_refuse_queries):
        queryset = build(*made)
    return _Compiled(queryset, marks, optional)


def _reader(queryset: Any, compiler: Any) -> Callable[[Iterator[Sequence[Any]]], Iterator[Any]]:
    """How rows become what this queryset would give, as in django.db.models.query."""
    kind = queryset._iterable_class
    if kind is FlatValuesListIterable:
        return lambda rows: (row[0] for row in rows)
    if kind is ValuesListIterable:
        return lambda rows: map(tuple, rows)
    if kind is ValuesIterable:
        query = queryset.query
        names = list(query.selected or (*query.extra_select, *query.values_select, *query.annotation_select))
        return lambda rows: (dict(zip(names, row, strict=False)) for row in rows)
    if kind is not ModelIterable or queryset._known_related_objects:
        raise TypeError("A prepared query gives objects of a model, values or lists of values.")
    db, select, klass_info = queryset.db, compiler.select, compiler.klass_info
    annotations = list((compiler.annotation_col_map or {}).items())
    model, chosen = _quicker(klass_info["model"]), klass_info["select_fields"]
    start, end = chosen[0], chosen[-1] + 1
    names = [row[0].target.attname for row in select[start:end]]
    populators = get_related_populators(klass_info, select, db)
    _make_quicker(populators)

    def read(rows: Iterator[Sequence[Any]]) -> Iterator[Any]:
        for row in rows:
            made = model.from_db(db, names, row[start:end])
            for populator in populators:
                populator.populate(row, made)
            for name, place in annotations:
                setattr(made, name, row[place])
            yield made

    return read


class _QuickModel:
    """Makes objects of a model as ``Model.from_db`` does, but without a call for each field."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def from_db(self, db: str, names: Sequence[str], values: Sequence[Any]) -> Any:
        made = self.model.__new__(self.model)
        state = ModelState()
        state.adding, state.db = False, db
        made.__dict__.update(zip(names, values, strict=True), _state=state)
        return made


def _quicker(model: Any) -> Any:
    """The model itself if making one does more than to fill in its fields."""
    is_plain = (
        model.__init__ is Model.__init__
        and model.from_db.__func__ is Model.from_db.__func__
        and not pre_init.has_listeners(model)
        and not post_init.has_listeners(model)
        and all(field.descriptor_class in PLAIN_FIELDS for field in model._meta.concrete_fields)
    )
    return _QuickModel(model) if is_plain else model


def _make_quicker(populators: Sequence[Any]) -> None:
    for one in populators:
        one.model_cls = _quicker(one.model_cls)
        _make_quicker(one.related_populators)
