"""Home, how it works, and past evenings."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaign.display import live_part_of
from campaign.selectors import own_campaigns
from cardgames.games import SHELF
from cardgames.tables.forms import JoinForm
from gamenights.nights.selectors import upcoming_nights
from groups.models import Group
from home.play_history import list_evenings
from home.selectors import list_home_items
from log.services import new_key
from pages.home_items import tonight_items
from people.accounts.first_owner import has_no_owner
from people.requester import Who
from prepared_queries import prepared_query


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Your move. Strangers see the welcome page, and the first visitor becomes the owner."""
    if not request.who.is_known:
        if has_no_owner():
            return redirect("people:first_owner")
        return render(request, "home/welcome.html", {"form": JoinForm(who=request.who)})
    campaigns = own_campaigns(request.who).campaigns[:6]
    context = {
        "items": list_home_items(request),
        "campaigns": campaigns,
        "live": live_part_of(campaigns),
        "games": SHELF.values(),
        "form": JoinForm(who=request.who),
        "key": new_key(),
    }
    return render(request, "home/home.html", context)


@require_safe
def how_it_goes(request: HttpRequest) -> HttpResponse:
    return render(request, "home/how_it_goes.html")


@prepared_query
def _known_groups(who: Who) -> QuerySet[Group]:
    return Group.objects.known_to(who)


@require_safe
def past_evenings(request: HttpRequest) -> HttpResponse:
    """Games by evening, and what is on tonight."""
    evenings = list_evenings(request.who)  # first: it asks for more of what others ask for too
    context = {
        "tonight": tonight_items(request),
        "evenings": evenings,
        "nights": upcoming_nights(request.who),
        "groups": _known_groups(request.who),
    }
    return render(request, "home/past_evenings.html", context)
