"""Nights as iCalendar text that other programs read."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

from icalendar import Calendar

from gamenights.nights.calendar_events import CalendarNight, write_calendar

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = CalendarNight(
    key="k7",
    title="Game night",
    day=dt.date(2026, 3, 28),
    starts_at=dt.datetime(2026, 3, 28, 19, 30, tzinfo=BERLIN),
    changed_at=dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC),
    place="Burdock Lane 3, back door",
    text="Bring cheese.\nAnd, perhaps; bread.",
    url="https://mice.example.org/nights/k7/",
)


def write(*nights, zone=BERLIN):
    return write_calendar(nights, name="The Burdock group", zone=zone, host="mice.example.org")


def events(data):
    return Calendar.from_ical(data).walk("VEVENT")


def test_a_night_has_time_zone_place_and_link():
    data = write(NIGHT)
    (event,) = events(data)
    assert event["uid"] == "night-k7@mice.example.org"
    assert event["dtstart"].dt == NIGHT.starts_at
    assert event["dtstart"].params["TZID"] == "Europe/Berlin"
    assert event["location"] == "Burdock Lane 3, back door"
    assert event["description"] == "Bring cheese.\nAnd, perhaps; bread."
    assert event["url"] == NIGHT.url
    assert event["status"] == "CONFIRMED"
    assert b"BEGIN:VTIMEZONE" in data
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))


def test_a_night_over_the_change_of_clocks_lasts_four_hours():
    late = replace(NIGHT, starts_at=dt.datetime(2026, 3, 29, 0, 30, tzinfo=BERLIN))
    (event,) = events(write(late))
    assert event["dtend"].dt.astimezone(dt.UTC) - event["dtstart"].dt.astimezone(dt.UTC) == dt.timedelta(hours=4)


def test_a_change_keeps_the_uid_and_counts_up():
    moved = replace(NIGHT, starts_at=NIGHT.starts_at + dt.timedelta(days=1), changes=2)
    (before,), (after,) = events(write(NIGHT)), events(write(moved))
    assert before["uid"] == after["uid"]
    assert after["sequence"] > before["sequence"]


def test_a_cancelled_night_says_so():
    (event,) = events(write(replace(NIGHT, is_cancelled=True, changes=3)))
    assert event["status"] == "CANCELLED"
    assert event["summary"] == "Cancelled: Game night"


def test_a_night_without_an_hour_takes_the_whole_day():
    (event,) = events(write(replace(NIGHT, starts_at=None)))
    assert event["dtstart"].dt == dt.date(2026, 3, 28)
    assert event["dtend"].dt == dt.date(2026, 3, 29)


def test_the_feed_holds_all_nights_and_the_same_bytes_each_time():
    other = replace(NIGHT, key="k8", starts_at=None)
    data = write(NIGHT, other)
    assert len(events(data)) == 2
    assert data == write(NIGHT, other)
    assert b"X-WR-CALNAME:The Burdock group" in data
    assert write(zone=ZoneInfo("UTC")).startswith(b"BEGIN:VCALENDAR")


def test_a_title_cannot_add_lines_of_its_own():
    (event,) = events(write(replace(NIGHT, title="Night\r\nATTENDEE:mailto:x@example.org")))
    assert "ATTENDEE" not in event
