"""What apps above register with the log: the kinds of log, who may watch each, whose entries are still secret, and who
hears that a log has grown.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

# A look-up takes who asks and the log's id, and answers whether that viewer may see the thing the log belongs to.
Visible = Callable[[Any, int], bool]
# Of these logs of one kind, those whose game is still running.
StillSecret = Callable[[Collection[int]], Collection[int]]

_visible: dict[str, Visible] = {}
_secret: dict[str, StillSecret] = {}


def register_kind(kind: str, visible: Visible, *, still_secret: StillSecret | None = None) -> None:
    """With ``still_secret``, its entries hold what other players must not know. Not even the admin lists them, and
    nobody's data file has them while the game runs: whoever looks after a guest can download the guest's file.
    """
    _visible[kind] = visible
    if still_secret is not None:
        _secret[kind] = still_secret


def secret_kinds() -> frozenset[str]:
    return frozenset(_secret)


def find_secret_logs(logs: Mapping[str, Collection[int]]) -> set[int]:
    """Of these logs by kind, those that are still secret."""
    return {pk for kind, ids in logs.items() if kind in _secret for pk in _secret[kind](ids)}


def can_watch(who: Any, kind: str, log_id: int) -> bool:
    visible = _visible.get(kind)
    return bool(visible and visible(who, log_id))


# ── News: “log L is now at version N” ──────────────────────────────────────────────────────────────────


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
