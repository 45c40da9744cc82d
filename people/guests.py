"""Guests: people without an account, added and looked after by someone they play with."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from heraldry import Arms
from log import services as log_services
from look_alikes import look_alike_refusal, looks_like, shape_of
from people import acquaintances as people_acquaintances, merging
from people.accounts.log_ins import browser_of, log_in_new_guest
from people.models import Person, PersonQuerySet
from people.name_validation import clean_name, inline_name
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


# ── Names ──────────────────────────────────────────────────────────────────────────────────────────────


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
    return next((person.root.name for person in people if person.root.name.casefold() == typed), "")


# ── Guests whom a phone remembers ──────────────────────────────────────────────────────────────────────


def remember_new_guest(request: HttpRequest, name: object, *, key: str) -> Person:
    """A new guest without a keeper, logged in to this browser. The same key makes one guest.

    Always somebody new: that a guest has the same name as another does not make them the same person.
    """
    name = clean_person_name(name, request.who)
    log_services.check_key(key)
    entry_key = f"guest:{browser_of(request).id}/{key}"
    try:
        with transaction.atomic():
            person = Person.objects.create(name=name, entry_key=entry_key)
    except IntegrityError:  # a double tap
        person = Person.objects.get(entry_key=entry_key)
        if request.who.person == person:
            return person
    log_in_new_guest(request, person)
    return person


def is_remembered_guest(who: Who) -> bool:
    """Whether this browser knows them only because they gave their name here."""
    return who.person is not None and who.user is None and who.log_in is not None and who.log_in.link_id is None


# ── By their code ──────────────────────────────────────────────────────────────────────────────────────


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
    person = get_editable_person(who, code)
    if person.pk == who.require_person().pk:
        raise Http404
    return person


def merge_targets(who: Who, person: Person) -> PersonQuerySet:
    return Person.objects.editable_by(who).exclude(pk=person.pk)


def get_merged_person(who: Who, code: str) -> Person:
    """Someone who can undo a merge may not be able to see the merged person otherwise."""
    person = Person.objects.filter(code=code).exclude(merged_into=None).first()
    if person is None or not (
        merging.can_unmerge(person, who) or Person.objects.visible_to(who).filter(pk=person.pk).exists()
    ):
        raise Http404
    return person
