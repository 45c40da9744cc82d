"""Who may watch a muster's log, and what goes with a muster that is deleted."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete

from log.models import Log
from musters import may
from musters.models import Muster
from people.who import Who


def may_watch(who: Who, log_id: int) -> bool:
    """The stream says only a number, yet even when somebody rolls is nobody's business where musters are hidden."""
    rows = Muster.objects.visible_to(who).select_related("campaign__log", "campaign__snapshot")
    muster = rows.filter(log_id=log_id).first()
    return muster is not None and not may.hidden_from(may.state_of(muster.campaign), muster, who)


def register() -> None:
    post_delete.connect(_log_too, sender=Muster, dispatch_uid="musters.watching")


def _log_too(instance: Muster, **_: Any) -> None:
    """A campaign that is deleted takes its musters along, and each takes its log."""
    Log.objects.filter(pk=instance.log_id).delete()
