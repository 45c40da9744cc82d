"""Numbers, days and counts in words, for stories and titles."""

from __future__ import annotations

import datetime as dt

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split())


def spell_number(count: int) -> str:
    return _SMALL[count] if 0 <= count < len(_SMALL) else str(count)


def spell_ordinal(count: int) -> str:
    if 0 < count < len(_ORDINALS):
        return _ORDINALS[count]
    last = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{last}"


def count_times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{spell_number(count)} times")


def count_noun(count: int, one: str, many: str | None = None) -> str:
    return f"{spell_number(count)} {one if count == 1 else many or one + 's'}"


def format_day(iso: str, *, year: bool = True) -> str:
    found = dt.date.fromisoformat(iso)
    return f"{found.day} {MONTHS[found.month - 1]}" + (f" {found.year}" if year else "")


def count_days(days: int) -> str:
    return count_noun(days, "day")


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
