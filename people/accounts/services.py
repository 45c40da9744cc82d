"""Accounts: a name to log in with and a password, joined to one Person."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user_model, password_validation, update_session_auth_hash
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from people.browser import browser_of
from people.limits import LOG_IN
from people.log_ins import LOG_IN as LOG_IN_KEY
from people.log_ins import log_in_by_password
from people.models import LogIn, Person
from people.names import clean_name
from refusal import Refusal

LOG_IN_NAME_MOST = 150
PASSWORD_MOST = 1000


def log_in_name(name: object) -> str:
    """How a name is kept for logging in: nobody should have to remember capitals."""
    kept = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean_name(name)).casefold())
    if len(kept) > LOG_IN_NAME_MOST:
        raise Refusal(f"A name to log in with has at most {LOG_IN_NAME_MOST} characters.", field="name")
    return kept


def find(typed: object) -> Any:
    """The account someone means, or None. Names made on the command line keep their capitals."""
    try:
        names = [clean_name(typed), log_in_name(typed)]
    except Refusal:
        return None
    found = list(get_user_model().objects.filter(username__in=names))
    return next((account for name in names for account in found if account.username == name), None)


def check_password(password: object, *, account: Any = None) -> str:
    if not isinstance(password, str) or not password:
        raise Refusal("The password is empty.", field="password")
    if len(password) > PASSWORD_MOST:
        raise Refusal(f"The password has more than {PASSWORD_MOST} characters.", field="password")
    try:
        password_validation.validate_password(password, account)
    except ValidationError as error:
        raise Refusal(" ".join(error.messages), field="password") from error
    return password


def check_mail(mail: object) -> str:
    mail = str(mail or "").strip()
    if not mail:
        return ""
    try:
        validate_email(mail)
    except ValidationError as error:
        raise Refusal("This is not a mail address.", field="mail") from error
    if len(mail) > 254:
        raise Refusal("The mail address has more than 254 characters.", field="mail")
    return mail


def make(
    name: object, password: object, *, person: Person | None = None, keeper: Person | None = None, owner: bool = False
) -> Person:
    """A new account, for the Person given or a new one. Two who want the same name at once: one gets it."""
    username = log_in_name(name)
    password = check_password(password)
    User = get_user_model()
    if find(username) is not None:
        raise _taken()
    try:
        with transaction.atomic():
            account = User.objects.create_user(username, password=password, is_staff=owner, is_superuser=owner)
            if person is None:
                return Person.objects.create(name=clean_name(name), account=account, keeper=keeper)
            given = Person.objects.filter(pk=person.pk, account=None, merged_into=None, forgotten_at=None)
            if not given.update(account=account):
                raise Refusal("This Person has an account by now. Log in with it.", status=409)
            person.account = account
            return person
    except IntegrityError as error:
        raise _taken() from error


def _taken() -> Refusal:
    sentence = (
        "Someone already logs in with this name. Choose another; the name shown at the table can be changed later."
    )
    return Refusal(sentence, field="name")


def log_in(request: HttpRequest, typed: object, password: object) -> Any:
    """Let someone in with name and password, or refuse without saying which of the two was wrong."""
    account = find(typed)
    guessed_at = account.username if account else str(typed)[:LOG_IN_NAME_MOST].casefold()
    proven = account is not None and browser_of(request).has_proven(account.pk)
    with LOG_IN.attempt(request, guessed_at, proven=proven) as attempt:
        user = authenticate(request, username=guessed_at, password=str(password)[:PASSWORD_MOST])
        if user is None:
            attempt.failed()
        else:
            log_in_by_password(request, user)
            return user
    raise Refusal("This name and this password do not belong together.", field="password")


def set_password(request: HttpRequest, account: Any, password: object) -> None:
    """A new password ends every other log-in made with the old one."""
    password = check_password(password, account=account)
    with transaction.atomic():
        account.set_password(password)
        account.save(update_fields=["password"])
        others = LogIn.objects.filter(person__account=account, how=LogIn.How.PASSWORD)
        others.exclude(pk=request.session.get(LOG_IN_KEY) or 0).delete()
    if request.who.user == account:
        update_session_auth_hash(request, account)


def sign_up_is(way: str) -> bool:
    return way == settings.SIGN_UP
