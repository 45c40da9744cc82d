"""When things happen at a table. Pure: the time is handed in, and a ticker outside keeps the due times.

What a seat holds must not show in how long it takes, so a due time depends on when the ask was opened and on nothing else.
"""

from __future__ import annotations

from cardgames.engine.asks import DEADLINE, HOLD, Window

BOT_PAUSE = 0.6


def bot_due(opened: float, window: Window | None = None) -> float:
    """When a bot's answer is given: never at once, and in a reaction window exactly when the hold is over."""
    return opened + (max(window.hold, BOT_PAUSE) if window else BOT_PAUSE)


def clock_due(opened: float, window: Window) -> list[tuple[float, str]]:
    """What the clock says in this window, and when."""
    due = [(opened + window.hold, HOLD)]
    if window.deadline is not None:
        due.append((opened + max(window.hold, window.deadline), DEADLINE))
    return due
