"""The campaigns of a group."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from campaign.models import Campaign
from gamenights import campaigns
from groups.permissions import require_member
from groups.selectors import get_visible_group


@require_POST
def change_campaigns(request: HttpRequest, code: str) -> HttpResponse:
    """Add a campaign to the group, or take it out."""
    group = get_visible_group(request.who, code)
    require_member(group, request.who)
    campaign = get_object_or_404(Campaign.objects.visible_to(request.who), code=request.POST.get("campaign", ""))
    change = campaigns.remove_campaign if request.POST.get("act") == "remove" else campaigns.add_campaign
    change(group, request.who, key=request.POST.get("key", ""), campaign=campaign)
    return redirect(group)
