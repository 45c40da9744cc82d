"""Months, and any span of them cut into a few blocks of 1, 2, 4, 8 or 16 months.

A block begins where its length divides the number of the month, so a month is in one block of each length. Ten years
are at most sixteen blocks, whatever months they begin and end with.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

LENGTHS = (16, 8, 4, 2, 1)


def month_of(day: dt.date) -> dt.date:
    return day.replace(day=1)


def last_day_of(month: dt.date) -> dt.date:
    return month_of(month + dt.timedelta(days=31)) - dt.timedelta(days=1)


def _number(month: dt.date) -> int:
    return month.year * 12 + month.month - 1


def _month(number: int) -> dt.date:
    return dt.date(number // 12, number % 12 + 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Block:
    start: dt.date
    months: int

    @property
    def end(self) -> dt.date:
        """Its last day."""
        return last_day_of(_month(_number(self.start) + self.months - 1))

    @property
    def halves(self) -> tuple[Block, Block]:
        half = self.months // 2
        return Block(self.start, half), Block(_month(_number(self.start) + half), half)


def blocks_with(month: dt.date) -> list[Block]:
    """One of each length."""
    return [Block(_month(_number(month) // length * length), length) for length in LENGTHS]


def cut_into_blocks(first: dt.date, last: dt.date) -> Iterator[Block]:
    """The months from one to the other in as few blocks as there can be, oldest first."""
    at, end = _number(first), _number(last) + 1
    while at < end:
        length = next(one for one in LENGTHS if at % one == 0 and at + one <= end)
        yield Block(_month(at), length)
        at += length
