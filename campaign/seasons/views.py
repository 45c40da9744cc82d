"""Seasons: opening and closing one, the page of each, the hall of fame and the standings over all."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaign import door, reading
from campaign.annals.state import State
from campaign.forms import SeasonForm
from campaign.models import Campaign
from campaign.seasons import season_sheet, seasons_sheet
from campaign.share import of_campaign
from campaign.views import run_by, visible
from campaign.weighing import Words, weigh
from log.door import new_key
from pages.refusals import say
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def turn(request: HttpRequest, code: str) -> HttpResponse:
    """Open a season, or close the one that is open. The form says which, so that a second tap opens nothing."""
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    # A war that is won leaves nothing to fight over: the next season begins another, unless the table says otherwise.
    form = SeasonForm(request.POST or None, initial={"key": new_key(), "new_war": bool(state.winner)})
    closing = request.POST.get("turn") == "close"
    refused = None
    if request.method == "POST":
        key = request.POST.get("key", "")
        try:
            if closing:
                done = door.do(campaign, request.who, key=key, act="season_closed", body={})
                season = next(effect["season"] for effect in done["effects"] if effect["do"] == "season")
                return redirect("campaign:season_page", code, season)
            if form.is_valid():
                body = {"name": form.cleaned_data["name"], "new_war": form.cleaned_data["new_war"]}
                if body["new_war"] and (page := _new_war(request, campaign, state, body)):
                    return page
                door.do(campaign, request.who, key=key, act="season_opened", body=body)
                return redirect(campaign)
        except Refusal as refusal:
            refused = refusal
            if not closing:
                say(form, refusal)
    context = {
        "campaign": campaign,
        "state": state,
        "form": form,
        "key": new_key(),
        "refused": refused if closing else None,
    }
    return render(request, "campaign/season.html", context, status=422 if request.method == "POST" else 200)


def _new_war(request: HttpRequest, campaign: Campaign, state: State, body: dict[str, Any]) -> HttpResponse | None:
    words = Words(
        heading="A new war",
        lead=f"Season {state.season + 1}, {body['name']}, opens with a new war: land, loyalty, VP and houses start afresh.",
        undo="The old war stays in the chronicle, in its seasons and in the hall of fame. The entry can be struck, and the old war goes on as it stood.",
        button="Begin the new war",
        back=reverse("campaign:season", args=[campaign.code]),
    )
    return weigh(request, campaign, state, "season_opened", body, words)


@require_GET
def seasons(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    context = {"campaign": campaign, "sheet": seasons_sheet(campaign), "may_run": _may_run(request, campaign)}
    return render(request, "campaign/seasons.html", context)


@require_GET
def season(request: HttpRequest, code: str, season: int) -> HttpResponse:
    campaign = visible(request, code)
    sheet = season_sheet(campaign, season)
    if sheet is None:
        raise Http404
    words = f"{campaign.name}: season {season}, {sheet.page['name']}"
    may_run, now = _may_run(request, campaign), reading.state_of(campaign)
    context = {
        "campaign": campaign,
        "sheet": sheet,
        "may_run": may_run,
        "may_open": may_run and not now.season_open and now.season == season,
        "share": of_campaign(campaign, words, title=sheet.page["name"], path=request.path),
    }
    return render(request, "campaign/season_page.html", context)


def _may_run(request: HttpRequest, campaign: Campaign) -> bool:
    return Campaign.objects.run_by(request.who).filter(pk=campaign.pk).exists()
