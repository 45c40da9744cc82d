"""Campaigns of a group: their battles become plays of its nights."""

from __future__ import annotations

from campaign.models import Campaign, Member
from campaign.permissions import can_run
from gamenights.plays.filing import refile_battles
from groups import services as groups_services
from groups.entries import Act
from groups.models import Group
from groups.permissions import require_member
from log.services import LogWriter
from people.requester import Who
from refusal import Refusal

ACTS = {"campaign_added": Act(about=("campaign",)), "campaign_removed": Act(about=("campaign",))}


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
