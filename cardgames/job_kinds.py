"""The timers of card tables."""

from __future__ import annotations

from cardgames.tables import bot_and_window_timers

bot_and_window_timers.register()
