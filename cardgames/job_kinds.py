"""The timers of card tables."""

from __future__ import annotations

from cardgames.tables import timers

timers.register()
