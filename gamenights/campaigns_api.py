"""The campaigns of a group over the API."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign.models import Campaign
from gamenights import campaigns
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api_pagination import MOST, PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body


class GroupCampaignSerializer(serializers.ModelSerializer):
    class Meta:
        model = Campaign
        fields = ["code", "name"]


class GroupCampaignInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    campaign = serializers.CharField(max_length=16, help_text="the code of a campaign you run")
    act = serializers.ChoiceField(["add", "remove"])


class GroupCampaigns(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=GroupCampaignSerializer(many=True),
        operation_id="groups_campaigns",
    )
    def get(self, request: Request, code: str) -> Response:
        """The campaigns of a group. Their battles are plays of its nights."""
        group = get_visible_group(request.who, code)
        found = Campaign.objects.filter(group=group).visible_to(request.who)
        order = ("-founded_at", "-pk")
        return paginate(request, found, order, lambda rows: GroupCampaignSerializer(rows, many=True).data, most=MOST)

    @extend_schema(
        request=GroupCampaignInSerializer,
        responses=GroupCampaignSerializer(many=True),
        operation_id="groups_change_campaigns",
    )
    def post(self, request: Request, code: str) -> Response:
        """Add a campaign to the group, or take it out."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        data = read_body(GroupCampaignInSerializer, request)
        campaign = get_object_or_404(Campaign.objects.visible_to(request.who), code=data["campaign"])
        change = campaigns.remove_campaign if data["act"] == "remove" else campaigns.add_campaign
        change(group, request.who, key=data["key"], campaign=campaign)
        return self.get(request, code)
