"""Reads of groups and their members."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from groups.models import Group, Member
from groups.permissions import require_host, require_member
from people.models import Person
from people.requester import Who


def get_visible_group(who: Who, code: str) -> Group:
    return get_object_or_404(Group.objects.visible_to(who).select_related("log"), code=code)


def get_group_as_member(who: Who, code: str) -> Group:
    group = get_visible_group(who, code)
    require_member(group, who)
    return group


def get_group_as_host(who: Who, code: str) -> Group:
    group = get_visible_group(who, code)
    require_host(group, who)
    return group


def list_members(group: Group) -> list[Member]:
    """One row per person, with their highest role: hosts first, then members, then guests."""
    ranks = Member.Role.values
    best: dict[int, Member] = {}
    for row in group.members.select_related("person__merged_into", "person__account"):
        root = row.person.root
        if root.pk not in best or ranks.index(row.role) < ranks.index(best[root.pk].role):
            best[root.pk] = row
    return sorted(best.values(), key=lambda row: (ranks.index(row.role), row.person.root.name.casefold()))


def people_of(group: Group) -> list[Person]:
    return [row.person.root for row in list_members(group) if not row.person.root.is_forgotten]


def find_fellow_members(who: Who) -> QuerySet:
    """People who know this person: members of the same groups."""
    return Member.objects.filter(group__in=Group.objects.of(who)).values("person")


def groups_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    """What groups add to the file of somebody's own data."""
    rows = Member.objects.filter(person__in=ids).select_related("group").order_by("pk")
    return [{"group": row.group.name, "role": row.role, "since": row.since} for row in rows]
