"""Logging in and out, with a LogIn row for each browser session."""

from __future__ import annotations

import datetime as dt
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from people.accounts.known_browser_cookie import browser_of, describe_browser
from people.aggregates import JoinedNumbers, split_numbers
from people.models import LogIn, Pass, Person, PersonalLink
from people.name_validation import MAX_STORED
from people.requester import Identity, Who
from prepared_queries import prepared_query

BACKEND = "django.contrib.auth.backends.ModelBackend"
LOG_IN_KEY = "log_in"
PASSES_KEY = "passes"
KEPT_SESSION_KEYS = (PASSES_KEY, "offers", "answered")  # belongs to the browser, not to the person
SEEN_EVERY = dt.timedelta(minutes=5)
RENEWED_EVERY = dt.timedelta(days=7)


def attach_requester(request: HttpRequest) -> None:
    """Set ``request.who``, and ``request.user`` from it, so that ending a log-in also ends it for the admin and API."""
    who = Who(
        lambda: find_identity(request),
        lambda: find_held_passes(request),
        lambda: browser_of(request).id,
    )
    if (token := getattr(request, "api_token", None)) is not None:
        who.scopes = token.scope_set
        who.is_acting = getattr(request, "is_acting", request.method not in ("GET", "HEAD", "OPTIONS"))
    request.who = who

    def user() -> object:
        return who.user or AnonymousUser()

    async def auser() -> object:
        return await sync_to_async(user)()

    request.user = SimpleLazyObject(user)
    request.auser = auser


@prepared_query
def _valid_passes(ids: tuple[int, ...], now: dt.datetime) -> Any:
    return Pass.objects.valid(now).filter(pk__in=ids).defer("seed", "token_hash", "made_by", "made_at")


@prepared_query
def _log_in_with_person(log_in_id: int) -> Any:
    # Every page also needs the people merged into them.
    merged = Person.objects.filter(
        Q(merged_into=OuterRef("person_id")) | Q(merged_into=OuterRef("person__merged_into_id"))
    )
    ids = merged.order_by().values("merged_into").annotate(ids=JoinedNumbers("pk")).values("ids")
    return LogIn.objects.filter(pk=log_in_id).select_related("person__account").annotate(merged=Subquery(ids))


def find_identity(request: HttpRequest) -> Identity:
    """The person logged in to this browser, in one query."""
    log_in_id = request.session.get(LOG_IN_KEY)
    if log_in_id is None:
        return None, None, None
    log_in = _log_in_with_person.first(log_in_id)
    if log_in is None:
        return None, None, None
    user = None
    if log_in.how == LogIn.How.PASSWORD:
        user = log_in.person.account
        if user is None or not user.is_active or not _is_session_valid(request, user):
            return None, None, None
    person = log_in.person.root
    if person.is_forgotten:
        return None, None, None
    person._all_ids = (person.pk, *sorted(split_numbers(log_in.merged)))
    _update_last_seen(request, log_in)
    return person, user, log_in


def _is_session_valid(request: HttpRequest, user: Any) -> bool:
    """The session belongs to this account and its current password."""
    proof = request.session.get(HASH_SESSION_KEY, "")
    return request.session.get(SESSION_KEY) == str(user.pk) and constant_time_compare(
        proof, user.get_session_auth_hash()
    )


def _update_last_seen(request: HttpRequest, log_in: LogIn) -> None:
    now = timezone.now()
    if now - log_in.last_seen < SEEN_EVERY:
        return
    if now - log_in.last_seen > RENEWED_EVERY:
        request.session.modified = True  # extends the cookie by another year
    log_in.last_seen = now
    LogIn.objects.filter(pk=log_in.pk).update(last_seen=now)


def find_held_passes(request: HttpRequest) -> tuple[Pass, ...]:
    """The valid passes accepted in this browser, newest first."""
    ids = request.session.get(PASSES_KEY) or []
    if not ids:
        return ()
    return tuple(sorted(_valid_passes(tuple(ids), timezone.now()), key=lambda held: -ids.index(held.pk)))


def get_or_create_person(account: Any) -> Person:
    """The Person of an account. Accounts made on the command line or in the admin get one here."""
    person = Person.objects.filter(account=account).first()
    return person or Person.objects.create(
        name=(account.get_full_name() or account.get_username())[:MAX_STORED], account=account
    )


def on_logged_in(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    """Signal handler: create the LogIn row that makes the session valid."""
    if request is None or not hasattr(request, "session"):
        return
    old = request.session.get(LOG_IN_KEY)
    if old is not None:
        LogIn.objects.filter(pk=old).delete()
    row = LogIn.objects.create(
        person=get_or_create_person(user), how=LogIn.How.PASSWORD, browser=_browser_name(request)
    )
    request.session[LOG_IN_KEY] = row.pk
    browser_of(request).remember(user.pk)
    attach_requester(request)


def on_logged_out(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    if request is not None and hasattr(request, "session"):
        LogIn.objects.filter(pk=request.session.get(LOG_IN_KEY) or 0).delete()


def log_in_by_password(request: HttpRequest, account: Any) -> None:
    """Log in an account whose password was checked. ``on_logged_in`` creates the row."""
    old = request.session.get(LOG_IN_KEY)
    values = _session_values_to_keep(request)
    login(request, account, backend=BACKEND)
    LogIn.objects.filter(pk=old or 0).delete()
    request.session.update(values)


def log_in_by_link(request: HttpRequest, link: PersonalLink) -> LogIn:
    """Log in by a personal link. Ends another person's log-in in this browser."""
    with transaction.atomic():
        old = request.session.get(LOG_IN_KEY)
        values = _session_values_to_keep(request)
        if old is not None:
            LogIn.objects.filter(pk=old).delete()
            request.session.flush()
            request.session.update(values)
        else:
            request.session.cycle_key()
        row = LogIn.objects.create(person=link.person, how=LogIn.How.LINK, link=link, browser=_browser_name(request))
        PersonalLink.objects.filter(pk=link.pk).update(opened_at=timezone.now())
    request.session[LOG_IN_KEY] = row.pk
    rotate_token(request)  # forms drawn for the previous person must not be sent as this one
    attach_requester(request)
    return row


def log_in_new_guest(request: HttpRequest, person: Person) -> LogIn:
    """Remember a guest in the browser in which they have just given their name. Only for someone made by this request:
    a name alone never logs in somebody who exists already.

    The session keeps its key: they sit down on a live page, and a request under way with the old key would delete the
    cookie of the new one, and with it the seat.
    """
    with transaction.atomic():
        LogIn.objects.filter(pk=request.session.get(LOG_IN_KEY) or 0).delete()
        row = LogIn.objects.create(person=person, how=LogIn.How.LINK, browser=_browser_name(request))
    request.session[LOG_IN_KEY] = row.pk
    attach_requester(request)
    return row


def _session_values_to_keep(request: HttpRequest) -> dict[str, object]:
    return {name: request.session[name] for name in KEPT_SESSION_KEYS if name in request.session}


def log_out(request: HttpRequest) -> None:
    logout(request)
    attach_requester(request)


def _browser_name(request: HttpRequest) -> str:
    return describe_browser(request.META.get("HTTP_USER_AGENT", ""))[:80]


def connect_signals() -> None:
    user_logged_in.connect(on_logged_in, dispatch_uid="people.log_in")
    user_logged_out.connect(on_logged_out, dispatch_uid="people.log_out")
