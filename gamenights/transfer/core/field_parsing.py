"""Single fields of a file, read kindly: odd types, odd dates, stray control characters."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
import uuid
from typing import Any

from refusal import Refusal

# Names in this space become keys, so the same file gives the same keys each time.
_SPACE = uuid.UUID("6f6b5b0e-2f0e-5c0a-9a52-6d6963652d61")


def make_key(kind: str, *parts: object) -> str:
    """A stable uuid for something that has none in its file."""
    return str(uuid.uuid5(_SPACE, "\x1f".join([kind, *map(str, parts)])))


def read_key(kind: str, given: Any) -> str:
    """The file's own uuid; another text gets a stable uuid of its own. Empty where nothing is given."""
    text = read_line(given)
    if not text:
        return ""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return make_key(kind, text)


def read_line(value: Any, most: int = 200) -> str:
    """One line of text: no control characters, single spaces."""
    return " ".join(read_text(value, most * 4).split())[:most].strip()


def read_text(value: Any, most: int = 10_000) -> str:
    """A text of several lines, without what a database or a page cannot hold."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(value)
    if text.isascii() and text.isprintable():  # most of a large file
        return text[:most].strip()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Co"))
    return unicodedata.normalize("NFC", "".join(kept))[:most].strip()


def read_flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in ("1", "true", "yes", "y", "x")
    return bool(value) if isinstance(value, bool | int | float) else False


def read_number(value: Any, most: int = 10**9) -> int | None:
    """A whole number from 1; anything else is none."""
    if isinstance(value, str):
        text = value.strip()
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return int(value) if 1 <= value <= most else None


_DAYS = (
    (re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})\.(\d{1,2})\.(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})(\d{2})(\d{2})"), "ymd"),
    (re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})"), "dmy"),
)
_HOUR = re.compile(r"[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE)


def read_moment(value: Any, zone: dt.tzinfo) -> tuple[dt.date, dt.datetime | None]:
    """The day, and the hour where it is given. Midnight sharp means that no hour was entered.

    ``5/3/2026`` is refused: it is March in London and May in Boston.
    """
    text = read_line(value, 40)
    for pattern, order in _DAYS:
        found = pattern.match(text)
        if found is None:
            continue
        rest = text[found.end() :].strip()
        numbers = [int(number) for number in found.groups()]
        try:
            day = dt.date(*(numbers if order == "ymd" else reversed(numbers)))
            return _with_hour(day, text[found.end() :], zone) if rest else (day, None)
        except (ValueError, OverflowError):
            break
    raise Refusal(f"“{text}” is not a date we can read. Write it like 2026-03-05." if text else "It has no date.")


def _with_hour(day: dt.date, rest: str, zone: dt.tzinfo) -> tuple[dt.date, dt.datetime | None]:
    found = _HOUR.fullmatch(rest.rstrip())
    if found is None:
        raise ValueError(rest)
    hour, minute, second, offset = found.groups()
    time = dt.time(int(hour), int(minute), int(second or 0))
    if offset:
        moment = dt.datetime.fromisoformat(f"{day}T{time}{'+00:00' if offset.upper() == 'Z' else offset}")
        local = moment.astimezone(zone)
        return local.date(), local
    return day, dt.datetime.combine(day, time, zone) if time != dt.time() else None
