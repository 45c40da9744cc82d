"""The musters of a kingdom over the years."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from musters import may
from musters.history import heroes_said, history_sheet


@require_safe
def history(request: HttpRequest, campaign: str, kingdom: str) -> HttpResponse:
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log", "snapshot"), code=campaign)
    state = may.state_of(found)
    realm = state.kingdoms.get(kingdom)
    if realm is None:
        raise Http404
    sheet = history_sheet(found.pk, found.log_id, state, realm, request.who)
    heroes = {house.number: heroes_said(house.heroes) for house in sheet.houses}
    rows = [(house, heroes[house.number]) for house in sheet.houses]
    context = {"campaign": found, "sheet": sheet, "rows": rows, "king": heroes_said(sheet.king_heroes)}
    return render(request, "musters/history.html", context)
