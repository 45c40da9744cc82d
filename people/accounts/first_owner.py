"""The first visitor becomes the owner, exactly once. With DEBUG=0 they need the code that the terminal prints."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from people.accounts import services
from people.models import CODE_LETTERS, FirstOwner, Person
from refusal import Refusal


def has_no_owner() -> bool:
    return not get_user_model().objects.exists()


def needs_code() -> bool:
    """On the internet somebody else may find the new site first."""
    return not settings.AT_HOME


def owner_code() -> str:
    """The same in every process, because it comes from the secret key. Useless once there is an owner."""
    drawn = salted_hmac("people.first_owner", "code", algorithm="sha256").digest()[:12]
    letters = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in drawn)
    return f"{letters[:4]}-{letters[4:8]}-{letters[8:]}"


def is_owner_code(typed: object) -> bool:
    return constant_time_compare(str(typed).strip().casefold().replace(" ", "-"), owner_code())


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
