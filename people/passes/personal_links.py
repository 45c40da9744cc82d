"""Personal links: the lasting way in for friends without a password."""

from __future__ import annotations

from django.db import transaction

from people.models import LogIn, Person, PersonalLink
from people.who import Who
from refusal import Refusal


def issue(person: Person, *, by: Who) -> PersonalLink:
    """A new link for this Person. The old one dies, and with it every log-in made by it."""
    if not may_issue(person, by):
        raise Refusal(
            "Only they themselves, or who keeps them while they have no account, make a personal link.", status=403
        )
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=person.pk)  # one new link at a time
        PersonalLink.objects.filter(person=person).delete()
        return PersonalLink.objects.create(person=person, made_by=by.person)


def may_issue(person: Person, who: Who) -> bool:
    if who.person is None or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        return False
    # Whoever found the link of someone with an account must not be able to change the lock.
    return not (person.has_account and who.user is None)


def link_of(person: Person) -> PersonalLink | None:
    link = (
        PersonalLink.objects.filter(person=person).select_related("person__merged_into", "made_by__merged_into").first()
    )
    return link if link and opens(link) else None


def opens(link: PersonalLink) -> bool:
    """A link someone else made stops opening once its Person has an account: from then on the door has one key."""
    root = link.person.root
    if root.is_forgotten:
        return False
    return not root.has_account or (link.made_by is not None and link.made_by.root == root)


def end_log_ins_by_others(person: Person) -> None:
    """This Person has an account now: browsers that came in by a link someone else made are shown out."""
    came_by_link = LogIn.objects.filter(person__in=person.all_ids(), how=LogIn.How.LINK).exclude(link=None)
    gone = [
        row.pk
        for row in came_by_link.select_related("link__person__merged_into", "link__made_by__merged_into")
        if not opens(row.link)
    ]
    LogIn.objects.filter(pk__in=gone).delete()
