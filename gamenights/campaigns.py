"""Campaigns of a group: their battles become plays of its nights."""

from dataclasses import dataclass
from typing import Annotated, Literal

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from campaign.models import Campaign, Member
from campaign.permissions import can_run
from dataclass_json import Ask, Text
from gamenights.plays.filing import refile_battles
from groups import services as groups_services
from groups.entries import Act
from groups.models import Group
from groups.permissions import require_member
from log.services import LogWriter
from pages.cached_parts import PagePart
from people.requester import Who
from refusal import Refusal

ACTS = {"campaign_added": Act(about=("campaign",)), "campaign_removed": Act(about=("campaign",))}
MAX_ADDABLE = 20


@dataclass(frozen=True)
class GroupCampaign:
    code: str
    name: str


@dataclass(frozen=True)
class ChangeGroupCampaigns:
    campaign: Annotated[str, Text("The campaign", 16), Ask("Campaign", "The code of a campaign you run.")]
    act: Literal["add", "remove"]


def campaigns_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    """On the group's page."""
    campaigns = Campaign.objects.filter(group=group).visible_to(request.who)
    mine = Campaign.objects.run_by(request.who).filter(group=None, archived_at=None)[:MAX_ADDABLE] if role else ()
    return PagePart("gamenights/_campaigns_of_group.html", {"campaigns": list(campaigns), "addable": list(mine)})


def change_campaigns(group: Group, who: Who, key: str, sent: ChangeGroupCampaigns) -> None:
    require_member(group, who)
    campaign = get_object_or_404(Campaign.objects.visible_to(who), code=sent.campaign)
    change = remove_campaign if sent.act == "remove" else add_campaign
    change(group, who, key=key, campaign=campaign)


def add_campaign(group: Group, who: Who, *, key: str, campaign: Campaign) -> None:
    """Put a campaign into the group: its people become members, its confirmed battles become plays."""
    require_member(group, who)
    if not can_run(campaign, who):
        raise Refusal("Only a game master of the campaign can add it.", status=403)

    def change(_: LogWriter) -> None:
        Campaign.objects.filter(pk=campaign.pk).update(group=group)
        for member in Member.objects.filter(campaign=campaign).select_related("person__merged_into"):
            groups_services.add_member(group, member.person)

    groups_services.write_to_log(group, who, key, "campaign_added", change, campaign=campaign.code)
    refile_battles(campaign.pk)


def remove_campaign(group: Group, who: Who, *, key: str, campaign: Campaign) -> None:
    """Take it out again. Plays already filed stay."""
    require_member(group, who)
    if not can_run(campaign, who):
        raise Refusal("Only a game master of the campaign can take it out.", status=403)

    def change(_: LogWriter) -> None:
        Campaign.objects.filter(pk=campaign.pk, group=group).update(group=None)

    groups_services.write_to_log(group, who, key, "campaign_removed", change, campaign=campaign.code)
