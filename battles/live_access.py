"""Who may watch a battle's log, and what is deleted with a battle."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete

from battles.models import EDIT_PASS, REPORT_PASS, Battle
from log import registry as log_registry
from log.models import Log
from people.models import Pass
from people.requester import Who

KIND = "battle"


def register() -> None:
    log_registry.register_kind(KIND, can_watch)
    post_delete.connect(_delete_log_and_passes, sender=Battle, dispatch_uid="battles.log_goes_too")


def can_watch(who: Who, log_id: int) -> bool:
    return Battle.objects.visible_to(who).filter(log_id=log_id).exists()


def _delete_log_and_passes(sender: type[Battle], instance: Battle, **rest: Any) -> None:
    Pass.objects.filter(kind__in=(EDIT_PASS, REPORT_PASS), target=instance.pk).delete()
    Log.objects.filter(pk=instance.log_id).delete()
