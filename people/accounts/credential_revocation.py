"""Everything that lets a browser act as a person, and the one place where it is revoked.

After a claim, a merge, a new account or a new password, only the browser in which that was done stays logged in. Until
then others could act as this person: whoever looked after them, or whoever knew the old password. Apps above register
what else lets a phone act for somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from people.models import LogIn, Person, PersonalLink
from people.passes import services as passes_services
from people.requester import Who

ENDED = "Other phones are logged out, and older links no longer work."

# Gets the ids of a person and the passes that stay, and ends the rest.
End = Callable[[Sequence[int], Sequence[int]], None]

_hooks: list[End] = []
_listeners: list[Callable[[int], None]] = []


def register_hook(hook: End) -> None:
    if hook not in _hooks:
        _hooks.append(hook)


def add_listener(listener: Callable[[int], None]) -> None:
    """``listener`` is called after the commit with the id of each person whose credentials have ended."""
    if listener not in _listeners:
        _listeners.append(listener)


def end_credentials(ids: Sequence[int], *, by: Who | None) -> None:
    """End every log-in, link and pass of these ids, except in the browser of ``by``. Say ``ENDED`` afterwards."""
    stays = by.log_in.pk if by is not None and by.log_in is not None else 0
    held = [row.pk for row in by.passes] if by is not None else []
    with transaction.atomic():
        LogIn.objects.filter(person__in=ids).exclude(pk=stays).delete()
        PersonalLink.objects.filter(person__in=ids, ended_at=None).update(ended_at=timezone.now())
        passes_services.revoke_passes_of(ids)
        Person.objects.filter(pk__in=ids).update(credentials_ended_at=timezone.now())
        for hook in _hooks:
            hook(ids, held)
    transaction.on_commit(lambda: _tell_listeners(ids))


def end_keeper(ids: Sequence[int]) -> None:
    """Whoever has a password looks after themselves. On their page they can let their inviter help them again."""
    for row in Person.objects.filter(pk__in=ids, merged_into=None).exclude(keeper=None):
        Person.objects.filter(pk=row.pk).update(invited_by=row.keeper_id, keeper=None)


def _tell_listeners(ids: Sequence[int]) -> None:
    for listener in _listeners:
        for pk in ids:
            listener(pk)
