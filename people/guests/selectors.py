"""People by their code, for whoever may see or change them."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from people import merging
from people.models import Person, PersonQuerySet
from people.requester import Who
from refusal import Refusal


def get_visible_person(who: Who, code: str) -> Person:
    people = Person.objects.visible_to(who).select_related("merged_into", "keeper__merged_into", "account")
    return get_object_or_404(people, code=code)


def get_editable_person(who: Who, code: str) -> Person:
    """A person you can edit; 403 for others you can see, 404 for everyone else."""
    person = get_visible_person(who, code)
    if not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        raise Refusal("This is not your guest, so you cannot change anything here.", status=403)
    return person


def get_person_to_merge(who: Who, code: str) -> Person:
    """One of your guests. You yourself are always the one that stays."""
    found = get_editable_person(who, code)
    if found.pk == who.require_person().pk:
        raise Http404
    return found


def merge_targets(who: Who, person: Person) -> PersonQuerySet:
    return Person.objects.editable_by(who).exclude(pk=person.pk)


def get_merged_person(who: Who, code: str) -> Person:
    """Someone who can undo a merge may not be able to see the merged person otherwise."""
    found = Person.objects.filter(code=code).exclude(merged_into=None).first()
    if found is None or not (
        merging.can_unmerge(found, who) or Person.objects.visible_to(who).filter(pk=found.pk).exists()
    ):
        raise Http404
    return found
