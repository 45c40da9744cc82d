"""Who may watch a battle's log, and what goes with a battle that is deleted."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete

from battles.models import KEEP, REPORT, Battle
from log import kinds
from log.models import Log
from people.models import Pass
from people.who import Who

KIND = "battle"


def register() -> None:
    kinds.register(KIND, may_watch)
    post_delete.connect(_log_goes_too, sender=Battle, dispatch_uid="battles.log_goes_too")


def may_watch(who: Who, log_id: int) -> bool:
    return Battle.objects.visible_to(who).filter(log_id=log_id).exists()


def _log_goes_too(sender: type[Battle], instance: Battle, **rest: Any) -> None:
    Pass.objects.filter(kind__in=(KEEP, REPORT), target=instance.pk).delete()
    Log.objects.filter(pk=instance.log_id).delete()
