"""My data: everything the site stores about a person, as JSON. Other apps register their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Q
from django.utils import timezone

from log import log_kinds as log_registry
from log.models import Entry
from people.models import ApiToken, LogIn, Pass, Person, PersonalLink

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
