"""The picture of a battle for chats and link previews."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from battles.picture import card
from battles.share import card_of
from battles.sheet import battle_sheet
from battles.views import seen
from live.etag import drawn_once


@require_safe
def share(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = seen(request, code)

    def drawn() -> HttpResponse:
        return HttpResponse(card(card_of(battle_sheet(battle, state))), content_type="image/png")

    return drawn_once(request, drawn, battle.log.version, battle.chronicle_version)
