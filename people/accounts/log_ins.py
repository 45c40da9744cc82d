"""Coming in and going out: the row beside a browser's session that says who is in it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.db.models import Aggregate, OuterRef, Q, Subquery, TextField
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from people.browser import browser_of, describe
from people.models import LogIn, Pass, Person, PersonalLink
from people.names import STORED
from people.who import Identity, Who

BACKEND = "django.contrib.auth.backends.ModelBackend"
LOG_IN = "log_in"
PASSES = "passes"
CARRIED = (PASSES, "offers", "answered")  # what belongs to the browser, whoever is in it
SEEN_EVERY = dt.timedelta(minutes=5)
RENEWED_EVERY = dt.timedelta(days=7)


def introduce(request: HttpRequest) -> None:
    """Set ``who``, and ``user`` from it, so that a log-in that was ended ends for the admin and the API as well."""
    who = Who(
        lambda: identity_of(request),
        lambda: passes_of(request),
        lambda: browser_of(request).id,
    )
    request.who = who

    def user() -> object:
        return who.user or AnonymousUser()

    async def auser() -> object:
        return await sync_to_async(user)()

    request.user = SimpleLazyObject(user)
    request.auser = auser


class Joined(Aggregate):
    """Numbers of many rows as one text, "3,17"."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ',')"
        return self.as_sql(compiler, connection, template=template, **extra)


def identity_of(request: HttpRequest) -> Identity:
    """Whose browser this is: one query, whatever joins Person, root and account."""
    log_in_id = request.session.get(LOG_IN)
    if log_in_id is None:
        return None, None, None
    # The only other question every page asks of a Person: who was merged into them?
    merged = Person.objects.filter(
        Q(merged_into=OuterRef("person_id")) | Q(merged_into=OuterRef("person__merged_into_id"))
    )
    ids = merged.order_by().values("merged_into").annotate(ids=Joined("pk")).values("ids")
    log_in = (
        LogIn.objects.filter(pk=log_in_id)
        .select_related("person__merged_into", "person__account")
        .annotate(merged=Subquery(ids))
        .first()
    )
    if log_in is None:
        return None, None, None
    user = None
    if log_in.how == LogIn.How.PASSWORD:
        user = log_in.person.account
        if user is None or not user.is_active or not _is_still(request, user):
            return None, None, None
    person = log_in.person.root
    if person.is_forgotten:
        return None, None, None
    person._all_ids = (person.pk, *sorted(int(one) for one in (log_in.merged or "").split(",") if one))
    _see(request, log_in)
    return person, user, log_in


def _is_still(request: HttpRequest, user: Any) -> bool:
    """The session belongs to this account and was opened with the password it has now."""
    proof = request.session.get(HASH_SESSION_KEY, "")
    return request.session.get(SESSION_KEY) == str(user.pk) and constant_time_compare(
        proof, user.get_session_auth_hash()
    )


def _see(request: HttpRequest, log_in: LogIn) -> None:
    now = timezone.now()
    if now - log_in.last_seen < SEEN_EVERY:
        return
    if now - log_in.last_seen > RENEWED_EVERY:
        request.session.modified = True  # the cookie's year begins again
    log_in.last_seen = now
    LogIn.objects.filter(pk=log_in.pk).update(last_seen=now)


def passes_of(request: HttpRequest) -> tuple[Pass, ...]:
    """The passes taken up in this browser that still stand, newest first."""
    ids = request.session.get(PASSES) or []
    if not ids:
        return ()
    return tuple(sorted(Pass.objects.standing().filter(pk__in=ids), key=lambda held: -ids.index(held.pk)))


def person_of(account: Any) -> Person:
    """The Person of an account; made for those who came to be on the command line or in the admin."""
    person = Person.objects.filter(account=account).first()
    return person or Person.objects.create(
        name=(account.get_full_name() or account.get_username())[:STORED], account=account
    )


def note_log_in(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    """Django logged an account in, by whatever door: write the row that lets the session count."""
    if request is None or not hasattr(request, "session"):
        return
    old = request.session.get(LOG_IN)
    if old is not None:
        LogIn.objects.filter(pk=old).delete()
    row = LogIn.objects.create(person=person_of(user), how=LogIn.How.PASSWORD, browser=_browser_name(request))
    request.session[LOG_IN] = row.pk
    browser_of(request).remember(user.pk)
    introduce(request)  # who asks has changed within the request


def note_log_out(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    if request is not None and hasattr(request, "session"):
        LogIn.objects.filter(pk=request.session.get(LOG_IN) or 0).delete()


def log_in_by_password(request: HttpRequest, account: Any) -> None:
    """Let an account in that has proven itself. The row is written by Django's signal, above."""
    old = request.session.get(LOG_IN)
    kept = _carried(request)
    login(request, account, backend=BACKEND)
    LogIn.objects.filter(pk=old or 0).delete()
    request.session.update(kept)


def log_in_by_link(request: HttpRequest, link: PersonalLink) -> LogIn:
    """Come in by a personal link. Another one's log-in in this browser ends."""
    with transaction.atomic():
        old = request.session.get(LOG_IN)
        kept = _carried(request)
        if old is not None:
            LogIn.objects.filter(pk=old).delete()
            request.session.flush()
            request.session.update(kept)
        else:
            request.session.cycle_key()
        row = LogIn.objects.create(person=link.person, how=LogIn.How.LINK, link=link, browser=_browser_name(request))
        PersonalLink.objects.filter(pk=link.pk).update(opened_at=timezone.now())
    request.session[LOG_IN] = row.pk
    rotate_token(request)  # what a page kept for the one before must not be sent as this one
    introduce(request)  # who asks has changed within the request
    return row


def _carried(request: HttpRequest) -> dict[str, Any]:
    return {name: request.session[name] for name in CARRIED if name in request.session}


def log_out(request: HttpRequest) -> None:
    logout(request)
    introduce(request)  # who asks has changed within the request


def _browser_name(request: HttpRequest) -> str:
    return describe(request.META.get("HTTP_USER_AGENT", ""))[:80]


def connect() -> None:
    user_logged_in.connect(note_log_in, dispatch_uid="people.log_in")
    user_logged_out.connect(note_log_out, dispatch_uid="people.log_out")
