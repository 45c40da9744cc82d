"""Seasons: opening and closing one, the page of each, the hall of fame and the standings over all."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.act_confirmation.confirmation_page import PreviewTexts, preview_act
from campaign.chronicle.acts.administration import CloseSeason, OpenSeason
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import can_run
from campaign.seasons.display import build_season_display, build_seasons_display
from campaign.seasons.forms import SeasonForm
from campaign.share.link_preview import campaign_link_preview
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def open_or_close_season(request: HttpRequest, code: str) -> HttpResponse:
    """Open a season or close the open one. The form says which, so a second tap changes nothing."""
    campaign = campaign_selectors.get_campaign_as_master(request.who, code)
    state = campaign_selectors.state_of(campaign)
    # After a won war, the next season starts a new one unless the players say otherwise.
    form = SeasonForm(request.POST or None, initial={"key": new_key(), "new_war": bool(state.winner)})
    closing = request.POST.get("turn") == "close"
    refused = None
    if request.method == "POST":
        key = request.POST.get("key", "")
        try:
            if closing:
                done = campaign_services.write(campaign, request.who, CloseSeason(), key=key)
                if state.winner and request.POST.get("back") == "victory":
                    return redirect("campaign:victory", code, state.war)
                season = next(effect["season"] for effect in done["effects"] if effect["do"] == "season")
                return redirect("campaign:season_page", code, season)
            if form.is_valid():
                opened = form.act()
                if opened.new_war and (page := _preview_new_war(request, campaign, state, opened)):
                    return page
                campaign_services.write(campaign, request.who, opened, key=key)
                return redirect(campaign)
        except Refusal as refusal:
            refused = refusal
            if not closing:
                add_refusal_to_form(form, refusal)
    context = {
        "campaign": campaign,
        "state": state,
        "form": form,
        "key": new_key(),
        "refused": refused if closing else None,
    }
    return render(
        request, "campaign/seasons/open_or_close.html", context, status=422 if request.method == "POST" else 200
    )


def _preview_new_war(request: HttpRequest, campaign: Campaign, state: State, opened: OpenSeason) -> HttpResponse | None:
    words = PreviewTexts(
        heading="Start a new war",
        lead=(
            f"Season {state.season + 1}, {opened.name}, opens with a new war: land, loyalty, VP and houses start over."
        ),
        undo=("The old war stays in the chronicle and the hall of fame. Strike the entry to go back to it."),
        button="Start the new war",
        back=reverse("campaign:open_or_close_season", args=[campaign.code]),
    )
    return preview_act(request, campaign, state, opened, words)


@require_GET
def seasons(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    context = {
        "campaign": campaign,
        "display": build_seasons_display(campaign),
        "can_run": can_run(campaign, request.who),
    }
    return render(request, "campaign/seasons/seasons.html", context)


@require_GET
def season(request: HttpRequest, code: str, season: int) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    display = build_season_display(campaign, season)
    if display is None:
        raise Http404
    words = f"{campaign.name}: season {season}, {display.page['name']}"
    runs, now = can_run(campaign, request.who), campaign_selectors.state_of(campaign)
    context = {
        "campaign": campaign,
        "display": display,
        "can_run": runs,
        "can_open": runs and not now.season_open and now.season == season,
        "share": campaign_link_preview(campaign, words, title=display.page["name"], path=request.path),
    }
    return render(request, "campaign/seasons/season.html", context)
