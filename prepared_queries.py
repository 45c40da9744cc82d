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
part of the shape. A tuple of numbers stands for a set, for ``__in``. Related rows come by ``select_related``.

Django does all the rest, each time: it runs the statement through its cursor and makes the objects. With ``PLAIN=1`` a
prepared query is the list of its queryset and nothing more.

What Django does not document, and why it is used; nothing else here is private:

- ``QuerySet.query.get_compiler``: where a queryset asks for its SQL, and the only place to give it SQL that is known.
- ``SQLCompiler.as_sql`` and ``connection``: the SQL with its parameters, and the connection of the thread that asks.
- ``connection.features.supports_json_field``: read first, because Django asks SQLite for it in the middle of as_sql.
"""

import copy
import datetime as dt
import itertools
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import DateField, DateTimeField

KEPT_SHAPES = 256  # for each query
_LEAST, _MOST = -(2**63), 2**63 - 1
_RANDOM = secrets.SystemRandom()
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d")
_DATE_FIELDS = {dt.datetime: DateTimeField(), dt.date: DateField()}


@dataclass(frozen=True)
class Composite:
    """How an argument with several numbers inside, such as the requester, is taken apart."""

    parts: Callable[[Any], tuple[Hashable, tuple[int, ...]]]  # what its queries depend on beside numbers; the numbers
    stand_in: Callable[[Any, Sequence[int]], Any]  # what the query is described with: the same with other numbers
    plain: Callable[[Any], Any] = lambda argument: argument  # what the query is described with under PLAIN=1


_composites: dict[type, Composite] = {}


def register_composite(kind: type, composite: Composite) -> None:
    _composites[kind] = composite


class prepared_query:
    """The queryset that ``build`` describes, as a list, with its SQL worked out once."""

    def __init__(self, build: Callable[..., Any]) -> None:
        self.build = build
        self.__doc__ = build.__doc__
        self._compiled: OrderedDict[Hashable, _Compiled] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **fixed: Hashable) -> list[Any]:
        if settings.PLAIN:
            return list(self.build(*map(_plain, args), **fixed))
        shape: list[Hashable] = [*fixed.items()]
        values: list[object] = []
        for arg in args:
            _flatten(arg, shape, values)
        key = tuple(shape)
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = _compile(partial(self.build, **fixed), args)
            with self._lock:
                self._compiled[key] = compiled
                while len(self._compiled) > KEPT_SHAPES:
                    self._compiled.popitem(last=False)
        return compiled.fetch(values)

    def first(self, *args: Any, **fixed: Hashable) -> Any:
        """The first row, or None."""
        rows = self(*args, **fixed)
        return rows[0] if rows else None


def _plain(arg: Any) -> Any:
    composite = _composites.get(type(arg))
    return composite.plain(arg) if composite else arg


def _is_value(arg: object) -> bool:
    """Whether it is only carried by the SQL. Django knows what a number that no database has means for each filter."""
    kind = type(arg)
    return _LEAST <= arg <= _MOST if kind is int else kind is str or kind in _DATE_FIELDS  # type: ignore[operator]


def _flatten(arg: Any, shape: list[Hashable], values: list[object]) -> None:
    """Append what the SQL depends on to ``shape``, and what it only carries to ``values``."""
    kind = type(arg)
    if _is_value(arg):
        shape.append(kind.__name__)
        values.append(arg)
    elif kind is tuple:
        padded = _pad(arg)
        shape.append(("set", len(padded), type(padded[0]).__name__ if padded else None))
        values.extend(padded)
    elif composite := _composites.get(kind):
        constants, numbers = composite.parts(arg)
        shape.append((kind, constants, len(numbers)))
        values.extend(numbers)
    else:
        shape.append(arg)


def _pad(numbers: tuple[Any, ...]) -> tuple[Any, ...]:
    """A set of 1, 2, 4, 8 … 1024, 2048, 3072 … members: the last one is repeated, so that there are few shapes."""
    size = 1
    while size < len(numbers):
        size += min(size, 1024)
    return numbers + numbers[-1:] * (size - len(numbers)) if numbers else ()


def _stand_ins(args: Sequence[Any]) -> tuple[list[Any], list[Any], set[int]]:
    """Arguments of the same shape with values that are nowhere else; these values; those that may go unused."""
    unique = itertools.count(_RANDOM.randrange(10**9, 2 * 10**9))
    marks: list[Any] = []
    optional: set[int] = set()

    def one(value: Any) -> Any:
        if not _is_value(value):
            raise TypeError(f"A prepared query takes numbers, texts and moments in a tuple, not {value!r}.")
        number = next(unique)
        mark: Any = number
        if type(value) is str:
            mark = f"prepared-{number}-{secrets.token_hex(4)}"
        elif type(value) is dt.datetime:
            mark = dt.datetime(2400, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=number * 1_000_003)
        elif type(value) is dt.date:
            mark = dt.date(2400, 1, 1) + dt.timedelta(days=number % 2_000_000)
        marks.append(mark)
        return mark

    made: list[Any] = []
    for arg in args:
        if _is_value(arg):
            made.append(one(arg))
        elif type(arg) is tuple:
            made.append(tuple(map(one, _pad(arg))))
        elif composite := _composites.get(type(arg)):
            numbers = composite.parts(arg)[1]
            optional |= set(range(len(marks), len(marks) + len(numbers)))
            made.append(composite.stand_in(arg, [one(number) for number in numbers]))
        else:
            made.append(arg)
    return made, marks, optional


def _refuse_queries(*_: Any) -> Any:
    raise TypeError("A prepared query must not ask the database while it is described.")


def _compile(build: Callable[..., Any], args: Sequence[Any]) -> "_Compiled":
    made, marks, optional = _stand_ins(args)
    _ = connections["default"].features.supports_json_field  # Django asks the database once whether it does
    with connections["default"].execute_wrapper(_refuse_queries):
        # What is prefetched could be described with stand-ins too, and is no part of this statement.
        return _Compiled(build(*made).prefetch_related(None), marks, optional)


class _Compiled:
    """A queryset, its SQL, and where in its parameters the values go."""

    def __init__(self, queryset: Any, marks: Sequence[Any], optional: set[int]) -> None:
        self.queryset = queryset
        connection = connections[queryset.db]
        self.compiler = queryset.query.get_compiler(using=queryset.db)
        self.sql = ""
        self.params: list[tuple[int, Any]] = []
        try:
            self.sql, params = self.compiler.as_sql()
        except EmptyResultSet:
            return  # whatever the values are: nothing fits
        places = {_as_parameter(mark, connection): number for number, mark in enumerate(marks)}
        for param in params:
            place = places.get(param, -1) if isinstance(param, Hashable) else -1
            self.params.append((place, None if place >= 0 else param))
        missing = set(range(len(marks))) - {place for place, _ in self.params} - optional
        if any(place < 0 and _MOMENT.match(str(constant)) for place, constant in self.params):
            raise TypeError("A moment in a prepared query must be one of its arguments, or it would never pass.")
        if missing or any(str(mark) in self.sql for mark in marks):
            raise TypeError("A value of a prepared query is not a parameter of its SQL.")

    def fetch(self, values: Sequence[object]) -> list[Any]:
        if not self.sql:
            return []
        connection = connections[self.queryset.db]
        params = tuple(
            _as_parameter(values[place], connection) if place >= 0 else constant for place, constant in self.params
        )
        compiler = copy.copy(self.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda *_, **__: (self.sql, params)
        rows = self.queryset.all()
        rows.query.get_compiler = lambda *_, **__: compiler
        return list(rows)


def _as_parameter(value: Any, connection: Any) -> Any:
    """A moment as this database takes it."""
    field = _DATE_FIELDS.get(type(value))
    return field.get_db_prep_value(value, connection) if field else value
