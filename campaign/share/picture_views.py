"""The picture of a campaign for chats and link previews."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import reading
from campaign.annals.standings import standings
from campaign.map.png import ShareCard, Standing, card
from campaign.map.sheet import map_sheet
from campaign.views import visible
from live.etag import drawn_once


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Map and standings as they are now, drawn once for everyone who asks for this version."""
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    if not state.in_play():
        raise Http404

    def drawn() -> HttpResponse:
        sheet = map_sheet(state, seed=campaign.code, title=f"Map of {campaign.name}")
        rows = tuple(
            Standing(rank.kingdom, rank.loyalty, rank.vp, f"{rank.holds} held, {rank.sworn} houses")
            for rank in standings(state, ())
        )
        data = card(ShareCard(campaign.name, state.season_name if state.season_open else "", sheet, rows))
        return HttpResponse(data, content_type="image/png")

    return drawn_once(request, drawn, campaign.log.version)
