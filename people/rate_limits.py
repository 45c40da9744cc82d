"""Limits on guessing that do not lock out a whole group behind one router.

Failures are counted for the target (a name, a code), for the browser (by its cookie) and, generously, for the address.
A browser that has logged in before does not count against the name, so strangers who guess cannot lock its owner out.
A link to a new password always works.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from pages.refusal_handling import set_retry_after
from people.accounts.known_browsers import browser_of
from refusal import Refusal

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rate:
    most: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    what: str  # "wrong passwords": what there have been too many of
    target: Rate
    browser: Rate
    address: Rate

    @contextmanager
    def attempt(self, request: HttpRequest, target: str = "", *, proven: bool = False) -> Iterator[Attempt]:
        """Count before checking, so that simultaneous guesses all count. A success is uncounted again."""
        attempt = Attempt(self, request, _counters(self, request, target, proven))
        attempt.begin()
        try:
            yield attempt
        except Exception:
            attempt.uncount()  # not a wrong guess
            raise
        if not attempt.has_failed:
            attempt.uncount()

    def count_use(self, request: HttpRequest, target: str = "") -> None:
        """Count something that is limited even when it succeeds."""
        Attempt(self, request, _counters(self, request, target, False)).begin()


@dataclass(frozen=True, slots=True)
class Counter:
    scope: str
    key: str
    rate: Rate
    ends_in: int


class Attempt:
    def __init__(self, limit: Limit, request: HttpRequest, counters: list[Counter]) -> None:
        self.limit = limit
        self.request = request
        self.counters = counters
        self.counted: list[Counter] = []
        self.has_failed = False

    def begin(self) -> None:
        for counter in self.counters:
            if _count(counter) > counter.rate.most:
                # Refused before it was checked, so it must not use up anyone's tries.
                _uncount(counter)
                self.uncount()
                set_retry_after(self.request, counter.ends_in)
                raise Refusal(_refusal_text(self.limit, counter), status=429, fresh={"again_in": counter.ends_in})
            self.counted.append(counter)

    def fail(self) -> None:
        self.has_failed = True

    def uncount(self) -> None:
        for counter in self.counted:
            _uncount(counter)
        self.counted = []


def _refusal_text(limit: Limit, counter: Counter) -> str:
    minutes = max(1, -(-counter.ends_in // 60))
    where = {"browser": "from this browser", "address": "from your network", "target": "for this name"}[counter.scope]
    return f"Too many {limit.what} {where}. Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}."


def _counters(limit: Limit, request: HttpRequest, target: str, proven: bool) -> list[Counter]:
    counters = [
        _counter(limit, "browser", browser_of(request).id, limit.browser),
        _counter(limit, "address", address_of(request), limit.address),
    ]
    if target and not proven:
        counters.append(_counter(limit, "target", target, limit.target))
    return counters


def _counter(limit: Limit, scope: str, subject: str, rate: Rate) -> Counter:
    seconds = rate.minutes * 60
    now = time.time()
    window = int(now // seconds)
    digest = hashlib.sha256(subject.encode()).hexdigest()[:32]
    return Counter(scope, f"limit:{limit.name}:{scope}:{digest}:{window}", rate, int((window + 1) * seconds - now) + 1)


def _count(counter: Counter) -> int:
    try:
        cache.add(counter.key, 0, counter.ends_in)
        return cache.incr(counter.key)
    except ValueError:  # the window ended in between
        return 1
    except Exception:
        # Without the cache people can still log in; nothing is counted.
        logger.warning("failures are not counted because the cache does not answer")
        return 0


def _uncount(counter: Counter) -> None:
    try:
        cache.decr(counter.key)
    except ValueError:
        pass
    except Exception:
        logger.warning("failures are not counted because the cache does not answer")


def address_of(request: HttpRequest) -> str:
    """The client's address: the last hop before our trusted proxies, else the peer."""
    peer = request.META.get("REMOTE_ADDR", "")
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    address = peer
    while hops and _is_trusted(address):
        address = hops.pop()
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return peer
    if ip.version == 6:
        # A household has a whole /64 network.
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def proxy_warning() -> str:
    """What to say at the start if all visitors seem to come from the proxy's address and share its limits."""
    if not settings.SECURE or settings.TRUSTED_PROXIES:
        return ""
    return (
        "PUBLIC_URL is https, but TRUSTED_PROXIES is not set. All visitors then share one limit for wrong passwords. "
        "Set it to the address of your proxy, such as TRUSTED_PROXIES=127.0.0.1."
    )


def _is_trusted(address: str) -> bool:
    if not address:
        return bool(settings.TRUSTED_PROXIES)  # a unix socket: only a proxy on this machine can reach it
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(ip in network for network in settings.TRUSTED_PROXIES)


LOG_IN = Limit("log_in", "wrong passwords", target=Rate(20, 15), browser=Rate(10, 10), address=Rate(300, 10))
TOKENS = Limit("tokens", "links that do not exist", target=Rate(100, 10), browser=Rate(30, 10), address=Rate(600, 10))
SIGN_UP = Limit("sign_up", "new accounts", target=Rate(100, 60), browser=Rate(10, 60), address=Rate(100, 60))
OWNER_CODE = Limit("owner_code", "wrong codes", target=Rate(100, 10), browser=Rate(10, 10), address=Rate(30, 10))
FORGOTTEN = Limit("forgotten", "password e-mails", target=Rate(3, 60), browser=Rate(5, 60), address=Rate(60, 60))
