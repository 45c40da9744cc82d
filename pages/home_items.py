"""The items of the home page: waiting for you, waiting for others, and tonight. Apps register their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
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
_tonight_sources: list[Callable[[Any], Iterable[HomeItem]]] = []


def register_source(source: Callable[[Any], Iterable[HomeItem]], *, tonight: bool = False) -> None:
    """``tonight``: some of its items are played this evening. Others are not asked for those."""
    if source not in _sources:
        _sources.append(source)
        if tonight:
            _tonight_sources.append(source)


def collect_outside_a_request(who: Any, apps: Iterable[str]) -> list[tuple[str, HomeItem]]:
    """The items of these apps for someone who is not here, each with its app. Their sources ask only for ``who``."""
    asked = SimpleNamespace(who=who)
    found = [(source.__module__.split(".")[0], source) for source in _sources]
    return [(app, item) for app, source in found if app in set(apps) for item in source(asked)]


def collect_items(request: Any) -> dict[str, list[HomeItem]]:
    found: dict[str, list[HomeItem]] = {"me": [], "others": [], "tonight": []}
    for source in _sources:
        for item in source(request):
            found[item.group].append(item)
    return found


def tonight_items(request: Any) -> list[HomeItem]:
    """What is on tonight: open invitations to play, and what is being played."""
    return [item for source in _tonight_sources for item in source(request) if is_for_tonight(item)]


def is_for_tonight(item: HomeItem) -> bool:
    return item.group == "tonight" or item.is_tonight
