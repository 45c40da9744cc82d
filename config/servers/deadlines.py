"""Things to do unless something else was sooner, such as hanging up on whoever sends too slowly.

One thread watches over all of them. ``threading.Timer`` starts a thread for each, which costs more than many a request,
and almost none of them is ever due.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)
LOOKS_EVERY = 0.25  # seconds: it can be so much later

_pending: set[Deadline] = set()
_lock = threading.Lock()
_watcher: threading.Thread | None = None


class Deadline:
    __slots__ = ("act", "due")

    def __init__(self, seconds: float, act: Callable[[], object]) -> None:
        self.due = time.monotonic() + seconds
        self.act = act
        _pending.add(self)
        _watch()

    def cancel(self) -> None:
        _pending.discard(self)


def _watch() -> None:
    """A process that was forked has to start its own thread."""
    global _watcher
    if _watcher is not None and _watcher.is_alive():
        return
    with _lock:
        if _watcher is None or not _watcher.is_alive():
            _watcher = threading.Thread(target=_run, name="deadlines", daemon=True)
            _watcher.start()


def _run() -> None:
    while True:
        time.sleep(LOOKS_EVERY)
        now = time.monotonic()
        for one in list(_pending):
            if one.due <= now:
                one.cancel()
                try:
                    one.act()
                except Exception:  # the others still count on this thread
                    logger.exception("what was due failed")
