"""News of a log: "log L is now at version N", handed to whoever listens. The log knows no stream."""

from __future__ import annotations

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

_listeners: list[Callable[[int, int], None]] = []


def listen(listener: Callable[[int, int], None]) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def publish(log_id: int, version: int) -> None:
    """Tell every listener. A listener that fails never undoes what was written."""
    for listener in _listeners:
        try:
            listener(log_id, version)
        except Exception:
            logger.exception("news of log %s did not go out", log_id)
