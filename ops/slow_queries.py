"""Count queries, and log those that take too long, without their values: those may be secrets."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings

from config import prometheus_counters

logger = logging.getLogger(__name__)

MAX_STATEMENT = 600


def watch_connection(connection: Any, **_: Any) -> None:
    """Receiver of ``connection_created``; a connection that is opened again keeps its one wrapper."""
    if _log_if_slow not in connection.execute_wrappers:
        connection.execute_wrappers.append(_log_if_slow)


def _log_if_slow(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, object]) -> Any:
    begin = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        prometheus_counters.QUERIES.inc()
        milliseconds = (time.perf_counter() - begin) * 1000
        if 0 < settings.SLOW_QUERY_MS <= milliseconds:
            prometheus_counters.SLOW_QUERIES.inc()
            logger.warning("slow query, %.0f ms: %s", milliseconds, " ".join(sql.split())[:MAX_STATEMENT])
