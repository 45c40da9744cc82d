"""What the jobs themselves want to be woken for."""

from __future__ import annotations

import datetime as dt

from jobs import clock, sweeper
from jobs.models import Due

# A pulse whose time has passed says that no clock ticks anywhere: see ops/health.py.
PULSE = "pulse"


def _pulse(due: Due) -> None:
    """Nothing to do; being rung is the message."""


clock.rings(PULSE, _pulse, again=clock.each(dt.timedelta(seconds=15)))
clock.beats(sweeper.EVERY, sweeper.sweep)
