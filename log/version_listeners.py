"""News of a log, "log L is now at version N", for registered listeners."""

from __future__ import annotations

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

_listeners: list[Callable[[int, int], None]] = []


def add_listener(listener: Callable[[int, int], None]) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def publish(log_id: int, version: int) -> None:
    """Call every listener. A failing listener never undoes what was written."""
    for listener in _listeners:
        try:
            listener(log_id, version)
        except Exception:
            logger.exception("could not publish news of log %s", log_id)
