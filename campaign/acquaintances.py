"""Members of a campaign know each other, and its game masters look after them."""

from __future__ import annotations

from django.db.models import QuerySet

from campaign.models import Campaign, Member
from people import acquaintances as people_acquaintances
from people.requester import Who


def register() -> None:
    people_acquaintances.register_source(find_fellow_members)
    people_acquaintances.register_master_source(find_members_run_by)


def find_fellow_members(who: Who) -> QuerySet:
    return Member.objects.filter(campaign__in=Campaign.objects.of(who)).values("person")


def find_members_run_by(who: Who) -> QuerySet:
    return Member.objects.filter(campaign__in=Campaign.objects.run_by(who)).values("person")
