"""Accounts: a log-in name and a password, linked to one Person."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user_model, password_validation, update_session_auth_hash
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from look_alikes import drop_invisible
from people.accounts import credential_revocation
from people.accounts.known_browser_cookie import browser_of
from people.accounts.log_ins import get_or_create_person, log_in_by_password
from people.guests.look_alike_name_check import clean_person_name, has_look_alike
from people.models import Person
from people.name_validation import clean_name, clean_text
from people.rate_limits import LOG_IN
from people.requester import Who
from refusal import Refusal

MAX_LOG_IN_NAME = 150
MAX_PASSWORD = 1000


def normalise_log_in_name(name: object) -> str:
    """A name as stored for logging in: case does not matter."""
    normal = _fold(clean_name(name))
    if len(normal) > MAX_LOG_IN_NAME:
        raise Refusal(f"A log-in name can have at most {MAX_LOG_IN_NAME} characters.", field="name")
    return normal


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def find_account(typed: object) -> Any:
    """The account of this name, or None. Names made on the command line may have capitals."""
    if not isinstance(typed, str):
        return None
    # As typed first: older names may hold characters that new ones must not.
    names = [form(clean_text(text)) for text in (typed, drop_invisible(typed)) for form in (str, _fold)]
    found = list(get_user_model().objects.filter(username__in=names))
    return next((account for name in names for account in found if account.username == name), None)


def validate_new_password(password: object, *, account: Any = None) -> str:
    if not isinstance(password, str) or not password:
        raise Refusal("The password is empty.", field="password")
    if len(password) > MAX_PASSWORD:
        raise Refusal(f"The password has more than {MAX_PASSWORD} characters.", field="password")
    try:
        password_validation.validate_password(password, account)
    except ValidationError as error:
        raise Refusal(" ".join(error.messages), field="password") from error
    return password


def create_account(
    name: object,
    password: object,
    *,
    person: Person | None = None,
    by: Who | None = None,
    invited_by: Person | None = None,
    owner: bool = False,
) -> Person:
    """Create an account for this Person or a new one. Of two simultaneous requests for a name, one is refused.

    A guest's other phones and older links end; ``by`` is in the browser that stays.
    """
    username = normalise_log_in_name(name)
    password = validate_new_password(password)
    User = get_user_model()
    if find_account(username) is not None or has_look_alike(User.objects.all(), "username", username):
        raise _name_taken_refusal()
    try:
        with transaction.atomic():
            account = User.objects.create_user(username, password=password, is_staff=owner, is_superuser=owner)
            if person is None:
                return Person.objects.create(name=clean_person_name(name), account=account, invited_by=invited_by)
            given = Person.objects.filter(pk=person.pk, account=None, merged_into=None, forgotten_at=None)
            if not given.update(account=account):
                raise Refusal("This person already has an account. Log in with it.", status=409)
            person.account = account
            credential_revocation.end_credentials(person.all_ids(), by=by)
            credential_revocation.end_keeper(person.all_ids())
            return person
    except IntegrityError as error:
        raise _name_taken_refusal() from error


def _name_taken_refusal() -> Refusal:
    sentence = "This log-in name is taken. Choose another. You can change your player name later."
    return Refusal(sentence, field="name")


def log_in_with_password(request: HttpRequest, typed: object, password: object) -> Any:
    """Log in with name and password, or refuse without saying which of the two was wrong."""
    account = find_account(typed)
    guessed_at = account.username if account else str(typed)[:MAX_LOG_IN_NAME].casefold()
    proven = account is not None and browser_of(request).has_proven(account.pk)
    with LOG_IN.attempt(request, guessed_at, proven=proven) as attempt:
        user = authenticate(request, username=guessed_at, password=str(password)[:MAX_PASSWORD])
        if user is None:
            attempt.fail()
        else:
            log_in_by_password(request, user)
            return user
    raise Refusal("Wrong name or password.", field="password")


def set_password(request: HttpRequest, account: Any, password: object) -> None:
    """Set a new password. Other phones and older links end."""
    password = validate_new_password(password, account=account)
    with transaction.atomic():
        account.set_password(password)
        account.save(update_fields=["password"])
        ids = get_or_create_person(account).all_ids()
        credential_revocation.end_credentials(ids, by=request.who)
        credential_revocation.end_keeper(ids)
    if request.who.user == account:
        update_session_auth_hash(request, account)


def is_sign_up(way: str) -> bool:
    return way == settings.SIGN_UP
