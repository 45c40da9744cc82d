"""Who may watch a campaign's log."""

from __future__ import annotations

from campaign.models import Campaign
from log import registry as log_registry
from people.requester import Who


def register() -> None:
    log_registry.register_kind("campaign", can_watch)


def can_watch(who: Who, log_id: int) -> bool:
    return Campaign.objects.visible_to(who).filter(log_id=log_id).exists()
