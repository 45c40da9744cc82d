"""The picture of a battle for chats and link previews."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from battles.display import battle_display
from battles.selectors import get_visible_battle
from battles.share.link_preview import card_of
from battles.share.picture import draw_card
from live.shared_parts import render_once


@require_safe
def share_picture(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = get_visible_battle(request.who, code)

    def draw() -> HttpResponse:
        return HttpResponse(draw_card(card_of(battle_display(battle, state))), content_type="image/png")

    chronicle = battle.campaign.log.version if battle.campaign else 0
    return render_once(request, draw, battle.log.version, chronicle, content_type="image/png")
