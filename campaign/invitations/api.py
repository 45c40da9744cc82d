"""Invite players by API: one link for the group, and a personal link for each guest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from campaign.invitations import services
from campaign.models import Campaign
from pages.api.operations import SentAgain, operation
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, Page, paginate, paginate_rows
from people.api import InviteToSite, PassWithAddress, answer_pass_with_address
from people.api_tokens.scopes import RUN
from people.models import Pass
from people.passes import services as passes_services
from people.passes.shown_secrets import link_address


@dataclass(frozen=True)
class InviteToCampaign(InviteToSite):
    replaces: Annotated[int | None, "id of an invitation that ends with this one"] = None


class GuestLinkSerializer(serializers.Serializer):
    person = serializers.CharField(source="person.code")
    name = serializers.CharField(source="person.name")
    has_link = serializers.BooleanField()
    address = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField(allow_null=True)

    def get_address(self, guest: services.GuestLink) -> str | None:
        return link_address(self.context["request"], guest.link) if guest.link else None


class InvitationList(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("campaigns_invitations")
    def get(self, request: Request, code: str) -> Page[PassWithAddress]:
        """The open invitations of a campaign, for its game master."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)

        def draw(passes: list[Pass]) -> list[PassWithAddress]:
            return [answer_pass_with_address(request, row) for row in passes]

        return paginate(request, services.open_invitations(campaign), ("-made_at", "-pk"), draw)

    @operation("campaigns_invite", status=201)
    def post(self, request: Request, code: str, sent: SentAgain[InviteToCampaign]) -> PassWithAddress:
        """Make a link with which players join; with ``replaces`` it renews an older one."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        if (replaced := sent.value.replaces) is not None:
            passes_services.revoke_pass(get_object_or_404(services.open_invitations(campaign), pk=replaced))
        row = services.create_invitation(campaign, request.who, label=sent.value.label)
        return answer_pass_with_address(request, row)


class InvitationDetail(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(responses={204: None}, operation_id="campaigns_invitation_end")
    def delete(self, request: Request, code: str, invitation: int) -> Response:
        """End an invitation."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        passes_services.revoke_pass(get_object_or_404(services.open_invitations(campaign), pk=invitation))
        return Response(status=204)


class GuestLinks(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=GuestLinkSerializer(many=True),
        operation_id="campaigns_guest_links",
    )
    def get(self, request: Request, code: str) -> Response:
        """Members without an account whom you look after, with their personal links."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        return _guest_links(request, campaign)

    @extend_schema(
        request=None, responses={201: GuestLinkSerializer(many=True)}, operation_id="campaigns_guest_links_make"
    )
    def post(self, request: Request, code: str) -> Response:
        """Make a personal link for each of them who has none."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        services.issue_guest_links(campaign, request.who)
        found = services.find_guest_links(campaign, request.who)
        return Response(_draw_guests(request, found), status=201)


def _guest_links(request: Request, campaign: Campaign) -> Response:
    return paginate_rows(
        request,
        services.find_guest_links(campaign, request.who),
        lambda link: str(link.person.code),
        lambda found: _draw_guests(request, found),
        most=MAX_ROWS,
    )


def _draw_guests(request: Request, found: Sequence[services.GuestLink]) -> Any:
    return GuestLinkSerializer(found, many=True, context={"request": request._request}).data
