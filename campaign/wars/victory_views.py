"""Declare the winner of a war, and the page of a won war."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.act_confirmation.confirmation_page import PreviewTexts, preview_act
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from campaign.map_outlines.address import lands_address
from campaign.permissions import is_master
from campaign.share.link_preview import campaign_link_preview
from campaign.wars.forms import WinnerForm
from campaign.wars.won_war_display import build_victory_display
from campaign.wars.won_war_picture import draw_wreath
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def declare_winner(request: HttpRequest, code: str) -> HttpResponse:
    """Victory by the players' own condition; the book's conditions count automatically."""
    campaign = campaign_selectors.get_campaign_as_master(request.who, code)
    state = campaign_selectors.state_of(campaign)
    form = WinnerForm(request.POST or None, state=state, initial={"key": new_key()})
    if request.method == "POST" and form.is_valid():
        won = form.act()
        words = PreviewTexts(
            heading="Declare the winner",
            lead=f"{state.kingdoms[won.kingdom].name} wins the war: {won.why}",
            undo=("No more battles until a season starts a new war. Strike the entry to undo it."),
            button="Declare the winner",
            back=campaign.get_absolute_url(),
        )
        try:
            if page := preview_act(request, campaign, state, won, words):
                return page
            done = campaign_services.write(campaign, request.who, won, key=form.cleaned_data["key"])
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    context = {
        "campaign": campaign,
        "form": form,
        "agreed": state.terms.get("victory_words", ""),
        "winner": state.kingdoms[state.winner].name if state.winner else "",
    }
    return render(request, "campaign/wars/declare_winner.html", context, status=422 if form.is_bound else 200)


@require_safe
def victory(request: HttpRequest, code: str, war: int) -> HttpResponse:
    """A won war: its winner, map, standings and titles, and what comes next."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    display = build_victory_display(campaign, war)
    if display is None:
        raise Http404
    now = campaign_selectors.state_of(campaign)
    map_display = build_map_display(
        display.state, seed=campaign.code, title=f"Map of {campaign.name} at the end of the war"
    )
    context = {
        "campaign": campaign,
        "display": display,
        "wreath": draw_wreath(),
        "drawing": draw_map_with_key(map_display, lands=lands_address(map_display)),
        "is_last": now.war == war,
        "season_open": now.season_open,
        "can_run": is_master(now, request.who),
        "key": new_key(),
        "share": campaign_link_preview(
            campaign,
            f"{display.winner} won the war.",
            title=f"{display.winner} wins {campaign.name}",
            path=request.path,
        ),
    }
    return render(request, "campaign/wars/victory.html", context)
