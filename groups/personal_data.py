"""What groups add to the file of somebody's own data."""

from __future__ import annotations

from groups.models import Member
from people import privacy


def register() -> None:
    privacy.register_part("groups", groups_of)


def groups_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Member.objects.filter(person__in=ids).select_related("group").order_by("pk")
    return [{"group": row.group.name, "role": row.role, "since": row.since} for row in rows]
