"""The past musters of a kingdom."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from musters import permissions
from musters.kingdom_history.selectors import history_display, list_heroes


@require_safe
def history(request: HttpRequest, campaign: str, kingdom: str) -> HttpResponse:
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log", "snapshot"), code=campaign)
    state = permissions.state_of(found)
    realm = state.kingdoms.get(kingdom)
    if realm is None:
        raise Http404
    display = history_display(found.pk, found.log_id, state, realm, request.who)
    heroes = {house.number: list_heroes(house.heroes) for house in display.houses}
    rows = [(house, heroes[house.number]) for house in display.houses]
    context = {"campaign": found, "history": display, "rows": rows, "king": list_heroes(display.king_heroes)}
    return render(request, "musters/kingdom_history/history.html", context)
