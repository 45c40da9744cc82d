"""The pages that bring everything together: home, how it goes, the evenings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from home.nights import evenings
from pages.moves import moves_of
from people.first import no_owner_yet


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Your move; for a stranger what this is; for the very first visitor the way to become the owner."""
    if not request.who.is_known:
        if no_owner_yet():
            return redirect("people:first")
        return render(request, "home/welcome.html")
    context = {"moves": moves_of(request), "campaigns": Campaign.objects.of(request.who)[:6]}
    return render(request, "home/home.html", context)


@require_safe
def how_it_goes(request: HttpRequest) -> HttpResponse:
    return render(request, "home/how_it_goes.html")


@require_safe
def nights(request: HttpRequest) -> HttpResponse:
    """What was played, evening by evening, and what is on tonight."""
    context = {"tonight": moves_of(request)["tonight"], "evenings": evenings(request.who)}
    return render(request, "home/nights.html", context)
