"""The page of a house's hero."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.heroes.display import build_hero_display
from campaign import selectors as campaign_selectors


@require_safe
def hero(request: HttpRequest, campaign: str, kingdom: str, house: int) -> HttpResponse:
    found = campaign_selectors.get_visible_campaign(request.who, campaign)
    display = build_hero_display(found, kingdom, house)
    if display is None:
        raise Http404
    return render(request, "battles/heroes/hero.html", {"campaign": found, "display": display})
