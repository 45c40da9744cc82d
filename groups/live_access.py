"""Who may watch a group's log."""

from __future__ import annotations

from groups.models import Group
from groups.services import KIND
from log import registry as log_registry
from people.requester import Who


def register() -> None:
    log_registry.register_kind(KIND, can_watch)


def can_watch(who: Who, log_id: int) -> bool:
    """Guests too: the stream carries only version numbers."""
    groups = Group.objects.filter(log_id=log_id)
    return groups.known_to(who).exists() or groups.visible_to(who).exists()
