"""Small words that stories and titles share: lists, days, numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def listed(words: Sequence[str]) -> str:
    """a; a and b; a, b and c"""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def number(count: int) -> str:
    return _SMALL[count] if 0 <= count < len(_SMALL) else str(count)


def ordinal(count: int) -> str:
    if 0 < count < len(_ORDINALS):
        return _ORDINALS[count]
    last = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{last}"


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{number(count)} times")


def counted(count: int, one: str, many: str | None = None) -> str:
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def day(iso: str, *, year: bool = True) -> str:
    found = dt.date.fromisoformat(iso)
    return f"{found.day} {MONTHS[found.month - 1]}" + (f" {found.year}" if year else "")


def days_words(days: int) -> str:
    return counted(days, "day")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
