"""The first visitor becomes the owner, exactly once."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from people import accounts
from people.models import FirstOwner, Person
from refusal import Refusal


def no_owner_yet() -> bool:
    return not get_user_model().objects.exists()


def make_owner(name: object, password: object) -> Person:
    """The first account, with every right. Of two who ask at the same moment, one is told that it is done."""
    done = Refusal("The owner has just been made. Log in, or sign up.", status=409)
    try:
        with transaction.atomic():
            if not no_owner_yet():
                raise done
            person = accounts.make(name, password, owner=True)
            # The one row decides: on PostgreSQL the second transaction waits here for the first, and then fails.
            FirstOwner.objects.create(account=person.account)
    except (IntegrityError, Refusal) as error:
        raise error if isinstance(error, Refusal) and no_owner_yet() else done from error
    return person
