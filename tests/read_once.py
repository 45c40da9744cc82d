"""A request reads the state of a campaign and its approvals once, and again only after it has written something."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db import connection

READ_ONCE = ("campaign_snapshot", "campaign_approval")
# Every write to a log ends with one: what was read before it is out of date.
END_OF_A_WRITE = 'INSERT INTO "log_receipt"'


class Reads:
    """How often a table was read between two writes, at most."""

    def __init__(self) -> None:
        self._now: Counter[str] = Counter()
        self.again: set[str] = set()

    def note(self, sql: str) -> None:
        if sql.startswith(END_OF_A_WRITE):
            self._now.clear()
        elif sql.startswith("SELECT"):
            self._now.update(table for table in READ_ONCE if re.search(f'(FROM|JOIN) "{table}"', sql))
            self.again |= {table for table, count in self._now.items() if count > 1}


@contextlib.contextmanager
def counted_reads() -> Iterator[Reads]:
    reads = Reads()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        reads.note(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield reads
