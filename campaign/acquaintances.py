"""Whom a campaign brings together: its members know each other, and its masters look after them."""

from __future__ import annotations

from django.db.models import QuerySet

from campaign.models import Campaign, Member
from people import circles
from people.who import Who


def register() -> None:
    circles.register(of)
    circles.register_masters(mastered_by)


def of(who: Who) -> QuerySet:
    return Member.objects.filter(campaign__in=Campaign.objects.of(who)).values("person")


def mastered_by(who: Who) -> QuerySet:
    return Member.objects.filter(campaign__in=Campaign.objects.run_by(who)).values("person")
