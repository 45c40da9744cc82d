"""Reported photos on the home page of those who decide about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import HttpRequest

from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.requester import Who
from photos.models import Photo
from photos.registry import all_kinds
from prepared_queries import prepared_query

MAX_ITEMS = 3


def register() -> None:
    pages_home_items.register_source(reported_photos, rows=_any_reported_photo)


def _any_reported_photo(who: Who, since: dt.datetime) -> QuerySet[Photo]:
    return Photo.objects.exclude(reported_at=None)


@prepared_query
def _reported_photos() -> QuerySet[Photo]:
    return Photo.objects.exclude(reported_at=None).order_by("reported_at").values_list("kind", "target")


def reported_photos(request: HttpRequest) -> Iterator[HomeItem]:
    if not request.who.is_known:
        return
    reported = _reported_photos()
    for kind in all_kinds():
        targets = {target for key, target in reported if key == kind.key}
        if not targets:
            continue
        for target in list(kind.managed(targets, request.who))[:MAX_ITEMS]:
            subject = kind.find(target)
            if subject is not None:
                text = f"Someone reported a photo of {kind.describe(subject)}. It is hidden until you decide."
                yield HomeItem(
                    "me", "A reported photo", text, f"{kind.url(subject)}#photos", "Review the photo", "c-eye"
                )
