"""Your move: what waits for me, for whom else, and what is on tonight. The apps above say what they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

Waits = Literal["me", "others", "tonight"]


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that waits, with the one button that moves it on."""

    waits: Waits
    title: str
    text: str
    url: str
    button: str
    icon: str = "c-book"


_sources: list[Callable[[Any], Iterable[Move]]] = []


def register(source: Callable[[Any], Iterable[Move]]) -> None:
    if source not in _sources:
        _sources.append(source)


def moves_of(request: Any) -> dict[str, list[Move]]:
    found: dict[str, list[Move]] = {"me": [], "others": [], "tonight": []}
    for source in _sources:
        for move in source(request):
            found[move.waits].append(move)
    return found
