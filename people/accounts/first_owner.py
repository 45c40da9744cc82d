"""The first visitor becomes the owner, exactly once."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from people.accounts import services
from people.models import FirstOwner, Person
from refusal import Refusal


def has_no_owner() -> bool:
    return not get_user_model().objects.exists()


def create_owner(name: object, password: object) -> Person:
    """Create the first account, a superuser. Of two simultaneous requests, one is refused."""
    too_late = Refusal("This site already has an owner. Log in or sign up.", status=409)
    try:
        with transaction.atomic():
            if not has_no_owner():
                raise too_late
            person = services.create_account(name, password, owner=True)
            # Only one row can exist: on PostgreSQL the second transaction waits here for the first and then fails.
            FirstOwner.objects.create(account=person.account)
    except (IntegrityError, Refusal) as error:
        raise error if isinstance(error, Refusal) and has_no_owner() else too_late from error
    return person
