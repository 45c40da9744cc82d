"""Who can watch a muster's log live and how long it is secret; deleting a muster deletes its log."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models.signals import post_delete

from campaign.chronicle.state import State
from log import registry as log_registry
from log.models import Log
from musters import permissions
from musters.models import Muster
from people.requester import Who


def can_watch(who: Who, log_id: int) -> bool:
    """The stream sends only a version number, but hidden musters must not even show that somebody rolls."""
    rows = Muster.objects.visible_to(who).select_related("campaign__log", "campaign__snapshot")
    muster = rows.filter(log_id=log_id).first()
    return muster is not None and not permissions.is_hidden_from(permissions.state_of(muster.campaign), muster, who)


def find_hidden_logs(ids: Collection[int]) -> Collection[int]:
    """Logs of musters that the other side may not see yet."""
    rows = Muster.objects.filter(log__in=ids).select_related("campaign__log", "campaign__snapshot")
    states: dict[int, State] = {}
    hidden = []
    for muster in rows:
        if muster.campaign_id not in states:
            states[muster.campaign_id] = permissions.state_of(muster.campaign)
        if permissions.is_hidden_from(states[muster.campaign_id], muster, Who()):
            hidden.append(muster.log_id)
    return hidden


def register() -> None:
    log_registry.register_kind("muster", can_watch, still_secret=find_hidden_logs)
    post_delete.connect(_delete_log, sender=Muster, dispatch_uid="musters.live_access")


def _delete_log(instance: Muster, **_: Any) -> None:
    """Deleting a campaign deletes its musters, and each muster its log."""
    Log.objects.filter(pk=instance.log_id).delete()
