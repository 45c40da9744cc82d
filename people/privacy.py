"""What a person can ask for: to be forgotten, and everything the site stores about them.

Forgetting deletes the name and all log-ins. Games stay, credited to "Someone".
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from log import registry as log_registry
from log.models import Entry
from people.models import SOMEONE, ApiAnswer, ApiToken, LogIn, Pass, Person, PersonalLink, new_code
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


# ── My data ────────────────────────────────────────────────────────────────────────────────────────────
# Everything the site stores about a person, as JSON. Other apps register their parts.


LEFT_OUT = "Your choices in games that are still running. They are in this file when the games are over."

# Each part gets every id of the person and returns JSON data.
_parts: dict[str, Callable[[tuple[int, ...]], Any]] = {}


def register_part(name: str, part: Callable[[tuple[int, ...]], Any]) -> None:
    """``name`` is the key in the file. ``part`` must only name what the person can see."""
    _parts[name] = part


def find_secret_logs(entries: Iterable[Entry]) -> set[int]:
    logs: dict[str, set[int]] = {}
    for entry in entries:
        logs.setdefault(entry.log.kind, set()).add(entry.log_id)
    return log_registry.find_secret_logs(logs)


def export_my_data(person: Person) -> dict[str, object]:
    ids = person.all_ids()
    account = person.account
    entries = (
        Entry.objects.filter(Q(actor__in=ids) | Q(on_behalf_of__in=ids))
        .select_related("log")
        .order_by("entered_at", "pk")
    )
    secret = find_secret_logs(entries)
    rows = Person.objects.filter(pk__in=ids).select_related("keeper__merged_into").order_by("pk")
    data: dict[str, object] = {
        "made_at": timezone.now(),
        "person": [
            {
                "code": row.code,
                "name": row.name,
                "arms": row.blazon,
                "written_down_at": row.created_at,
                "kept_by": row.keeper.root.name if row.keeper else None,
                "merged_at": row.joined_at,
                "masters_may_reset": row.masters_may_reset,
            }
            for row in rows
        ],
        "account": account
        and {
            "log_in_name": account.get_username(),
            "mail": account.email,
            "made_at": account.date_joined,
            "last_log_in": account.last_login,
            "owner": account.is_superuser,
        },
        "log_ins": list(LogIn.objects.filter(person__in=ids).values("browser", "how", "first_seen", "last_seen")),
        "api_tokens": list(ApiToken.objects.filter(log_in__person__in=ids).values("label", "scopes", "made_at")),
        "personal_links": list(PersonalLink.objects.filter(person__in=ids).values("made_at", "opened_at")),
        "passes_made": list(
            Pass.objects.filter(made_by__in=ids).values(
                "kind", "label", "made_at", "expires_at", "uses_left", "used_at", "revoked_at"
            )
        ),
        "people_kept": list(Person.objects.filter(keeper__in=ids).values("code", "name", "created_at")),
        "entries": [
            {
                "log": entry.log.kind,
                "log_number": entry.log_id,
                "number": entry.number,
                "act": entry.act,
                "as": "actor" if entry.actor_id in ids else "on my behalf",
                "body": entry.body,
                "played_on": entry.played_on,
                "entered_at": entry.entered_at,
            }
            for entry in entries
            if entry.log_id not in secret
        ],
        "left_out": LEFT_OUT if secret else "",
    }
    for name, part in _parts.items():
        data[name] = part(ids)
    return data
