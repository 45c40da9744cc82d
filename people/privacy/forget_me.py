"""Forget me: delete the name and all log-ins. Games stay, credited to "Someone"."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from people.models import SOMEONE, ApiAnswer, LogIn, Pass, Person, PersonalLink, new_code
from people.name_validation import clean_text
from people.requester import Who
from refusal import Refusal

NAME_DIFFERS = "The name does not match. Nothing was changed."
# Called inside the transaction with every id of the person; apps delete what else names them.
_hooks: list[Callable[[tuple[int, ...]], None]] = []


def register_hook(hook: Callable[[tuple[int, ...]], None]) -> None:
    if hook not in _hooks:
        _hooks.append(hook)


def why_not_forget(person: Person, who: Who) -> str:
    """Why ``who`` cannot forget this person, or ""."""
    if not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        return "Only they, or whoever looks after them, can do this."
    if person.has_account and who.user is None:
        return "You used a personal link. Log in with your password to do this."
    User = get_user_model()
    if person.has_account and person.account.is_superuser:
        others = User.objects.exclude(pk=person.account_id)
        if others.exists() and not others.filter(is_superuser=True, is_active=True).exists():
            return "You are the only owner of this site. Make someone else an owner first, in the admin."
    return ""


def check_typed_name(person: Person, typed: str) -> None:
    """Forgetting asks for the name, because it cannot be undone."""
    if clean_text(typed).casefold() != clean_text(person.name).casefold():
        raise Refusal(NAME_DIFFERS, field="name")


def forget_person(person: Person, *, by: Who) -> None:
    """Names are stored in Person rows only, so nothing else has to change. This cannot be undone."""
    sentence = why_not_forget(person, by)
    if sentence:
        raise Refusal(sentence, status=403)
    ids = person.all_ids()
    with transaction.atomic():
        for hook in _hooks:
            hook(ids)
        LogIn.objects.filter(person__in=ids).delete()
        ApiAnswer.objects.filter(person__in=ids).delete()
        PersonalLink.objects.filter(person__in=ids).delete()
        Pass.objects.filter(made_by__in=ids).delete()
        Pass.objects.filter(kind__in=("claim", "hand_on", "reset"), target__in=ids).delete()
        account_ids = list(Person.objects.filter(pk__in=ids).exclude(account=None).values_list("account_id", flat=True))
        # Their guests have no keeper now; an owner of the site can hand them over.
        Person.objects.filter(keeper__in=ids).update(keeper=None)
        Person.objects.filter(invited_by__in=ids).update(invited_by=None)
        for pk in ids:
            Person.objects.filter(pk=pk).update(
                name=SOMEONE,
                code=new_code(),
                blazon={},
                account=None,
                keeper=None,
                invited_by=None,
                masters_may_reset=False,
                forgotten_at=timezone.now(),
            )
        get_user_model().objects.filter(pk__in=account_ids).delete()
