"""The picture of a campaign for chats and link previews."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors as campaign_selectors
from campaign.chronicle.seasons.standings import rank_kingdoms
from campaign.map.display import build_map_display
from campaign.map.png import ShareCard, ShareCardRow, draw_share_card
from live.shared_parts import render_once


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Map and standings now, drawn once for each version."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    if not state.in_play():
        raise Http404

    def drawn() -> HttpResponse:
        display = build_map_display(state, seed=campaign.code, title=f"Map of {campaign.name}")
        rows = tuple(
            ShareCardRow(rank.kingdom, rank.loyalty, rank.vp, f"{rank.holds} held, {rank.sworn} houses")
            for rank in rank_kingdoms(state, ())
        )
        words = state.season_name if state.season_open else ""
        if state.winner:
            words = f"{state.kingdoms[state.winner].name} won the war"
        data = draw_share_card(ShareCard(campaign.name, words, display, rows))
        return HttpResponse(data, content_type="image/png")

    return render_once(request, drawn, campaign.log.version, content_type="image/png")
