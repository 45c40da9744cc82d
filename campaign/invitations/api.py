"""Invite players by API: one link for the group, and a personal link for each guest."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign import selectors
from campaign.invitations import services
from campaign.models import Campaign
from dataclass_json import Whole
from json_input import MAX_NUMBER
from pages.api.operations import SentAgain, operation
from pages.api_pagination import MAX_ROWS, Page, paginate, paginate_rows
from people.api import InviteToSite, PassWithAddress, answer_pass_with_address
from people.api_tokens.scopes import RUN
from people.models import Pass
from people.passes import services as passes_services
from people.passes.shown_secrets import link_address


@dataclass(frozen=True)
class InviteToCampaign(InviteToSite):
    replaces: Annotated[
        int | None, Whole("The invitation", 1, MAX_NUMBER), "id of an invitation that ends with this one"
    ] = None


class InvitationList(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("campaigns_invitations")
    def get(self, request: Request, code: str) -> Page[PassWithAddress]:
        """The open invitations of a campaign, for its game master."""
        campaign = selectors.get_campaign_as_master(request.who, code)

        def draw(passes: list[Pass]) -> list[PassWithAddress]:
            return [answer_pass_with_address(request, row) for row in passes]

        return paginate(request, services.open_invitations(campaign), ("-made_at", "-pk"), draw)

    @operation("campaigns_invite", status=201)
    def post(self, request: Request, code: str, sent: SentAgain[InviteToCampaign]) -> PassWithAddress:
        """Make a link with which players join; with ``replaces`` it renews an older one."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        if (replaced := sent.value.replaces) is not None:
            passes_services.revoke_pass(get_object_or_404(services.open_invitations(campaign), pk=replaced))
        row = services.create_invitation(campaign, request.who, label=sent.value.label)
        return answer_pass_with_address(request, row)


class InvitationDetail(APIView):
    scopes = {"DELETE": RUN}

    @operation("campaigns_invitation_end")
    def delete(self, request: Request, code: str, invitation: int) -> None:
        """End an invitation."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        passes_services.revoke_pass(get_object_or_404(services.open_invitations(campaign), pk=invitation))


@dataclass(frozen=True)
class GuestLinkRow:
    api_name = "GuestLink"

    person: Annotated[str, "The person's code."]
    name: str
    has_link: bool
    address: str | None
    opened_at: dt.datetime | None


class GuestLinks(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("campaigns_guest_links")
    def get(self, request: Request, code: str) -> Page[GuestLinkRow]:
        """Members without an account whom you look after, with their personal links."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        return paginate_rows(request, _list_links(request, campaign), lambda row: row.person, list, most=MAX_ROWS)

    @operation("campaigns_guest_links_make", status=201)
    def post(self, request: Request, code: str) -> tuple[GuestLinkRow, ...]:
        """Make a personal link for each of them who has none."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        services.issue_guest_links(campaign, request.who)
        return _list_links(request, campaign)


def _list_links(request: Request, campaign: Campaign) -> tuple[GuestLinkRow, ...]:
    return tuple(
        GuestLinkRow(
            person=guest.person.code,
            name=guest.person.name,
            has_link=guest.has_link,
            address=link_address(request._request, guest.link) if guest.link else None,
            opened_at=guest.opened_at,
        )
        for guest in services.find_guest_links(campaign, request.who)
    )
