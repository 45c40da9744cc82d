"""A signed cookie with a random id and the accounts that have logged in from this browser.

Wrong passwords are counted per browser, so that strangers cannot lock out someone who has logged in here before.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
import time
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

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
