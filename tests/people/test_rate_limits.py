"""Guessing is slow for whoever guesses, and nobody else notices."""

from __future__ import annotations

import contextlib
import dataclasses
import ipaddress

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from people import accounts, limits
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


def test_one_browser_may_fail_ten_times_then_waits_and_is_told_how_long(browser):
    for _ in range(10):
        assert guess(browser) == 422
    response = log_in(browser, "wren", "wrong")
    assert response.status_code == 429
    assert "Too many wrong passwords from this browser. Try again in " in response.text
    assert 1 <= int(response["Retry-After"]) <= 601, "and so is a program, in the head of the answer"
    assert log_in(browser, "wren", PASSWORD).status_code == 429, "a blocked browser is not told when it guesses right"


def test_the_wait_ends(browser, time_passes):
    fail(11, client=browser)
    time_passes(minutes=10)
    assert log_in(browser, "wren").status_code == 302


def test_another_browser_gets_in_with_the_right_password_meanwhile(browser):
    fail(30, client=browser)
    assert log_in(new_browser(), "wren").status_code == 302, "what is refused unheard is not counted against the name"


def test_right_passwords_are_never_counted(browser):
    for _ in range(12):
        assert log_in(browser, "wren").status_code == 302
        browser.post("/log-out/")


def test_an_attacker_with_many_browsers_is_stopped_at_the_name(master):
    for _ in range(20):
        assert guess(new_browser()) == 422
    assert guess(new_browser()) == 429
    assert guess(new_browser(), "tam") == 422, "another name is another matter"


def test_the_owner_of_the_name_still_gets_in_from_a_browser_that_knows_them(browser):
    log_in(browser, "wren")
    browser.post("/log-out/")
    fail(25)
    assert guess(new_browser()) == 429
    assert log_in(browser, "wren").status_code == 302
    assert log_in(new_browser(), "wren").status_code == 429, "for a new browser there is the link to a new password"


def test_knowing_one_name_does_not_help_in_guessing_at_another(browser, player):
    log_in(browser, "wren")
    browser.post("/log-out/")
    fail(21, "tam")
    assert guess(browser, "tam") == 429


def test_a_forged_browser_cookie_knows_nobody(browser, master):
    log_in(browser, "wren")
    forged = Client()
    value = browser.cookies["companion_browser"].value
    forged.cookies["companion_browser"] = ("A" if value[0] != "A" else "B") + value[1:]
    fail(21)
    assert log_in(forged, "wren").status_code == 429


def test_a_name_that_does_not_exist_is_counted_alike(master):
    fail(20, "no such mouse")
    assert guess(new_browser(), "no such mouse") == 429


def test_a_cellar_of_forty_behind_one_router_is_not_locked_out(master):
    """Forty phones, each fumbling five times with its own name, and nobody waits."""
    for number in range(40):
        phone = RequestFactory().get("/", REMOTE_ADDR="203.0.113.7")
        for _ in range(5):
            with limits.LOG_IN.attempt(phone, f"mouse {number}") as attempt:
                attempt.failed()
    assert log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.7").status_code == 302


def test_but_a_machine_gun_behind_one_address_is_stopped(master, monkeypatch):
    monkeypatch.setattr(accounts, "LOG_IN", dataclasses.replace(limits.LOG_IN, address=limits.Rate(30, 10)))
    for number in range(30):
        fail(1, f"mouse {number}", REMOTE_ADDR="203.0.113.7")
    response = log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.7")
    assert response.status_code == 429
    assert "from your network" in response.text
    assert log_in(new_browser(), "wren", REMOTE_ADDR="203.0.113.8").status_code == 302


def test_a_thousand_guesses_at_once_are_a_thousand(master):
    """Counted before they are judged: none slips through while the first is still being hashed."""
    request = RequestFactory().get("/", REMOTE_ADDR="203.0.113.7")
    let_through = 0
    with contextlib.ExitStack() as all_at_once:
        for _ in range(1000):
            with contextlib.suppress(Refusal):
                all_at_once.enter_context(limits.LOG_IN.attempt(request, "wren"))
                let_through += 1
    assert let_through == 10


def test_unknown_tokens_are_guesses_too(master):
    client = Client()
    client.get("/log-in/")
    for _ in range(30):
        assert client.get("/p/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404
    refused = client.get("/i/AAAAAAAAAAAAAAAAAAAAAA")
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 601
    as_json = client.get("/i/AAAAAAAAAAAAAAAAAAAAAA", headers={"Accept": "application/json"})
    assert int(as_json["Retry-After"]) == pytest.approx(as_json.json()["fresh"]["again_in"], abs=1)


def test_a_broken_cache_keeps_nobody_out(master, monkeypatch):
    def broken(*args, **kwargs):
        raise ConnectionError

    for name in ("add", "incr", "decr"):
        monkeypatch.setattr(type(cache._connections[cache._alias]), name, broken)
    assert guess(new_browser()) == 422
    assert log_in(new_browser(), "wren").status_code == 302


@pytest.mark.redis
def test_counting_on_redis_is_the_same(master, settings, redis_url):
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
def test_only_named_proxies_are_believed(settings, peer, forwarded, trusted, address):
    settings.TRUSTED_PROXIES = [ipaddress.ip_network(one) for one in trusted]
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert limits.address_of(RequestFactory().get("/", REMOTE_ADDR=peer, **headers)) == address
