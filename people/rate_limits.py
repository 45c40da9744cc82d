"""Limits on guessing that do not lock out a whole group behind one router.

Failures are counted for the target (a name, a code), for the browser (by its cookie) and, generously, for the address.
Whoever guesses can leave the cookie out or collect new ones, and a router gives a whole cellar one address, so:

- A browser that has logged in to an account does not count against that name: nobody can lock its owner out.
- Known browsers (an account or a guest since yesterday or longer) count for their account instead of their address.
- Browsers that bring no cookie have a budget of their own. A phone that has opened a page before does not share it.
- A limit can have a budget for the whole site, one for strangers and one for known browsers. Once it is used up, each
  address or account still has a few tries.
- Anybody can use up the budget of a name. Networks that have not guessed at it themselves then still have a few tries,
  so that a new phone gets in with the right password. SECURITY.md works out how slow guessing stays.
- Links cannot be guessed. A link that works always opens; only those that do not are counted.
"""

import hashlib
import ipaddress
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from django.conf import settings
from django.core.cache import BaseCache, cache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from django.utils import timezone

from pages.refusal_handling import set_retry_after
from people.accounts.log_ins import KNOWN_AFTER, browser_of
from refusal import Refusal

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rate:
    most: int
    minutes: int


# An account has several browsers: a phone, a tablet, the laptop beside the table.
BROWSERS_PER_ACCOUNT = 3
# What an address or an account has left when the budget of the whole site is used up.
TRIES_WHEN_SITE_IS_FULL = 5
# When Redis does not answer, each process counts for itself, and asks again after this many seconds.
CACHE_REST = 5.0

LIMITS: "dict[str, Limit]" = {}


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    what: str  # "wrong passwords": what there have been too many of
    target: Rate
    browser: Rate
    address: Rate
    site: Rate | None = None
    # What each network has left for a target whose budget others have used up.
    near: Rate | None = None

    def __post_init__(self) -> None:
        LIMITS.setdefault(self.name, self)

    @contextmanager
    def attempt(self, request: HttpRequest, target: str = "", *, proven: bool = False) -> "Iterator[Attempt]":
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


def count_request(request: HttpRequest, subject: str, rate: Rate) -> None:
    """Count one request to the API, or refuse it."""
    counter = _counter_of("api", "requests", subject, rate)
    if _count(counter) > rate.most:
        set_retry_after(request, counter.ends_in)
        raise Refusal(
            f"Too many requests. You can send {rate.most} in a minute. Try again in {counter.ends_in} s.",
            status=429,
            fresh={"again_in": counter.ends_in},
        )


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
        is_near_left = False
        for counter in self.counters:
            fits = self._count(counter)
            if counter.scope == "near":  # decides nothing until the target's own budget is used up
                is_near_left = fits
                continue
            if fits or (counter.scope == "target" and is_near_left):
                continue
            if counter.scope == "site":
                subject = known_account(self.request) or address_of(self.request)
                counter = _counter(self.limit, "few", subject, Rate(TRIES_WHEN_SITE_IS_FULL, counter.rate.minutes))
                if self._count(counter):
                    continue
            # Refused before it was checked, so it must not use up anyone's tries.
            self.uncount()
            set_retry_after(self.request, counter.ends_in)
            raise Refusal(_refusal_text(self.limit, counter), status=429, fresh={"again_in": counter.ends_in})

    def _count(self, counter: Counter) -> bool:
        if _count(counter) > counter.rate.most:
            _uncount(counter)
            return False
        self.counted.append(counter)
        return True

    def fail(self) -> None:
        self.has_failed = True

    def uncount(self) -> None:
        for counter in self.counted:
            _uncount(counter)
        self.counted = []


_WHERE = {
    "browser": "from this browser",
    "account": "from your account",
    "address": "from your network",
    "few": "from your network",
    "target": "for this name",
}


