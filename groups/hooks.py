"""What groups tell the apps below: who may watch their log, who knows whom, and what is stored about a person."""

from __future__ import annotations

from django.db.models import QuerySet

from groups.models import Group, Member
from groups.services import KIND
from log import registry as log_registry
from people import acquaintances
from people.privacy import my_data
from people.requester import Who


def register() -> None:
    log_registry.register_kind(KIND, can_watch)
    acquaintances.register_source(find_fellow_members)
    my_data.register_part("groups", groups_of)


def can_watch(who: Who, log_id: int) -> bool:
    """Guests too: the stream carries only version numbers."""
    groups = Group.objects.filter(log_id=log_id)
    return groups.known_to(who).exists() or groups.visible_to(who).exists()


def find_fellow_members(who: Who) -> QuerySet:
    return Member.objects.filter(group__in=Group.objects.of(who)).values("person")


def groups_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Member.objects.filter(person__in=ids).select_related("group").order_by("pk")
    return [{"group": row.group.name, "role": row.role, "since": row.since} for row in rows]
