"""What people lay before someone on the home page: invitations opened and not yet answered."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse

from pages import moves
from pages.moves import Move
from people import passes


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    for row in passes.open_offers(request):
        kind = passes.kind_of(row)
        ask = kind and kind.ask(row, request.who)
        if ask:
            yield Move(
                waits="me",
                title=kind.title,
                text=ask.sentence,
                url=reverse("people:taking", args=[row.pk]),
                button="Look at it",
                icon="c-seal",
            )
