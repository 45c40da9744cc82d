"""Statements that PostgreSQL plans once for each connection, sent without a cursor.

A page runs the same few statements again and again. For each of them the cursors of Django and psycopg take longer than
the server does: they look up how to read every column, and make several objects. Here a statement keeps its name on
the server and its readers of columns, and only the values are sent.

Everything else is as with a cursor: transactions, the wrappers that count and time statements, and the errors.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any

MOST_PLANS = 300  # on one connection
_MARK = re.compile("%(.)")
# A migration has given a column another type, or somebody has thrown all plans away.
_OUTDATED = (b"0A000", b"26000")


class _Plan:
    """The name of a statement on the server, and what reads its rows."""

    def __init__(self, name: bytes, reader: Any) -> None:
        self.name = name
        self.reader = reader
        self.knows_columns = False


class _Plans:
    """The plans of one connection, used by one thread."""

    def __init__(self, raw: Any) -> None:
        # Only here, because a site on SQLite need not load it.
        from psycopg import adapt, errors, pq
        from psycopg.types.datetime import TimestamptzLoader

        self.raw = raw
        self._transformer, self._errors = adapt.Transformer, errors
        self._line_lost, self._is_idle = pq.ConnStatus.BAD, pq.TransactionStatus.IDLE
        self._sqlstate = pq.DiagnosticField.SQLSTATE
        self._auto, self._text = adapt.PyFormat.AUTO, pq.Format.TEXT
        self._has_rows, self._is_done = pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK
        self.writer = adapt.Transformer(raw)
        # Django's reader of moments is written in Python; psycopg's own gives the same in a tenth of the time.
        self.adapters = adapt.AdaptersMap(raw.adapters)
        self.adapters.register_loader("timestamptz", TimestamptzLoader)
        self.connection = raw  # with ``adapters``, what a Transformer reads
        self.plans: OrderedDict[tuple[str, Any], _Plan] = OrderedDict()
        self.made = 0

    def run(self, sql: str, params: Sequence[Any]) -> Any:
        writer = self.writer
        values = writer.dump_sequence(params, [self._auto] * len(params))
        types, formats = writer.types, writer.formats
        for can_plan_again in (True, False):
            plan = self.plans.get((sql, types)) or self._make_plan(sql, types)
            result = self.raw.pgconn.exec_prepared(plan.name, values, formats, self._text)
            status = result.status
            if status == self._has_rows:
                reader = plan.reader
                reader.set_pgresult(result, set_loaders=not plan.knows_columns)
                plan.knows_columns = True
                rows = reader.load_rows(0, result.ntuples, tuple)
                reader.set_pgresult(None, set_loaders=False)
                return rows
            if status == self._is_done:
                return result.command_tuples
            if result.error_field(self._sqlstate) not in _OUTDATED:
                break
            self._forget_plans()
            if not can_plan_again or self.raw.pgconn.transaction_status != self._is_idle:
                raise self._errors.OperationalError("The tables of the database were just changed. Try again.")
        raise self._error_of(result)

    def _forget_plans(self) -> None:
        """All of them: another that is outdated could break a transaction. The server may not have them any more."""
        names, self.plans = [plan.name for plan in self.plans.values()], OrderedDict()
        self.raw.pgconn.exec_(b"; ".join(b"DEALLOCATE " + name for name in names))

    def _error_of(self, result: Any) -> Exception:
        error: Exception = self._errors.error_from_result(result, encoding=self.writer.encoding)
        if self.raw.pgconn.status == self._line_lost and not isinstance(error, self._errors.OperationalError):
            # The server could give no code that says so, because it is away.
            return self._errors.OperationalError(str(error))
        return error

    def _make_plan(self, sql: str, types: Any) -> _Plan:
        if len(self.plans) >= MOST_PLANS:
            self.raw.pgconn.exec_(b"DEALLOCATE " + self.plans.popitem(last=False)[1].name)
        self.made += 1
        plan = _Plan(b"companion_%d" % self.made, self._transformer(self))
        result = self.raw.pgconn.prepare(plan.name, _number_marks(sql).encode(), types)
        if result.status != self._is_done:
            raise self._error_of(result)
        self.plans[sql, types] = plan
        return plan


def _number_marks(sql: str) -> str:
    """Django's SQL with PostgreSQL's own marks for values: $1, $2 …"""
    number = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal number
        if found[1] == "%":
            return "%"
        number += 1
        return f"${number}"

    return _MARK.sub(mark, sql)


def can_plan(connection: Any) -> bool:
    """Whether statements are planned on this connection. Opens it, and the transaction, where that is still to do.

    Not if every statement is to be listed with its values, as tests do. A connection that is not kept, or that
    PgBouncer hands round, would forget its plans.
    """
    if connection.vendor != "postgresql" or not connection.settings_dict["CONN_MAX_AGE"] or connection.queries_logged:
        return False
    connection.ensure_connection()
    raw = connection.connection
    # psycopg opens a transaction with the first statement of one of its cursors.
    return bool(raw.autocommit or raw.pgconn.transaction_status)


def run_planned(connection: Any, sql: str, params: Sequence[Any]) -> Any:
    """The rows as tuples, or how many were written if the statement returns none."""
    connection.validate_no_broken_transaction()
    raw = connection.connection
    plans = getattr(connection, "kept_plans", None)
    if plans is None or plans.raw is not raw:
        plans = connection.kept_plans = _Plans(raw)
    run = partial(_run, plans)
    for wrapper in reversed(connection.execute_wrappers):
        run = partial(wrapper, run)
    with connection.wrap_database_errors:
        return run(sql, params, False, {"connection": connection, "cursor": None})


def _run(plans: _Plans, sql: str, params: Sequence[Any], many: bool, context: object) -> Any:
    return plans.run(sql, params)
