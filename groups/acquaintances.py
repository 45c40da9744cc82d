"""Members of a group know each other."""

from __future__ import annotations

from django.db.models import QuerySet

from groups.models import Group, Member
from people import acquaintances as people_acquaintances
from people.requester import Who


def register() -> None:
    people_acquaintances.register_source(find_fellow_members)


def find_fellow_members(who: Who) -> QuerySet:
    return Member.objects.filter(group__in=Group.objects.of(who)).values("person")
