"""The name of this module is what Django looks for in a database engine.

Before the first query of each request Django asks the server ``SELECT 1`` on the connection it has kept. A server that
has ended, or ended the connection, has closed it, and that can be seen without asking: there is something to read where
nothing was asked. A network that broke without a word is noticed by neither before the time limit of the connection.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        if self.connection is not None and not self.errors_occurred and _is_quiet(self.connection):
            return True
        return bool(super().is_usable())


def _is_quiet(connection: Any) -> bool:
    """It is open, nothing is under way on it, and the server has said nothing by itself."""
    if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return not waiting.poll(0)
