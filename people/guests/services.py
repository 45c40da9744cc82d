"""Keeping people: friends without an account are the normal case, and someone at the table writes them down."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q

from heraldry import Arms
from log import door
from people import circles
from people.models import Person
from people.names import clean_name, said
from people.who import Who
from refusal import Refusal

KEPT_MOST = 500


def add(who: Who, name: object, *, key: str = "") -> Person:
    """Write a friend down. The same key writes them down once."""
    keeper = who.must_be_known()
    if key:
        door.must_be_key(key)
    entry_key = f"{who.ref}/{key}" if key else None
    before = Person.objects.filter(entry_key=entry_key).first() if entry_key else None
    if before:
        return before
    name = clean_name(name)
    _room_for_one_more(who)
    try:
        with transaction.atomic():
            return Person.objects.create(name=name, keeper=keeper, entry_key=entry_key)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Person.objects.get(entry_key=entry_key)


def _room_for_one_more(who: Who) -> None:
    if Person.objects.kept_by(who).count() >= KEPT_MOST:
        raise Refusal(f"You keep {KEPT_MOST} people. That is the most one can look after.")


def take_over(who: Who, person: Person) -> None:
    """Look after a friend whom somebody else has written down. The link is that one's word for it."""
    if who.person is None:
        raise Refusal("Log in first, or open your personal link.", status=403)
    if who.person.pk == person.pk:
        raise Refusal("This is you. Make an account on your own page, and nobody needs to look after you.")
    if Person.objects.kept_by(who).filter(pk=person.pk).exists():
        raise Refusal(f"You look after {said(person.name)} already.", status=409)
    _room_for_one_more(who)
    Person.objects.filter(pk=person.pk, account=None).update(keeper=who.person)


def rename(who: Who, person: Person, name: object) -> Person:
    name = clean_name(name)
    if not Person.objects.editable_by(who).filter(pk=person.pk).update(name=name):
        raise Refusal("Only they themselves change this name.", status=403)
    person.name = name
    return person


def set_arms(who: Who, person: Person, arms: Arms) -> None:
    if not Person.objects.editable_by(who).filter(pk=person.pk).update(blazon=arms.to_dict()):
        raise Refusal("Only they themselves change these arms.", status=403)


def why_no_reset(who: Who, person: Person) -> str:
    """Who may hand someone a link to a new password, which is as good as their account: the sentence against it, or nothing.

    An owner of the site may. Whoever invited them may, until they say otherwise on their own page. A game master of
    theirs may if they have said so. Nobody but an owner may for someone with rights over the site.
    """
    if not person.has_account:
        return f"{said(person.name)} has no account. A personal link is what they need."
    if who.user is None:
        return "Log in with your password to do this."
    if person.pk == who.person.pk:
        return "You are logged in. Change the password on your own page."
    if who.is_owner:
        return ""
    if person.account.is_staff or person.account.is_superuser:
        return "Only an owner of the site can do this for them."
    if Person.objects.kept_by(who).filter(pk=person.pk).exists():
        return ""
    mastered = Q(pk__in=[])
    for ids in circles.mastered_by(who):
        mastered |= Q(pk__in=ids)
    if person.masters_may_reset and Person.objects.filter(mastered).filter(pk__in=person.all_ids()).exists():
        return ""
    return "They have not allowed you to do this. An owner of the site can."


def let_go(person: Person) -> None:
    """Someone with an account no longer wants anybody to look after them."""
    Person.objects.filter(pk=person.pk, account__isnull=False).update(keeper=None)


def write_newcomer_down(name: object, keeper: Person | None) -> Person:
    """Someone came with an invitation and gave only a name. Whoever invited them looks after them."""
    return Person.objects.create(name=clean_name(name), keeper=keeper)
