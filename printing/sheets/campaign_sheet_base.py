"""What the sheets of a campaign share: whose they are, how they are found, what they are called."""

from __future__ import annotations

from collections.abc import Iterator

from django.shortcuts import get_object_or_404

from campaign.annals.state import State
from campaign.annals.tales import Names
from campaign.models import Campaign
from campaign.sheet import names_for
from people.who import Who
from printing.sheet import Subject


def find(who: Who, code: str) -> Campaign:
    return get_object_or_404(Campaign.objects.visible_to(who).select_related("log"), code=code)


def mine(who: Who) -> Iterator[Subject]:
    for campaign in Campaign.objects.of(who).filter(archived_at=None)[:12]:
        yield Subject(campaign.code, campaign.name)


def named(campaign: Campaign, state: State) -> Names:
    return names_for(campaign, state, campaign.members.select_related("person__merged_into"))


def back(campaign: Campaign) -> tuple[str, str]:
    return campaign.get_absolute_url(), campaign.name
