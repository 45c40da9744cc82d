"""Limits of the API, and requests that are sent twice."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from people import api_repeats_and_limits, privacy
from people.models import ApiAnswer, Person
from people.requester import Who
from tests.api_client import Api
from tests.people.conftest import PASSWORD


@pytest.fixture
def wren(master) -> Api:
    return Api.log_in(name="Wren", password=PASSWORD)


def rename(api: Api, name: str, key: str = "one-key-only"):
    return api.patch_with_key("me/", {"name": name}, key)


def test_request_sent_twice_is_answered_once(wren, master):
    first, again = (wren.patch_with_key("me/", {"name": "Wren the Elder"}, "one-key-only") for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    master.refresh_from_db()
    Person.objects.filter(pk=master.pk).update(name="Renamed meanwhile")
    wren.patch_with_key("me/", {"name": "Wren the Elder"}, "one-key-only")
    master.refresh_from_db()
    assert master.name == "Renamed meanwhile", "it was answered, not done again"


def test_header_is_the_key_of_a_write_that_takes_one(wren, master):
    headers = {"Idempotency-Key": "one-key-only"}
    first, again = (wren.post("people/", {"name": "Pip"}, **headers) for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())
    other = wren.post("people/", {"name": "Pim", "key": "the-bodys-own"}, **headers)
    assert other.json()["name"] == "Pim", "the key of the body comes first"
    assert Person.objects.filter(keeper=master).count() == 2
    assert ApiAnswer.objects.count() == 0, "its receipt is enough"


def test_bad_header_is_refused_whatever_key_the_body_has(wren, master):
    """As it is for a write that takes no key."""
    for body in ({"name": "Pim"}, {"name": "Pim", "key": "the-bodys-own"}):
        refused = wren.post("people/", body, **{"Idempotency-Key": "a key with spaces"})
        assert (refused.status_code, refused.json()["detail"]) == (422, api_repeats_and_limits.BAD_KEY)
    assert not Person.objects.filter(keeper=master).exists()


@pytest.mark.parametrize("key", [0, False, [], {}])
def test_key_that_is_no_text_is_not_called_missing(wren, key):
    refused = wren.post("people/", {"name": "Pim", "key": key})
    assert (refused.status_code, refused.json()["field"]) == (422, "key")
    assert refused.json()["detail"] == "“key” must be text."


def test_form_with_a_header_is_answered_as_other_bodies_are(wren):
    """Its names were checked before, which reads the body."""
    form = {"label": "phone"}
    headers = {"Idempotency-Key": "one-key-only", "Authorization": f"Bearer {wren.token}"}
    client = Client(raise_request_exception=False)
    answer = client.post("/api/v1/tokens/", form, headers=headers)
    assert answer.status_code == client.post("/api/v1/tokens/", form, headers=headers).status_code < 500


def test_key_with_another_request_is_refused(wren):
    assert rename(wren, "Pip").status_code == 200
    other = rename(wren, "Pim")
    assert (other.status_code, other.headers["Content-Type"]) == (422, "application/problem+json")
    assert "another request" in other.json()["detail"]
    assert rename(wren, "Pim", "a key with spaces").status_code == 422
    assert not Person.objects.filter(name="Pim").exists()


def test_key_belongs_to_its_token(wren, player):
    tam = Api.log_in(name="Tam", password=PASSWORD)
    assert rename(wren, "Pip").status_code == 200
    assert rename(tam, "Pip").status_code == 200
    assert Person.objects.filter(name="Pip").count() == 2


def test_request_still_running_is_not_started_again(wren):
    rename(wren, "Pip")
    ApiAnswer.objects.update(status=None)
    assert rename(wren, "Pip").status_code == 409


def test_secrets_and_refusals_for_now_are_not_kept(wren):
    made = [wren.post("tokens/", {}, **{"Idempotency-Key": "one-key-only"}).json()["token"] for _ in range(2)]
    assert made[0] != made[1]
    assert ApiAnswer.objects.count() == 0
    assert Api("x" * 22).post("tokens/", {}, **{"Idempotency-Key": "one-key-only"}).status_code == 401
    assert ApiAnswer.objects.count() == 0


@pytest.mark.parametrize(
    "body", [b"\xff\xd8\xff a picture", b"a \0 in it", b"x" * (api_repeats_and_limits.MAX_KEPT + 1)]
)
def test_answer_that_cannot_be_stored_as_it_is_is_not_kept(wren, monkeypatch, body):
    answers = iter([HttpResponse(body, content_type="image/jpeg"), HttpResponse(b"the second")])
    monkeypatch.setattr("people.api.MeView.patch", lambda *_, **__: next(answers))
    assert rename(wren, "Pip").content == body
    again = rename(wren, "Pip")
    assert (again.content, "Idempotency-Replayed" in again.headers) == (b"the second", False)


def test_empty_answer_is_given_again_empty(wren):
    made = wren.post("tokens/", {}).json()["id"]
    headers = {"Idempotency-Key": "one-key-only"}
    first, again = (wren.send("delete", f"tokens/{made}/", **headers) for _ in range(2))
    assert (first.status_code, first.content) == (again.status_code, again.content) == (204, b"")
    assert again.headers.get("Content-Type") == first.headers.get("Content-Type")


def test_answers_are_forgotten_with_the_person(wren, master):
    rename(wren, "Pip")
    assert ApiAnswer.objects.count() == 1
    privacy.forget_person(master, by=Who.of(master))
    assert ApiAnswer.objects.count() == 0


def test_too_many_requests_are_refused_until_the_minute_is_over(wren, settings):
    cache.clear()
    settings.API_RATE = 8
    answers = [wren.get("me/") for _ in range(9)]
    assert [answer.status_code for answer in answers] == [200] * 8 + [429]
    late = answers[-1]
    assert int(late.headers["Retry-After"]) <= 61
    assert "8 in a minute" in late.json()["detail"]
    other = Api.log_in(name="Wren", password=PASSWORD)
    assert other.get("me/").status_code == 200, "each token has its own limit"
    writes = [other.patch("me/", {}).status_code for _ in range(3)]
    assert writes == [200, 200, 429], "a quarter may write"


def test_made_up_cookies_share_the_limit_of_their_network(db, settings):
    cache.clear()
    settings.API_RATE = 4
    answers = []
    for number in range(5):
        browser = Client()
        browser.cookies[settings.SESSION_COOKIE_NAME] = f"made-up-{number}"
        answers.append(browser.get("/api/v1/rules/").status_code)
    assert answers == [200] * 4 + [429]


def test_tokens_that_have_not_logged_in_share_the_limit_of_their_network(wren, settings):
    tokens = [Api.log_in() for _ in range(5)]
    cache.clear()
    settings.API_RATE = 4
    assert [token.get("rules/").status_code for token in tokens] == [200] * 4 + [429]
    assert wren.get("rules/").status_code == 200, "who has logged in is not held up by them"


def test_browsers_of_guests_share_a_larger_limit(make_person, settings, monkeypatch):
    cache.clear()
    settings.API_RATE = 4
    monkeypatch.setattr(api_repeats_and_limits, "BROWSERS_IN_A_NETWORK", 2)
    people = [make_person(f"Mouse {number}") for number in range(3)]
    assert [person.client.get("/api/v1/rules/").status_code for person in people for _ in range(3)] == [200] * 8 + [429]
