"""New names of people, which must not pass for the name of somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Q

from look_alikes import twin_refusal, twin_spellings
from people.models import Person
from people.name_validation import clean_name
from people.requester import Who


def clean_person_name(name: object, who: Who | None = None, *, own: Sequence[int] = ()) -> str:
    """Two people can have the same name, but not the same in letters of two alphabets.

    Compared with everyone who has an account, and with whom ``who`` knows: guests added by a stranger cannot make
    a name unusable for others.
    """
    cleaned = clean_name(name)
    if twins := twin_spellings(cleaned):
        named = Person.objects.filter(name__in=twins, forgotten_at=None, merged_into=None).exclude(pk__in=own)
        known = Q(account__isnull=False)
        if who is not None and who.person is not None:
            known |= Q(pk__in=Person.objects.known_to(who).values("pk"))
        if named.filter(known).exists():
            raise twin_refusal(cleaned)
    return cleaned


def find_namesake(people: Iterable[Person], name: str) -> str:
    """The name, as they spell it, of whoever among these people has it already; empty if nobody has."""
    typed = clean_name(name).casefold()
    return next((one.root.name for one in people if one.root.name.casefold() == typed), "")
