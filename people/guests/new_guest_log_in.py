"""Guests whom a phone remembers: anyone who gives a name in a browser is remembered there."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from log import services as log_services
from people.accounts.known_browser_cookie import browser_of
from people.accounts.log_ins import log_in_new_guest
from people.guests.look_alike_name_check import clean_person_name
from people.models import Person
from people.requester import Who


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
