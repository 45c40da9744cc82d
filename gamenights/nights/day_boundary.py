"""When a night begins and ends. A day of a group lasts until 05:00 of its own zone. Pure."""

from __future__ import annotations

import datetime as dt

DAY_ENDS = dt.time(5)


def day_of(moment: dt.datetime, zone: dt.tzinfo) -> dt.date:
    """The evening a moment belongs to: before 05:00 it is still the day before."""
    local = moment.astimezone(zone)
    return local.date() - dt.timedelta(days=1) if local.time() < DAY_ENDS else local.date()


def end_of_day(day: dt.date, zone: dt.tzinfo) -> dt.datetime:
    return dt.datetime.combine(day + dt.timedelta(days=1), DAY_ENDS, tzinfo=zone)
