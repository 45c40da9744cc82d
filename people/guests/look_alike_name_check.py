"""New names of people, which must not pass for the name of somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Length

from look_alikes import look_alike_refusal, looks_like, shape_of
from people.models import Person
from people.name_validation import clean_name
from people.requester import Who


def clean_person_name(name: object, who: Who | None = None, *, own: Sequence[int] = ()) -> str:
    """Two people can have the same name, but not two names that only look the same.

    Compared with everyone who has an account, and with whom ``who`` knows: guests added by a stranger cannot make
    a name unusable for others.
    """
    cleaned = clean_name(name)
    known = Q(account__isnull=False)
    if who is not None and who.person is not None:
        known |= Q(pk__in=Person.objects.known_to(who).values("pk"))
    named = Person.objects.filter(known, forgotten_at=None, merged_into=None).exclude(pk__in=own)
    if has_look_alike(named, "name", cleaned):
        raise look_alike_refusal(cleaned)
    return cleaned


def clean_person_names(names: Iterable[str]) -> list[str]:
    """Many names, compared in one query with everyone who has an account."""
    cleaned = [clean_name(name) for name in names]
    taken: dict[str, set[str]] = {}
    accounts = Person.objects.filter(account__isnull=False, forgotten_at=None, merged_into=None)
    for name in accounts.order_by().values_list("name", flat=True).iterator():
        taken.setdefault(shape_of(name), set()).add(name)
    for name in cleaned:
        if taken.get(shape_of(name), set()) - {name}:
            raise look_alike_refusal(name)
    return cleaned


def has_look_alike(rows: QuerySet[Any], field: str, name: str) -> bool:
    """Whether a different name in these rows looks the same. Names that do are of one length, which leaves few."""
    alike = rows.annotate(name_length=Length(field)).filter(name_length=len(name))
    return any(looks_like(name, other) for other in alike.order_by().values_list(field, flat=True).iterator())


def find_namesake(people: Iterable[Person], name: str) -> str:
    """The name, as they spell it, of whoever among these people has it already; empty if nobody has."""
    typed = clean_name(name).casefold()
    return next((one.root.name for one in people if one.root.name.casefold() == typed), "")
