"""Accounts: a log-in name and a password, linked to one Person."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, get_user_model, password_validation, update_session_auth_hash
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from look_alikes import drop_invisible
from people.accounts.log_ins import browser_of, get_or_create_person, log_in_by_password
from people.guests import clean_person_name, has_look_alike
from people.models import CODE_LETTERS, FirstOwner, LogIn, Person, PersonalLink
from people.name_validation import clean_name, clean_text
from people.passes import services as passes_services
from people.rate_limits import LOG_IN
from people.requester import Who
from refusal import Refusal

MAX_LOG_IN_NAME = 150
MAX_PASSWORD = 1000
MAX_MAIL = 254
MAX_OWNER_CODE = 40


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
    accounts = list(get_user_model().objects.filter(username__in=names))
    return next((account for name in names for account in accounts if account.username == name), None)


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
            end_credentials(person.all_ids(), by=by)
            end_keeper(person.all_ids())
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
        end_credentials(ids, by=request.who)
        end_keeper(ids)
    if request.who.user == account:
        update_session_auth_hash(request, account)


def is_sign_up(way: str) -> bool:
    return way == settings.SIGN_UP


# ── Ending what lets a browser act as a person ─────────────────────────────────────────────────────────
# After a claim, a merge, a new account or a new password, only the browser in which that was done stays logged in.
# Until then others could act as this person: whoever looked after them, or whoever knew the old password. Apps above
# register what else lets a phone act for somebody.


ENDED = "Other phones are logged out, and older links no longer work."

# Gets the ids of a person and the passes that stay, and ends the rest.
End = Callable[[Sequence[int], Sequence[int]], None]

_hooks: list[End] = []
_listeners: list[Callable[[int], None]] = []


def register_revocation(hook: End) -> None:
    if hook not in _hooks:
        _hooks.append(hook)


def add_revocation_listener(listener: Callable[[int], None]) -> None:
    """``listener`` is called after the commit with the id of each person whose credentials have ended."""
    if listener not in _listeners:
        _listeners.append(listener)


def end_credentials(ids: Sequence[int], *, by: Who | None) -> None:
    """End every log-in, link and pass of these ids, except in the browser of ``by``. Say ``ENDED`` afterwards."""
    stays = by.log_in.pk if by is not None and by.log_in is not None else 0
    held = [row.pk for row in by.passes] if by is not None else []
    with transaction.atomic():
        LogIn.objects.filter(person__in=ids).exclude(pk=stays).delete()
        PersonalLink.objects.filter(person__in=ids, ended_at=None).update(ended_at=timezone.now())
        passes_services.revoke_passes_of(ids)
        Person.objects.filter(pk__in=ids).update(credentials_ended_at=timezone.now())
        for hook in _hooks:
            hook(ids, held)
    transaction.on_commit(lambda: _tell_listeners(ids))


def end_keeper(ids: Sequence[int]) -> None:
    """Whoever has a password looks after themselves. On their page they can let their inviter help them again."""
    for row in Person.objects.filter(pk__in=ids, merged_into=None).exclude(keeper=None):
        Person.objects.filter(pk=row.pk).update(invited_by=row.keeper_id, keeper=None)


def _tell_listeners(ids: Sequence[int]) -> None:
    for listener in _listeners:
        for pk in ids:
            listener(pk)


# ── The first visitor becomes the owner ────────────────────────────────────────────────────────────────
# Exactly once. With DEBUG=0 they need the code that the terminal prints.


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
            person = create_account(name, password, owner=True)
            # Only one row can exist: on PostgreSQL the second transaction waits here for the first and then fails.
            FirstOwner.objects.create(account=person.account)
    except (IntegrityError, Refusal) as error:
        raise error if isinstance(error, Refusal) and has_no_owner() else too_late from error
    return person
