"""The page that invites players: one link for the whole group, and a personal link for each guest."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import selectors as campaign_selectors
from campaign.invitations import services
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from people.passes import services as passes_services


@require_http_methods(["GET", "POST"])
def invite(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_campaign_as_master(request.who, code)
    if request.method == "POST":
        if "links" in request.POST:
            services.issue_guest_links(campaign, request.who)
            return redirect("campaign:invite", campaign.code)
        number = request.POST.get("take_back", "")
        if row := services.open_invitations(campaign).filter(pk=parse_int(number) or 0).first():
            passes_services.revoke_pass(row)
        else:
            services.create_invitation(campaign, request.who, label=request.POST.get("label", ""))
        return redirect("campaign:invite", campaign.code)
    rows = [(row, guest_url(row.get_absolute_url())) for row in services.open_invitations(campaign)]
    guests = services.find_guest_links(campaign, request.who)
    context = {
        "campaign": campaign,
        "rows": rows,
        "guests": guests,
        "linkless": any(not guest.has_link for guest in guests),
    }
    return render(request, "campaign/invitations/invite.html", context)
