"""Tokens stand nowhere: not in the database, not in logs, not in pages after opening."""

from __future__ import annotations

import logging
import math

import pytest
from django.test import Client

from people import keeping, kinds, links, passes, tokens
from people.models import CODE_LETTERS, Pass, PersonalLink, new_code
from people.who import Who
from tests.people.conftest import PASSWORD, open_link, open_pass
from tests.people.test_forgetting import rows_that_say


@pytest.fixture
def secrets(master, friend, player, seat):
    who = Who.of(master)
    links.issue(friend, by=who)
    kinds.claim_link(who, friend)
    kinds.invite(who)
    kinds.reset_link(None, player)
    passes.make(seat, 1, by=who)
    return [*PersonalLink.objects.all(), *Pass.objects.all()]


def test_a_token_has_128_bits_and_is_never_the_same_twice(secrets):
    found = {row.token for row in secrets}
    assert len(found) == len(secrets) == 5
    for token in found:
        assert tokens.SHAPE.fullmatch(token)
        assert math.log2(64) * len(token) >= 128


def test_no_token_stands_in_the_database(secrets, nobody):
    for row in secrets:
        nobody.get(row.get_absolute_url())
    for row in secrets:
        assert rows_that_say(row.token) == []
        assert rows_that_say(row.token_hash) != []


def test_the_database_alone_does_not_give_the_token(secrets, settings):
    settings.SECRET_KEY = "another" * 10
    for row in secrets:
        assert row.token == ""
        assert tokens.hash_of(tokens.token_of(row.seed)) != row.token_hash


def test_no_token_or_password_goes_into_a_log_whatever_happens(secrets, nobody, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    link = next(row for row in secrets if isinstance(row, PersonalLink))
    for row in secrets:
        clean = nobody.get(row.get_absolute_url())["Location"]
        nobody.get(clean)
        nobody.post(clean, {"password": "short-1"})
    open_link(nobody, link)
    nobody.get("/p/" + "Z" * 22)
    nobody.post("/log-in/", {"name": "wren", "password": "a-wrong-password"})
    nobody.post("/log-in/", {"name": "wren", "password": PASSWORD})

    # Even when the page itself breaks.
    def broken(*args, **kwargs):
        raise RuntimeError("broken")

    careless = Client(raise_request_exception=False)
    monkeypatch.setattr(passes, "offer", broken)
    for row in secrets:
        careless.get(row.get_absolute_url())
    said = caplog.text
    for secret in [row.token for row in secrets] + ["a-wrong-password", PASSWORD, "short-1", "Z" * 22]:
        assert secret not in said


def test_pages_after_opening_do_not_carry_it(secrets, nobody):
    for row in secrets:
        response = nobody.get(row.get_absolute_url(), follow=True)
        assert row.token not in response.text
        assert row.token not in response.request["PATH_INFO"]


def test_a_referrer_never_leaves_the_site(secrets, nobody):
    response = nobody.get(secrets[0].get_absolute_url())
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]


def test_a_token_of_one_kind_opens_no_other(secrets, nobody):
    link = next(row for row in secrets if isinstance(row, PersonalLink))
    row = next(row for row in secrets if isinstance(row, Pass))
    assert nobody.get(f"/i/{link.token}").status_code == 404
    assert nobody.get(f"/p/{row.token}").status_code == 404


def test_the_numbers_in_clean_addresses_open_nothing_by_themselves(secrets, nobody, player):
    for row in Pass.objects.all():
        for client in (nobody, player.client):
            assert client.get(f"/invitation/{row.pk}/").status_code == 404


def test_codes_cannot_be_guessed():
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert 12 * math.log2(len(CODE_LETTERS)) > 56


def test_opening_two_links_keeps_them_apart(secrets, nobody, master):
    first, second = [row for row in secrets if isinstance(row, Pass)][:2]
    one, two = open_pass(nobody, first), open_pass(nobody, second)
    assert one != two
    assert nobody.get(one).status_code == nobody.get(two).status_code == 200


def test_a_browser_keeps_a_bounded_number_of_links(master, nobody, seat):
    who = Who.of(master)
    for _ in range(passes.OFFERS_MOST + 5):
        open_pass(nobody, passes.make(seat, 1, by=who))
    assert len(nobody.session[passes.OFFERS]) == passes.OFFERS_MOST


def test_adding_a_friend_twice_by_one_tap_adds_one(master):
    who = Who.of(master)
    assert keeping.add(who, "Pip", key="tap-tap-tap") == keeping.add(who, "Pip", key="tap-tap-tap")
    assert keeping.add(who, "Pip", key="another-tap") != keeping.add(who, "Pip", key="tap-tap-tap")
