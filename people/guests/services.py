"""Guests: people without an account, added and looked after by someone they play with."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import Q

from heraldry import Arms
from log import services as log_services
from people import acquaintances as people_acquaintances
from people.guests.look_alike_name_check import clean_person_name, clean_person_names
from people.models import Person
from people.name_validation import inline_name
from people.requester import Who
from refusal import Refusal

MAX_GUESTS = 500


def add_guest(who: Who, name: object, *, key: str = "") -> Person:
    """Add a guest. The same key adds them once."""
    keeper = who.require_person()
    if key:
        log_services.check_key(key)
    entry_key = f"{who.ref}/{key}" if key else None
    before = Person.objects.filter(entry_key=entry_key).first() if entry_key else None
    if before:
        return before
    name = clean_person_name(name, who)
    _check_guest_limit(who)
    try:
        with transaction.atomic():
            return Person.objects.create(name=name, keeper=keeper, entry_key=entry_key)
    except IntegrityError:  # the same form arrived twice
        return Person.objects.get(entry_key=entry_key)


def find_or_add_guest(who: Who, name: str, *, key: str) -> Person | None:
    """The person of this name: ``who``, someone they know, or a new guest."""
    if not name.strip():
        return None
    me = who.require_person()
    if name.strip().casefold() == me.name.casefold():
        return me
    known = Person.objects.visible_to(who).filter(name__iexact=name.strip(), merged_into=None).first()
    return known or add_guest(who, name, key=key)


def find_namesakes(who: Who, name: str) -> list[Person]:
    """Everybody of this name whom ``who`` knows, and ``who``."""
    return list(Person.objects.visible_to(who).filter(name__iexact=name, merged_into=None).order_by("pk"))


def find_added(who: Who, key: str) -> Person | None:
    """The guest that this key has already added."""
    return Person.objects.filter(entry_key=f"{who.ref}/{key}").first()


def _check_guest_limit(who: Who) -> None:
    if Person.objects.looked_after_by(who).count() >= MAX_GUESTS:
        raise Refusal(f"You have {MAX_GUESTS} guests. That is the limit.")


def take_over_guest(who: Who, person: Person) -> None:
    """Become the keeper of someone else's guest, who offered this with a link."""
    if who.person is None:
        raise Refusal("Log in first, or open your personal link.", status=403, code="log-in-required")
    if who.person.pk == person.pk:
        raise Refusal("This is you. To manage yourself, create an account on your page.")
    if Person.objects.looked_after_by(who).filter(pk=person.pk).exists():
        raise Refusal(f"{inline_name(person.name)} is already your guest.", status=409)
    _check_guest_limit(who)
    Person.objects.filter(pk=person.pk, account=None).update(keeper=who.person)


def rename_person(who: Who, person: Person, name: object) -> Person:
    name = clean_person_name(name, who, own=person.all_ids())
    if not Person.objects.editable_by(who).filter(pk=person.pk).update(name=name):
        raise Refusal("Only they can change this name.", status=403)
    person.name = name
    return person


def set_arms(who: Who, person: Person, arms: Arms) -> None:
    if not Person.objects.editable_by(who).filter(pk=person.pk).update(blazon=arms.to_dict()):
        raise Refusal("Only they can change these arms.", status=403)


def why_no_reset(who: Who, person: Person) -> str:
    """Why this viewer cannot make a link to a new password for this person, or "".

    An owner of the site can, and so can whoever invited them and their game masters, if they allowed it. For staff
    only an owner can.
    """
    if not person.has_account:
        return f"{inline_name(person.name)} has no account. Give them a personal link instead."
    if who.user is None:
        return "Log in with your password to do this."
    if person.pk == who.require_person().pk:
        return "Change your own password on your page."
    if who.is_owner:
        return ""
    if person.account.is_staff or person.account.is_superuser:
        return "Only an owner of the site can do this for them."
    if Person.objects.looked_after_by(who).filter(pk=person.pk).exists():
        return ""
    mastered = Q(pk__in=[])
    for ids in people_acquaintances.players_of_master(who):
        mastered |= Q(pk__in=ids)
    if person.masters_may_reset and Person.objects.filter(mastered).filter(pk__in=person.all_ids()).exists():
        return ""
    return "They have not allowed you to do this. An owner of the site can."


def set_keeper(person: Person, keeper: Person | None) -> None:
    """Someone with an account allows their inviter to give them a link to a new password, or no longer."""
    invited_by = keeper or person.keeper or person.invited_by
    Person.objects.filter(pk=person.pk, account__isnull=False).update(keeper=keeper, invited_by=invited_by)


def create_guests(names: Iterable[str], keeper: Person) -> list[Person]:
    """Many guests at once, in few statements. Part of the caller's transaction."""
    return Person.objects.bulk_create([Person(name=name, keeper=keeper) for name in clean_person_names(names)])


def create_guest(name: object, keeper: Person | None) -> Person:
    """Create a guest from an invitation. Whoever invited them is their keeper."""
    return Person.objects.create(name=clean_person_name(name), keeper=keeper)
