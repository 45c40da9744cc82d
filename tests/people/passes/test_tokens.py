"""Tokens are never stored, logged or shown after opening."""

from __future__ import annotations

import logging
import math

import pytest
from django.test import Client

from people import guests as guests_services
from people.models import CODE_LETTERS, Pass, PersonalLink, new_code
from people.passes import services, services as passes_services, sign_up_claim_and_reset_links, tokens as passes_tokens
from people.requester import Who
from tests.people.conftest import PASSWORD, open_pass, open_personal_link
from tests.people.privacy.test_forget_me import rows_that_say


@pytest.fixture
def secrets(master, wrens_guest, player, seat):
    who = Who.of(master)
    services.issue_link(wrens_guest, by=who)
    sign_up_claim_and_reset_links.create_claim_link(who, wrens_guest)
    sign_up_claim_and_reset_links.create_invitation(who)
    sign_up_claim_and_reset_links.create_reset_link(None, player)
    passes_services.create_pass(seat, 1, by=who)
    return [*PersonalLink.objects.all(), *Pass.objects.all()]


def test_token_has_128_bits_and_is_unique(secrets):
    seen = {row.token for row in secrets}
    assert len(seen) == len(secrets) == 5
    for token in seen:
        assert passes_tokens.SHAPE.fullmatch(token)
        assert math.log2(64) * len(token) >= 128


def test_no_token_is_stored(secrets, nobody):
    for row in secrets:
        nobody.get(row.get_absolute_url())
    for row in secrets:
        assert rows_that_say(row.token) == []
        assert rows_that_say(row.token_hash) != []


def test_token_needs_the_secret_key(secrets, settings):
    settings.SECRET_KEY = "another" * 10
    for row in secrets:
        assert row.token == ""
        assert passes_tokens.hash_of(passes_tokens.token_of(row.seed)) != row.token_hash


def test_no_token_or_password_is_logged(secrets, nobody, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    link = next(row for row in secrets if isinstance(row, PersonalLink))
    for row in secrets:
        clean = nobody.get(row.get_absolute_url())["Location"]
        nobody.get(clean)
        nobody.post(clean, {"password": "short-1"})
    open_personal_link(nobody, link)
    nobody.get("/p/" + "Z" * 22)
    nobody.post("/log-in/", {"name": "wren", "password": "a-wrong-password"})
    nobody.post("/log-in/", {"name": "wren", "password": PASSWORD})

    # Even when the page itself breaks.
    def broken(*args, **kwargs):
        raise RuntimeError("broken")

    careless = Client(raise_request_exception=False)
    monkeypatch.setattr(passes_services, "offer_pass", broken)
    for row in secrets:
        careless.get(row.get_absolute_url())
    logged = caplog.text
    for secret in [row.token for row in secrets] + ["a-wrong-password", PASSWORD, "short-1", "Z" * 22]:
        assert secret not in logged


def test_pages_after_opening_do_not_contain_the_token(secrets, nobody):
    for row in secrets:
        response = nobody.get(row.get_absolute_url(), follow=True)
        assert row.token not in response.text
        assert row.token not in response.request["PATH_INFO"]


def test_referrer_is_not_sent_to_other_sites(secrets, nobody):
    response = nobody.get(secrets[0].get_absolute_url())
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]


def test_tokens_of_links_and_passes_are_not_interchangeable(secrets, nobody):
    link = next(row for row in secrets if isinstance(row, PersonalLink))
    row = next(row for row in secrets if isinstance(row, Pass))
    assert nobody.get(f"/i/{link.token}").status_code == 404
    assert nobody.get(f"/p/{row.token}").status_code == 404


def test_pass_number_alone_opens_nothing(secrets, nobody, player):
    for row in Pass.objects.all():
        for client in (nobody, player.client):
            assert client.get(f"/invitation/{row.pk}/").status_code == 404


def test_codes_cannot_be_guessed():
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert 12 * math.log2(len(CODE_LETTERS)) > 56


def test_two_opened_links_stay_separate(secrets, nobody, master):
    first, second = [row for row in secrets if isinstance(row, Pass)][:2]
    one, two = open_pass(nobody, first), open_pass(nobody, second)
    assert one != two
    assert nobody.get(one).status_code == nobody.get(two).status_code == 200


def test_browser_remembers_a_limited_number_of_links(master, nobody, seat):
    who = Who.of(master)
    for _ in range(passes_services.MAX_OFFERS + 5):
        open_pass(nobody, passes_services.create_pass(seat, 1, by=who))
    assert len(nobody.session[passes_services.OFFERS_KEY]) == passes_services.MAX_OFFERS


def test_submitting_a_guest_twice_adds_one(master):
    who = Who.of(master)
    assert guests_services.add_guest(who, "Pip", key="tap-tap-tap") == guests_services.add_guest(
        who, "Pip", key="tap-tap-tap"
    )
    assert guests_services.add_guest(who, "Pip", key="another-tap") != guests_services.add_guest(
        who, "Pip", key="tap-tap-tap"
    )
