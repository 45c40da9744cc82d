"""Personal links: how guests log in."""

from __future__ import annotations

from django.db import transaction

from people.models import Person, PersonalLink
from people.requester import Who
from refusal import Refusal


def issue_link(person: Person, *, by: Who) -> PersonalLink:
    """Make a new link. The old one and every log-in made with it end."""
    if not can_issue(person, by):
        raise Refusal(
            "Only they can make this link, or the person who looks after them until they have an account.",
            status=403,
        )
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=person.pk)  # lock: one new link at a time
        PersonalLink.objects.filter(person=person).delete()
        return PersonalLink.objects.create(person=person, made_by=by.person)


def can_issue(person: Person, who: Who) -> bool:
    if who.person is None or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        return False
    # Someone who only holds the link of an account must not be able to replace it.
    return not (person.has_account and who.user is None)


def find_personal_link(person: Person) -> PersonalLink | None:
    link = (
        PersonalLink.objects.filter(person=person).select_related("person__merged_into", "made_by__merged_into").first()
    )
    return link if link and is_link_valid(link) else None


def is_link_valid(link: PersonalLink) -> bool:
    """Links made by someone else stop working once the person has an account."""
    root = link.person.root
    if root.is_forgotten or link.ended_at is not None:
        return False
    return not root.has_account or (link.made_by is not None and link.made_by.root == root)
