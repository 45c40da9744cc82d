"""The picture of a campaign for chats and link previews."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors as campaign_selectors
from campaign.chronicle.seasons.standings import rank_kingdoms
from campaign.map.display import build_map_display
from campaign.share.picture import draw_share_card
from live.shared_parts import render_once


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Map and standings now, drawn once for each version."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    if not state.in_play():
        raise Http404

    def drawn() -> HttpResponse:
        display = build_map_display(state, seed=campaign.code)
        under = state.season_name if state.season_open else ""
        if state.winner:
            under = f"{state.kingdoms[state.winner].name} won the war"
        data = draw_share_card(campaign.name, under, display, rank_kingdoms(state, ()))
        return HttpResponse(data, content_type="image/png")

    return render_once(request, drawn, campaign.log.version, content_type="image/png")
