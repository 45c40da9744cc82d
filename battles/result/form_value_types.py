"""What the result forms hold: answers as entered or as the tracker fills them in, not yet checked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NotRequired, TypedDict


class FormValues(TypedDict):
    """Of a battle of two sides, A and B."""

    ending: str
    removed: Mapping[str, tuple[str, ...]]
    escaped: tuple[str, ...]
    crossings: Mapping[str, int]
    mounds: tuple[tuple[int, int], ...]
    ablaze: int
    spent: Mapping[str, int]
    silent: Mapping[str, tuple[int, ...]]
    played_on: NotRequired[dt.date | None]


class MultiArmyValues(TypedDict, total=False):
    """Of three and more armies, as the tracker knows them."""

    fallen: Mapping[str, Mapping[str, str]]
    yielded: list[str]
    winner: str
