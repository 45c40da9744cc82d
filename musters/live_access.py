"""Who can watch a muster's log live; a deleted muster takes its log along."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete

from log.models import Log
from musters import permissions
from musters.models import Muster
from people.requester import Who


def can_watch(who: Who, log_id: int) -> bool:
    """The stream sends only a version number, but hidden musters must not even show that somebody rolls."""
    rows = Muster.objects.visible_to(who).select_related("campaign__log", "campaign__snapshot")
    muster = rows.filter(log_id=log_id).first()
    return muster is not None and not permissions.is_hidden_from(permissions.state_of(muster.campaign), muster, who)


def register() -> None:
    post_delete.connect(_delete_log, sender=Muster, dispatch_uid="musters.live_access")


def _delete_log(instance: Muster, **_: Any) -> None:
    """Deleting a campaign deletes its musters, and each muster its log."""
    Log.objects.filter(pk=instance.log_id).delete()
