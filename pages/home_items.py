"""The items of the home page: waiting for you, waiting for others, and tonight. Apps register their sources."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Annotated, Any, Literal

from dataclass_json import PageOnly

Group = Literal["me", "others", "tonight"]


@dataclass(frozen=True, slots=True)
class HomeItem:
    """One item with its button."""

    group: PageOnly[Group]
    title: str
    text: str
    url: Annotated[str, "where it leads on the site"]
    button: Annotated[str, "what the page's button says"]
    icon: PageOnly[str] = "c-book"
    # Played this evening, whoever it is waiting for.
    is_tonight: PageOnly[bool] = False


@dataclass(frozen=True, slots=True)
class HomeItems:
    """All items of somebody, by who they wait for."""

    api_name = "YourMove"

    me: Annotated[list[HomeItem], "waiting for you"] = field(default_factory=list)
    others: Annotated[list[HomeItem], "waiting for others"] = field(default_factory=list)
    tonight: list[HomeItem] = field(default_factory=list)


Source = Callable[[Any], Iterable[HomeItem]]
# A queryset for a requester that is empty where a source has nothing; the moment is RECENT ago.
Rows = Callable[[Any, dt.datetime], Any]
RECENT = dt.timedelta(days=14)

_sources: list[Source] = []
_tonight_sources: list[Source] = []
rare_sources: dict[Source, Rows] = {}


def register_source(source: Source, *, tonight: bool = False, rows: Rows | None = None) -> None:
    """``tonight``: some of its items are played this evening. Others are not asked for those.

    ``rows``: it rarely has items. The home page asks in one query which of such sources have rows, and leaves out the
    others.
    """
    if source not in _sources:
        _sources.append(source)
        if tonight:
            _tonight_sources.append(source)
        if rows:
            rare_sources[source] = rows


def collect_outside_a_request(who: Any, apps: Iterable[str]) -> list[tuple[str, HomeItem]]:
    """The items of these apps for someone who is not here, each with its app. Their sources ask only for ``who``."""
    asked = SimpleNamespace(who=who)
    sources = [(source.__module__.split(".")[0], source) for source in _sources]
    return [(app, item) for app, source in sources if app in set(apps) for item in source(asked)]


def collect_items(request: Any, without: Collection[Source] = ()) -> HomeItems:
    items = HomeItems()
    for source in _sources:
        for item in () if source in without else source(request):
            getattr(items, item.group).append(item)
    return items


def tonight_items(request: Any) -> list[HomeItem]:
    """What is on tonight: open invitations to play, and what is being played."""
    return [item for source in _tonight_sources for item in source(request) if is_for_tonight(item)]


def is_for_tonight(item: HomeItem) -> bool:
    return item.group == "tonight" or item.is_tonight
