"""Who knows whom. Other apps register who meets in their campaigns and tables, so that people never imports them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from people.requester import Who

# Given a requester, the ids of the people they share something with: a queryset of ids, or any iterable of them.
PeopleSource = Callable[["Who"], "Iterable[int] | Any"]

_sources: list[PeopleSource] = []
_master_sources: list[PeopleSource] = []


def register_source(source: PeopleSource) -> None:
    """``source(who)``: everyone who shares a campaign, a table or the like with ``who``."""
    if source not in _sources:
        _sources.append(source)


def register_master_source(source: PeopleSource) -> None:
    """``source(who)``: the players in campaigns that ``who`` runs."""
    if source not in _master_sources:
        _master_sources.append(source)


def acquaintances_of(who: "Who") -> Iterator[Any]:
    return (source(who) for source in _sources)


def players_of_master(who: "Who") -> Iterator[Any]:
    return (source(who) for source in _master_sources)
