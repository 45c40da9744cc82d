"""The items of the home page: waiting for you, waiting for others, and tonight. Apps register their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

Group = Literal["me", "others", "tonight"]


@dataclass(frozen=True, slots=True)
class HomeItem:
    """One item with its button."""

    group: Group
    title: str
    text: str
    url: str
    button: str
    icon: str = "c-book"
    # Played this evening, whoever it is waiting for.
    is_tonight: bool = False


_sources: list[Callable[[Any], Iterable[HomeItem]]] = []


def register_source(source: Callable[[Any], Iterable[HomeItem]]) -> None:
    if source not in _sources:
        _sources.append(source)


def collect_items(request: Any) -> dict[str, list[HomeItem]]:
    found: dict[str, list[HomeItem]] = {"me": [], "others": [], "tonight": []}
    for source in _sources:
        for item in source(request):
            found[item.group].append(item)
    return found


def tonight_items(request: Any) -> list[HomeItem]:
    """What is on tonight: open invitations to play, and what is being played."""
    found = [item for source in _sources for item in source(request)]
    return [item for item in found if item.group == "tonight" or item.is_tonight]
