"""Rate limits slow down guessing and affect nobody else."""

from __future__ import annotations

import contextlib
import dataclasses
import ipaddress

import pytest
from django.core import signing
from django.test import Client, RequestFactory
from django.urls import get_resolver

from home.management.commands import serve
from people import rate_limits
from people.accounts import log_ins, services as accounts_services
from people.models import Person
from people.passes import services
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, log_in
from tests.services import free_port

# One client stands in for many browsers: starting its handler anew for each would take most of the time.
_many = Client()


def new_browser() -> Client:
    _many.cookies.clear()
    return _many


def guess(client: Client, name: str = "wren", **headers) -> int:
    return log_in(client, name, "wrong", **headers).status_code


def fail(times: int, name: str = "wren", *, client: Client | None = None, **headers) -> None:
    for _ in range(times):
        guess(client or new_browser(), name, **headers)


@pytest.fixture
def browser(master) -> Client:
    client = Client()
    client.get("/log-in/")
    return client


def test_browser_is_limited_to_ten_wrong_passwords(browser):
    for _ in range(10):
        assert guess(browser) == 422
    response = log_in(browser, "wren", "wrong")
    assert response.status_code == 429
    assert "Too many wrong passwords from this browser. Try again in " in response.text
    assert 1 <= int(response["Retry-After"]) <= 601, "and so is a program, in the head of the answer"
    assert log_in(browser, "wren", PASSWORD).status_code == 429, "a blocked browser is not told when it guesses right"


def test_limit_expires(browser, time_passes):
    fail(11, client=browser)
    time_passes(minutes=10)
    assert log_in(browser, "wren").status_code == 302


def test_another_browser_is_not_limited(browser):
    fail(30, client=browser)
    assert log_in(new_browser(), "wren").status_code == 302, "what is refused unheard is not counted against the name"


def test_right_passwords_are_not_counted(browser):
    for _ in range(12):
        assert log_in(browser, "wren").status_code == 302
        browser.post("/log-out/")


def test_name_is_limited_across_browsers(master):
    for _ in range(20):
        assert guess(new_browser()) == 422
    assert guess(new_browser()) == 429
    assert guess(new_browser(), "tam") == 422, "another name is another matter"


def test_known_browser_is_not_limited_by_others(browser):
    log_in(browser, "wren")
    browser.post("/log-out/")
    fail(25)
    assert guess(new_browser()) == 429
    assert log_in(browser, "wren").status_code == 302
    assert log_in(new_browser(), "wren").status_code == 429, "for a new browser there is the link to a new password"


@pytest.mark.parametrize(
    ("guessers", "own"), [("203.0.113.7", "198.51.100.4"), ("2001:db8:1::7", "2001:db8:2::4")], ids=["IPv4", "IPv6"]
)
def test_new_browser_is_not_locked_out_by_others(master, guessers, own):
    """Others use up what there is for a name; who has not guessed from their own network still gets in."""
    fail(40, REMOTE_ADDR=guessers)
    assert log_in(new_browser(), "wren", REMOTE_ADDR=guessers).status_code == 429
    assert guess(new_browser(), REMOTE_ADDR=own) == 422
    assert log_in(new_browser(), "wren", REMOTE_ADDR=own).status_code == 302
    fail(4, REMOTE_ADDR=own)
    refused = log_in(new_browser(), "wren", REMOTE_ADDR=own)
    assert refused.status_code == 429, "a few tries in a day"
    assert "Too many wrong passwords for this name. Try again in " in refused.text


def test_guessing_from_many_addresses_stays_slow(master):
    """As SECURITY.md works it out: 20 in a quarter of an hour, and 5 a day from each network once they are used up."""
    addresses = [f"198.51.{network}.{host}" for network in range(8) for host in range(1, 13)]
    heard = sum(guess(new_browser(), REMOTE_ADDR=address) == 422 for address in addresses)
    assert 20 <= heard <= 20 + 8 * 5


def test_known_browser_is_limited_for_other_names(browser, player):
    log_in(browser, "wren")
    browser.post("/log-out/")
    fail(21, "tam")
    assert guess(browser, "tam") == 429


