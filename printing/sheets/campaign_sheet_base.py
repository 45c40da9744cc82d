"""What the campaign sheets share: finding the campaign, its names and the way back."""

from __future__ import annotations

from collections.abc import Iterator

from campaign import selectors as campaign_selectors
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import names_for
from campaign.models import Campaign
from people.requester import Who
from printing.sheet_registry import Subject


def find_campaign(who: Who, code: str) -> Campaign:
    return campaign_selectors.get_visible_campaign(who, code)


def my_campaigns(who: Who) -> Iterator[Subject]:
    for campaign, _ in campaign_selectors.own_campaigns(who).running[:12]:
        yield Subject(campaign.code, campaign.name)


def names_in(campaign: Campaign, state: State) -> Names:
    return names_for(campaign, state, campaign.members.select_related("person__merged_into"))


def back_to_campaign(campaign: Campaign) -> tuple[str, str]:
    return campaign.get_absolute_url(), campaign.name
