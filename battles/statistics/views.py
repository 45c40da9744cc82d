"""The page of statistics."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.result.core.win_rates import tally_games
from battles.statistics.display import tally_tables
from battles.statistics.selectors import campaigns_of, games_of
from campaign import selectors as campaign_selectors


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    campaigns = list(campaigns_of(request.who))
    chosen = None
    if code := request.GET.get("campaign", ""):
        chosen = campaign_selectors.get_visible_campaign(request.who, code)
    games = games_of(request.who, [chosen] if chosen else campaigns, alone=chosen is None)
    found = tally_games(games)
    context = {
        "tables": tally_tables(found, request.who),
        "battles": found.battles,
        "campaigns": campaigns,
        "chosen": chosen,
    }
    return render(request, "battles/statistics/statistics.html", context)