def test_forged_browser_cookie_is_ignored(browser, master):
    log_in(browser, "wren")
    forged = Client()
    value = browser.cookies["companion_browser"].value
    forged.cookies["companion_browser"] = ("A" if value[0] != "A" else "B") + value[1:]
    fail(21)
    assert log_in(forged, "wren").status_code == 429


def test_unknown_name_is_limited_like_a_known_one(master):
    fail(20, "no such mouse")
    assert guess(new_browser(), "no such mouse") == 429


def test_forty_people_behind_one_router_are_not_limited(master):
    """Forty phones, each fumbling five times with its own name, and nobody waits."""
    for number in range(40):
        phone = RequestFactory().get("/", REMOTE_ADDR="203.0.113.7")
        for _ in range(5):
            with rate_limits.LOG_IN.attempt(phone, f"mouse {number}") as attempt:
                attempt.fail()
    assert log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.7").status_code == 302


def test_address_is_limited_to_many_failures(master, monkeypatch):
    monkeypatch.setattr(
        accounts_services, "LOG_IN", dataclasses.replace(rate_limits.LOG_IN, address=rate_limits.Rate(30, 10))
    )
    for number in range(30):
        fail(1, f"mouse {number}", REMOTE_ADDR="203.0.113.7")
    response = log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.7")
    assert response.status_code == 429
    assert "from your network" in response.text
    assert log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.8").status_code == 302


def test_simultaneous_guesses_are_all_counted(master):
    """Counted before they are judged: none slips through while the first is still being hashed."""
    request = RequestFactory().get("/", REMOTE_ADDR="203.0.113.7")
    let_through = 0
    with contextlib.ExitStack() as all_at_once:
        for _ in range(1000):
            with contextlib.suppress(Refusal):
                all_at_once.enter_context(rate_limits.LOG_IN.attempt(request, "wren"))
                let_through += 1
    assert let_through == 10


def test_unknown_tokens_are_counted(master):
    client = Client()
    client.get("/log-in/")
    for _ in range(30):
        assert client.get("/p/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404
    refused = client.get("/i/AAAAAAAAAAAAAAAAAAAAAA")
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 601
    as_json = client.get("/i/AAAAAAAAAAAAAAAAAAAAAA", headers={"Accept": "application/json"})
    assert int(as_json["Retry-After"]) == pytest.approx(as_json.json()["fresh"]["again_in"], abs=1)


def test_without_redis_each_process_counts_for_itself(master, settings, monkeypatch):
    monkeypatch.setattr(rate_limits, "_rest_until", 0.0)
    rate_limits._local_cache.clear()
    nobody_there = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": nobody_there}}
    browser = Client()
    browser.get("/log-in/")
    assert [guess(browser) for _ in range(11)] == [422] * 10 + [429]
    assert log_in(new_browser(), "wren").status_code == 302


@pytest.mark.redis
def test_limits_work_the_same_with_redis(master, settings, redis_url):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url}}
    browser = Client()
    browser.get("/log-in/")
    assert [guess(browser) for _ in range(11)] == [422] * 10 + [429]


# ── Nobody is locked out by others ───────────────────────────────────────────────────────────────────────

ROUTER = "203.0.113.7"
DAY = 60 * 60 * 24


def all_limits() -> list[rate_limits.Limit]:
    assert get_resolver().url_patterns  # imports every view, and with it every limit
    return list(rate_limits.LIMITS.values())


def request_from(address: str = ROUTER, *, browser: str = "", account: int | None = None, since: float = 0):
    """A request of a browser with this id (none: without a cookie) in which an account has logged in before."""
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    if browser:
        data = {"b": browser, "a": [account] if account else [], "s": since}
        request.COOKIES[log_ins.COOKIE] = signing.dumps(data, salt=log_ins.SALT)
    return request


def try_and_fail(limit: rate_limits.Limit, times: int, make_request, target: str = "") -> int:
    """How many of these wrong guesses were looked at before one was refused."""
    for done in range(times):
        try:
            with limit.attempt(make_request(done), target) as attempt:
                attempt.fail()
        except Refusal:
            return done
    return times


def test_every_limit_is_covered_by_the_test_below():
    names = {limit.name for limit in all_limits()}
    assert names >= {"log_in", "tokens", "sign_up", "owner_code", "forgotten", "table_codes", "battle_codes", "seats"}


