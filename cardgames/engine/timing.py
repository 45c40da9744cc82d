"""When things happen at a table. Pure: the time is handed in, and a ticker outside keeps the due times.

How long a seat takes must not show what it holds, so a due time depends only on when the ask was opened.
"""

from __future__ import annotations

from cardgames.engine.questions import DEADLINE, HOLD, ReactionWindow

BOT_PAUSE = 0.6


def bot_due_time(opened: float, window: ReactionWindow | None = None) -> float:
    """When a bot's answer is given: never at once, and in a reaction window exactly when the hold is over."""
    return opened + (max(window.hold, BOT_PAUSE) if window else BOT_PAUSE)


def window_due_times(opened: float, window: ReactionWindow) -> list[tuple[float, str]]:
    """What the timer does in this window, and when."""
    due = [(opened + window.hold, HOLD)]
    if window.deadline is not None:
        due.append((opened + max(window.hold, window.deadline), DEADLINE))
    return due
