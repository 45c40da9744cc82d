"""The browser itself: a signed cookie with a random name and the accounts whose password it has proven here before.

Failures are counted by it, and because it knows who has been here, strangers who guess at a name cannot lock its owner out.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "companion_browser"
SALT = "people.browser"
REMEMBERED = 8  # accounts
YEAR = 60 * 60 * 24 * 365


@dataclass(slots=True)
class Browser:
    id: str
    accounts: tuple[int, ...] = ()
    fresh: bool = False  # has no cookie yet, or one that has changed

    def has_proven(self, account_id: int | None) -> bool:
        return account_id in self.accounts

    def remember(self, account_id: int) -> None:
        if self.accounts[:1] != (account_id,):
            others = tuple(a for a in self.accounts if a != account_id)
            self.accounts = (account_id, *others)[:REMEMBERED]
            self.fresh = True


def browser_of(request: HttpRequest) -> Browser:
    """The browser this request comes from. Asking for it gives a new browser its cookie with the answer."""
    if not hasattr(request, "_browser"):
        request._browser = _read(request.COOKIES.get(COOKIE, "")) or Browser(secrets.token_urlsafe(12), fresh=True)
    return request._browser


def _read(raw: str) -> Browser | None:
    try:
        said = signing.loads(raw, salt=SALT)
        return Browser(str(said["b"]), tuple(int(a) for a in said["a"]))
    except (signing.BadSignature, ValueError, KeyError, TypeError):
        return None


def set_cookie(request: HttpRequest, response: HttpResponse) -> None:
    browser = getattr(request, "_browser", None)
    if browser is None or not browser.fresh:
        return
    value = signing.dumps({"b": browser.id, "a": browser.accounts}, salt=SALT)
    response.set_cookie(
        COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


_SYSTEMS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"))
_SYSTEMS += (("CrOS", "ChromeOS"), ("Mac OS X", "a Mac"), ("Linux", "Linux"))
# Order matters: nearly every browser says it is Chrome, and Chrome says it is Safari.
_PROGRAMS = (("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"))
_PROGRAMS += (
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium", "Chromium"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)


def describe(user_agent: str) -> str:
    """Firefox on Android: enough to tell one's own phone from somebody else's."""
    program = next((name for mark, name in _PROGRAMS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if program and system:
        return f"{program} on {system}"
    plain = re.sub(r"[^\w ./()-]", "", user_agent)[:60].strip()
    return program or system or plain or "An unknown browser"