def _refusal_text(limit: Limit, counter: Counter) -> str:
    minutes = max(1, -(-counter.ends_in // 60))
    again = f"Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}."
    return f"Too many {limit.what} {_WHERE[counter.scope]}. {again}"


def _counters(limit: Limit, request: HttpRequest, target: str, proven: bool) -> list[Counter]:
    browser = browser_of(request)
    counters = [_counter(limit, "browser", browser.id, limit.browser)]
    if account := known_account(request):
        most = limit.browser.most * BROWSERS_PER_ACCOUNT
        counters.append(_counter(limit, "account", account, Rate(most, limit.browser.minutes)))
    elif not proven:
        address = address_of(request)
        counters.append(_counter(limit, "address", f"{address} {browser.is_new}", limit.address))
    if limit.site is not None and not proven:
        # Strangers cannot use up the budget of those who have been here before.
        counters.append(_counter(limit, "site", "known" if account else "", limit.site))
    if target and not proven:
        if limit.near is not None:
            counters.append(_counter(limit, "near", f"{_network_of(request)} {target}", limit.near))
        counters.append(_counter(limit, "target", target, limit.target))
    return counters


def known_account(request: HttpRequest) -> str:
    """Who has used this browser since yesterday or longer; "" for a newcomer. Newcomers can be made in any number."""
    browser = browser_of(request)
    if browser.is_known:
        return f"account:{browser.accounts[0]}"
    who = getattr(request, "who", None)
    if who is None or who.person is None or who.person.created_at > timezone.now() - KNOWN_AFTER:
        return ""
    return f"person:{who.person.pk}"


def _counter(limit: Limit, scope: str, subject: str, rate: Rate) -> Counter:
    return _counter_of(limit.name, scope, subject, rate)


def _counter_of(name: str, scope: str, subject: str, rate: Rate) -> Counter:
    seconds = rate.minutes * 60
    now = time.time()
    window = int(now // seconds)
    digest = hashlib.sha256(subject.encode()).hexdigest()[:32]
    return Counter(scope, f"limit:{name}:{scope}:{digest}:{window}", rate, int((window + 1) * seconds - now) + 1)


_local_cache = LocMemCache("people.rate_limits", {"OPTIONS": {"MAX_ENTRIES": 50_000}})
_rest_until = 0.0


def _count(counter: Counter) -> int:
    if monotonic() >= _rest_until:
        try:
            return _count_in(cache, counter)
        except Exception as error:
            _rest(error)
    return _count_in(_local_cache, counter)


def _count_in(store: BaseCache, counter: Counter) -> int:
    try:
        store.add(counter.key, 0, counter.ends_in)
        return store.incr(counter.key)
    except ValueError:  # the window ended in between
        return 1


def _uncount(counter: Counter) -> None:
    store: BaseCache = cache if monotonic() >= _rest_until else _local_cache
    try:
        store.decr(counter.key)
    except ValueError:  # counted in the other one, or the window ended
        pass
    except Exception as error:
        _rest(error)


def _rest(error: Exception) -> None:
    global _rest_until
    _rest_until = monotonic() + CACHE_REST
    logger.warning("the cache does not answer, so this process counts failures for itself: %s", error)


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


def _network_of(request: HttpRequest) -> str:
    """What one customer can have many addresses of: a /24, or a /48."""
    try:
        address = ipaddress.ip_network(address_of(request))
    except ValueError:  # a unix socket
        return ""
    return str(address.supernet(new_prefix=24 if address.version == 4 else 48))


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


LOG_IN = Limit(
    "log_in",
    "wrong passwords",
    target=Rate(20, 15),
    browser=Rate(10, 10),
    address=Rate(300, 10),
    near=Rate(5, 24 * 60),
)
# Only links that do not exist are counted: those that do cannot be guessed.
TOKENS = Limit("tokens", "links that do not exist", target=Rate(100, 10), browser=Rate(30, 10), address=Rate(600, 10))
SIGN_UP = Limit("sign_up", "new accounts", target=Rate(100, 60), browser=Rate(10, 60), address=Rate(100, 60))
OWNER_CODE = Limit("owner_code", "wrong codes", target=Rate(100, 10), browser=Rate(10, 10), address=Rate(30, 10))
FORGOTTEN = Limit("forgotten", "password e-mails", target=Rate(3, 60), browser=Rate(5, 60), address=Rate(60, 60))
