"""What the home page asks beside its sources."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import Exists, QuerySet
from django.utils import timezone

from pages.home_items import RECENT, HomeItems, Rows, Source, collect_items, rare_sources
from people.models import Person
from people.requester import Who
from prepared_queries import prepared_query


@prepared_query
def _filled(who: Who, since: dt.datetime, *, sources: tuple[Rows, ...]) -> QuerySet[Person]:
    """One row: whether each of them has something."""
    assert who.person is not None
    found = {f"source_{number}": Exists(rows(who, since)) for number, rows in enumerate(sources)}
    return Person.objects.filter(pk=who.person.pk).annotate(**found).values_list(*found)


def list_home_items(request: Any) -> HomeItems:
    return collect_items(request, without=_sources_without_rows(request.who))


def _sources_without_rows(who: Who) -> set[Source]:
    """Those that need not be asked, in one query."""
    if who.person is None:
        return set(rare_sources)
    filled = _filled.first(who, timezone.now() - RECENT, sources=tuple(rare_sources.values()))
    return {source for source, is_filled in zip(rare_sources, filled, strict=True) if not is_filled}
