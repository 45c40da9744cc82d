"""Invite players by API: one link for the group, and a personal link for each guest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from campaign.invitations import services
from campaign.models import Campaign
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate, paginate_rows
from pages.api_parsers import read_body
from people.api import PassWithAddressSerializer, pass_answer
from people.api_tokens.scopes import RUN
from people.passes import services as passes_services
from people.passes.shown_secrets import link_address


class InvitationInSerializer(serializers.Serializer):
    label = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="only you see it")
    replaces = serializers.IntegerField(required=False, help_text="id of an invitation that ends with this one")


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

    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=PassWithAddressSerializer(many=True),
        operation_id="campaigns_invitations",
    )
    def get(self, request: Request, code: str) -> Response:
        """The open invitations of a campaign, for its game master."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        rows, order = services.open_invitations(campaign), ("-made_at", "-pk")
        shown = {"request": request._request}
        return paginate(
            request, rows, order, lambda found: PassWithAddressSerializer(found, many=True, context=shown).data
        )

    @extend_schema(
        request=InvitationInSerializer,
        responses={201: PassWithAddressSerializer},
        operation_id="campaigns_invite",
    )
    def post(self, request: Request, code: str) -> Response:
        """Make a link with which players join; with ``replaces`` it renews an older one."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        sent = read_body(InvitationInSerializer, request)
        if "replaces" in sent:
            passes_services.revoke_pass(get_object_or_404(services.open_invitations(campaign), pk=sent["replaces"]))
        return pass_answer(request, services.create_invitation(campaign, request.who, label=sent["label"]), 201)


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
