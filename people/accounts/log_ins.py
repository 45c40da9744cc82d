"""Logging in and out, with a LogIn row for each browser session."""

import datetime as dt
import re
import secrets
import time
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from pages.answer_middleware import Middleware
from people.models import JoinedNumbers, LogIn, Pass, Person, PersonalLink, split_numbers
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
    who = Who(lambda: find_identity(request), lambda: find_held_passes(request), lambda: browser_of(request).id)
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


# ── The browser ────────────────────────────────────────────────────────────────────────────────────────
# A signed cookie with a random id and the accounts that have logged in from this browser.
# Wrong passwords are counted per browser, so that strangers cannot lock out someone who has logged in here before.


COOKIE = "companion_browser"
SALT = "people.browser"
MAX_ACCOUNTS = 8  # accounts
YEAR = 60 * 60 * 24 * 365
# Accounts and guests can be made in any number within minutes, so being known takes a night.
KNOWN_AFTER = dt.timedelta(hours=12)


@dataclass(slots=True)
class Browser:
    id: str
    accounts: tuple[int, ...] = ()
    since: float = 0  # when an account first logged in here; 0 in cookies of older releases
    fresh: bool = False  # the cookie has to be set
    is_new: bool = False  # this request brought no cookie

    @property
    def is_known(self) -> bool:
        return bool(self.accounts) and time.time() - self.since >= KNOWN_AFTER.total_seconds()

    def has_proven(self, account_id: int | None) -> bool:
        return account_id in self.accounts

    def remember(self, account_id: int) -> None:
        if self.accounts[:1] != (account_id,):
            self.since = self.since if self.accounts else time.time()
            others = tuple(a for a in self.accounts if a != account_id)
            self.accounts = (account_id, *others)[:MAX_ACCOUNTS]
            self.fresh = True


def browser_of(request: HttpRequest) -> Browser:
    """The browser of this request. A new browser gets its cookie with the response."""
    if not hasattr(request, "_browser"):
        request._browser = _read_cookie(request.COOKIES.get(COOKIE, "")) or Browser(
            secrets.token_urlsafe(12), fresh=True, is_new=True
        )
    return request._browser


def _read_cookie(raw: str) -> Browser | None:
    try:
        data = signing.loads(raw, salt=SALT)
        return Browser(str(data["b"]), tuple(int(a) for a in data["a"]), float(data.get("s", 0)))
    except (signing.BadSignature, ValueError, KeyError, TypeError):
        return None


def set_cookie(request: HttpRequest, response: HttpResponse) -> None:
    browser = getattr(request, "_browser", None)
    if browser is None or not browser.fresh:
        return
    value = signing.dumps({"b": browser.id, "a": browser.accounts, "s": int(browser.since)}, salt=SALT)
    response.set_cookie(
        COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


_SYSTEMS: tuple[tuple[str, str], ...] = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
)
_SYSTEMS += (("CrOS", "ChromeOS"), ("Mac OS X", "a Mac"), ("Linux", "Linux"))
# Order matters: nearly every browser claims to be Chrome, and Chrome claims to be Safari.
_PROGRAMS: tuple[tuple[str, str], ...] = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
)
_PROGRAMS += (
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium", "Chromium"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)


def describe_browser(user_agent: str) -> str:
    """Such as "Firefox on Android"."""
    program = next((name for token, name in _PROGRAMS if token in user_agent), "")
    system = next((name for token, name in _SYSTEMS if token in user_agent), "")
    if program and system:
        return f"{program} on {system}"
    plain = re.sub(r"[^\w ./()-]", "", user_agent)[:60].strip()
    return program or system or plain or "Unknown browser"


# ── Sessions ───────────────────────────────────────────────────────────────────────────────────────────
# Django's, in the database, read with a prepared query: every request of a known browser reads one.


@prepared_query
def _valid_sessions(key: str, now: dt.datetime) -> Any:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


class SessionStore(DatabaseSessionStore):
    def _get_session_from_db(self) -> Session | None:
        session = _valid_sessions.first(self.session_key, timezone.now()) if self.session_key else None
        if session is None:
            self._session_key = None
        return session


class WhoMiddleware(Middleware):
    """Sets ``request.who``, which is looked up only when it is used."""

    def process_request(self, request: HttpRequest) -> None:
        attach_requester(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        set_cookie(request, response)
        return response
