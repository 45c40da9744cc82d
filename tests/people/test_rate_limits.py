"""Rate limits slow down guessing and affect nobody else."""

from __future__ import annotations

import contextlib
import dataclasses
import ipaddress

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from people import rate_limits
from people.accounts import services as accounts_services
from refusal import Refusal
from tests.people.conftest import PASSWORD, log_in

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


def test_log_in_works_without_a_cache(master, monkeypatch):
    def broken(*args, **kwargs):
        raise ConnectionError

    for name in ("add", "incr", "decr"):
        monkeypatch.setattr(type(cache._connections[cache._alias]), name, broken)
    assert guess(new_browser()) == 422
    assert log_in(new_browser(), "wren").status_code == 302


@pytest.mark.redis
def test_limits_work_the_same_with_redis(master, settings, redis_url):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": redis_url}}
    browser = Client()
    browser.get("/log-in/")
    assert [guess(browser) for _ in range(11)] == [422] * 10 + [429]


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
    settings.TRUSTED_PROXIES = [ipaddress.ip_network(one) for one in trusted]
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert rate_limits.address_of(RequestFactory().get("/", REMOTE_ADDR=peer, **headers)) == address
