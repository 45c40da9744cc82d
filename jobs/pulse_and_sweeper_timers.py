"""The timers of the jobs app itself: one that shows that timers work, and the sweeper of lost jobs."""

from __future__ import annotations

import datetime as dt

from jobs import timers
from jobs.execution import sweeper
from jobs.models import Due

# An overdue pulse means that no process fires timers: see ops/health.py.
PULSE = "pulse"


def _record_heartbeat(due: Due) -> None:
    """Nothing to do: that it fired shows that timers work."""


def register() -> None:
    timers.register_timer(PULSE, _record_heartbeat, again=timers.every(dt.timedelta(seconds=15)))
    timers.register_heartbeat(sweeper.EVERY, sweeper.sweep)
