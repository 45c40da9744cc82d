"""Who knows whom. Apps above say whom their things bring together, so that people never imports them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from people.who import Who

# Given who asks, the ids of the people they share something with: a queryset of ids, or any iterable of them.
Circle = Callable[["Who"], "Iterable[int] | Any"]

_circles: list[Circle] = []
_masters: list[Circle] = []


def register(circle: Circle) -> None:
    """``circle(who)``: those who share a campaign (a night, a table …) with ``who``."""
    if circle not in _circles:
        _circles.append(circle)


def register_masters(circle: Circle) -> None:
    """``circle(who)``: those in campaigns that ``who`` runs."""
    if circle not in _masters:
        _masters.append(circle)


def of(who: Who) -> Iterator[Any]:
    return (circle(who) for circle in _circles)


def mastered_by(who: Who) -> Iterator[Any]:
    return (circle(who) for circle in _masters)
