"""Home items: invitations that were opened but not yet answered."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse

from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.passes import services as passes_services


def register() -> None:
    pages_home_items.register_source(find_items)


def find_items(request: HttpRequest) -> Iterator[HomeItem]:
    for row in passes_services.find_open_offers(request):
        kind = passes_services.kind_of(row)
        prompt = kind and kind.prompt(row, request.who)
        if kind and prompt:
            yield HomeItem(
                group="me",
                title=kind.title,
                text=prompt.sentence,
                url=reverse("people:accept_pass", args=[row.pk]),
                button="Open",
                icon="c-seal",
            )
