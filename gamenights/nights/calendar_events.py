"""Nights as iCalendar text. Knows no Django.

A night keeps its UID for ever and counts its changes, so a calendar moves or cancels what it already has.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vDuration

USUAL_LENGTH = dt.timedelta(hours=4)
REFRESH = dt.timedelta(hours=4)


@dataclass(frozen=True, slots=True)
class CalendarNight:
    key: str  # never changes
    title: str
    day: dt.date
    changed_at: dt.datetime
    starts_at: dt.datetime | None = None  # None: the whole day
    ends_at: dt.datetime | None = None
    place: str = ""
    text: str = ""
    url: str = ""
    changes: int = 0
    is_cancelled: bool = False


def write_calendar(nights: Iterable[CalendarNight], *, name: str, zone: ZoneInfo, host: str) -> bytes:
    """One file for any number of nights. The same nights give the same bytes."""
    calendar = Calendar()
    calendar.add("prodid", "-//Mice-at-Arms//Game nights//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", zone.key)
    calendar.add("refresh-interval", vDuration(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for night in nights:
        calendar.add_component(_event(night, zone, host))
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _event(night: CalendarNight, zone: ZoneInfo, host: str) -> Event:
    event = Event()
    event.add("uid", f"night-{night.key}@{host}")
    event.add("dtstamp", night.changed_at.astimezone(dt.UTC))
    event.add("last-modified", night.changed_at.astimezone(dt.UTC))
    event.add("sequence", night.changes)
    event.add("summary", f"Cancelled: {night.title}" if night.is_cancelled else night.title)
    event.add("status", "CANCELLED" if night.is_cancelled else "CONFIRMED")
    if night.starts_at is None:
        event.add("dtstart", night.day)
        event.add("dtend", night.day + dt.timedelta(days=1))
        event.add("transp", "TRANSPARENT")
    else:
        starts_at = night.starts_at.astimezone(zone)
        ends_at = night.ends_at or (night.starts_at.astimezone(dt.UTC) + USUAL_LENGTH)
        event.add("dtstart", starts_at)
        event.add("dtend", max(ends_at.astimezone(zone), starts_at))
    if night.place:
        event.add("location", night.place)
    if night.text:
        event.add("description", night.text)
    if night.url:
        event.add("url", night.url)
    return event
