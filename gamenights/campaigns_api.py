"""The campaigns of a group over the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign.models import Campaign
from dataclass_json import Ask, Text
from gamenights import campaigns
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate
from pages.fields.rows import as_rows


@dataclass(frozen=True)
class GroupCampaign:
    code: str
    name: str


@dataclass(frozen=True)
class ChangeGroupCampaigns:
    campaign: Annotated[str, Text("The campaign", 16), Ask("Campaign", "The code of a campaign you run.")]
    act: Literal["add", "remove"]


class GroupCampaigns(APIView):
    @operation("groups_campaigns")
    def get(self, request: Request, code: str) -> Page[GroupCampaign]:
        """The campaigns of a group. Their battles are plays of its nights."""
        group = get_visible_group(request.who, code)
        found = Campaign.objects.filter(group=group).visible_to(request.who)
        return paginate(request, found, ("-founded_at", "-pk"), as_rows(GroupCampaign), most=MAX_ROWS)

    @operation("groups_change_campaigns")
    def post(self, request: Request, code: str, sent: Sent[ChangeGroupCampaigns]) -> Page[GroupCampaign]:
        """Add a campaign to the group, or take it out."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        wanted = sent.value
        campaign = get_object_or_404(Campaign.objects.visible_to(request.who), code=wanted.campaign)
        change = campaigns.remove_campaign if wanted.act == "remove" else campaigns.add_campaign
        change(group, request.who, key=sent.key, campaign=campaign)
        page: Page[GroupCampaign] = self.get(request, code)
        return page