@pytest.mark.parametrize("limit", all_limits(), ids=lambda limit: limit.name)
def test_nobody_is_locked_out_by_guesses_of_others_on_the_network(limit):
    most = limit.address.most
    assert try_and_fail(limit, most + 1, lambda _: request_from()) <= most, "without cookies, every try counts"
    assert try_and_fail(limit, 1, lambda _: request_from()) == 0
    assert try_and_fail(limit, 3, lambda _: request_from(browser="phone")) == 3, "a phone that opened a page before"
    assert try_and_fail(limit, most + 1, lambda number: request_from(browser=f"collected {number}")) <= most
    assert try_and_fail(limit, 1, lambda _: request_from(browser="another")) == 0
    known = lambda _: request_from(browser="laptop", account=7, since=1)  # noqa: E731
    assert try_and_fail(limit, 3, known) == 3, "a browser where somebody has long had an account"


def test_guests_since_yesterday_are_known_too(wrens_guest):
    limit = rate_limits.LIMITS["log_in"]
    request = request_from(browser="phone")
    request.who = Who.of(wrens_guest)
    assert rate_limits.known_account(request) == "", "a guest who has just come"
    wrens_guest.created_at -= log_ins.KNOWN_AFTER
    try_and_fail(limit, limit.address.most, lambda number: request_from(browser=f"collected {number}"))
    assert try_and_fail(limit, 3, lambda _: request) == 3


def test_a_new_account_does_not_make_a_browser_known():
    """Or whoever signs up could collect browsers that count against no address."""
    now = log_ins.time.time()
    assert not log_ins.browser_of(request_from(browser="b", account=7, since=now)).is_known
    assert log_ins.browser_of(request_from(browser="b", account=7, since=now - DAY)).is_known
    assert log_ins.browser_of(request_from(browser="b", account=7)).is_known, "a cookie of an older release"


@pytest.mark.parametrize("limit", all_limits(), ids=lambda limit: limit.name)
def test_all_known_browsers_of_one_account_share_its_limit(limit):
    most = limit.browser.most * rate_limits.BROWSERS_PER_ACCOUNT
    assert try_and_fail(limit, most + 1, lambda n: request_from(browser=f"b{n}", account=7)) == most


def test_a_link_that_works_opens_after_any_number_that_do_not(master):
    guest = Person.objects.create(name="Pim", keeper=master)
    link = services.issue_link(guest, by=Who.of(master))
    client = Client()
    for _ in range(31):
        last = client.get("/p/AAAAAAAAAAAAAAAAAAAAAA")
    assert last.status_code == 429
    assert client.get(f"/p/{link.token}").status_code == 302


def test_start_says_when_a_proxy_is_not_trusted(master, settings):
    settings.SECURE, settings.TRUSTED_PROXIES = True, []
    assert "TRUSTED_PROXIES is not set" in serve.banner_text()
    settings.TRUSTED_PROXIES = [ipaddress.ip_network("127.0.0.1/32")]
    assert "TRUSTED_PROXIES" not in serve.banner_text()


# ── The address ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("203.0.113.7", "", [], "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", [], "203.0.113.7"),  # nobody asked this peer to speak for others
        ("10.0.0.1", "198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"),  # the client may write what it likes
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", ["10.0.0.0/8"], "198.51.100.1"),  # two proxies in a row
        ("10.0.0.1", "rubbish", ["10.0.0.0/8"], "10.0.0.1"),
        ("10.0.0.1", "", ["10.0.0.0/8"], "10.0.0.1"),
        ("", "198.51.100.1", ["127.0.0.1/32"], "198.51.100.1"),  # a unix socket
        ("2001:db8:1:2:3:4:5:6", "", [], "2001:db8:1:2::/64"),  # a household is one network
        ("2001:db8:1:2:ffff::1", "", [], "2001:db8:1:2::/64"),
        ("", "", [], ""),
    ],
)
def test_only_trusted_proxies_set_the_address(settings, peer, forwarded, trusted, address):
    settings.TRUSTED_PROXIES = [ipaddress.ip_network(row) for row in trusted]
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert rate_limits.address_of(RequestFactory().get("/", REMOTE_ADDR=peer, **headers)) == address
