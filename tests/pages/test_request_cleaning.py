"""Bodies, forms, addresses and cookies that no page sends: a sentence and a field, nothing written, never a 500."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import json_input
from log.models import Entry
from pages import request_middleware
from people.models import Person
from refusal import Refusal
from tests.campaign.test_services import Table

BAD_JSON = {
    "cut off": (b'{"key": "tap-number-1", "text": ', 400),
    "not UTF-8": (b'{"text": "\xff"}', 400),
    "deep": (b'{"text": ' + b"[" * 200 + b"]" * 200 + b"}", 422),
    "very deep": (b"[" * 100_000, 400),
    "NaN": (b'{"text": NaN}', 400),
    "infinity": (b'{"text": 1e999}', 422),
    "huge number": (b'{"text": ' + b"9" * 5000 + b"}", 422),
    "huge negative number": (b'{"text": -' + b"9" * 25 + b"}", 422),
    "NUL": (b'{"text": "a\\u0000b"}', 422),
    "NUL in a key": (b'{"a\\u0000b": 1}', 422),
    "lone surrogate": (b'{"text": "\\ud800"}', 422),
    "lone surrogate in a key": (b'{"\\udfff": 1}', 422),
    "key twice": (b'{"text": "a", "text": "b"}', 400),
    "long text": (b'{"text": "' + b"a" * 20_001 + b'"}', 422),
    "long key": (b'{"' + b"a" * 201 + b'": 1}', 422),
    "many values": (b"[" + b"1," * 20_001 + b"1]", 413),
    "large": (b'"' + b"a" * request_middleware.MAX_BODY + b'"', 413),
}


@pytest.fixture
def table(master, player):
    return Table(master, player)


def writing_addresses(table: Table) -> list[tuple[str, str]]:
    code = table.campaign.code
    return [
        ("post", "/api/v1/campaigns/"),
        ("post", f"/api/v1/campaigns/{code}/notes/"),
        ("post", f"/api/v1/campaigns/{code}/acts/"),
        ("post", f"/api/v1/campaigns/{code}/corrections/"),
        ("post", "/api/v1/people/"),
        ("patch", "/api/v1/me/"),
        ("post", "/api/v1/rules/odds/attack/"),
    ]


@pytest.mark.parametrize("kind", BAD_JSON)
def test_bad_json_is_refused_everywhere_with_a_sentence(table, master, kind):
    raw, status = BAD_JSON[kind]
    entries = Entry.objects.count()
    for method, address in writing_addresses(table):
        answer = getattr(master.client, method)(address, raw, content_type="application/json")
        assert answer.status_code == status, (address, answer.content)
        assert answer.json()["refusal"].endswith("."), answer.json()
        assert status != 422 or "key" in kind or answer.json()["field"] == "text"
    assert Entry.objects.count() == entries


def test_field_of_a_refusal_is_the_path_to_the_value():
    with pytest.raises(Refusal) as caught:
        json_input.read_json(b'{"body": {"throws": [{"roll": 1}, {"roll": "\\u0000"}]}}')
    assert caught.value.field == "body.throws.1.roll"


def test_json_with_another_charset_is_refused(table, master):
    for charset in ("utf-16", "rot13", "zip", "hex"):
        for kind in ("application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
            for address in ("/api/v1/people/", reverse("people:index")):
                answer = master.client.generic("POST", address, b"{}", f"{kind}; charset={charset}")
                assert answer.status_code == 415, (kind, charset)


@pytest.mark.parametrize("value", ["a\0b", "a" * 20_001], ids=["NUL", "long"])
def test_bad_form_values_are_refused_with_the_field(table, master, value):
    address = reverse("campaign:note", args=[table.campaign.code])
    entries = Entry.objects.count()
    for headers in ({}, {"HX-Request": "true"}, {"Accept": "application/json"}):
        for content_type in ("multipart", "application/x-www-form-urlencoded"):
            answer = _post(master.client, address, {"key": "a-new-key", "text": value}, content_type, headers)
            assert answer.status_code == 422
            assert "“text”" in answer.content.decode() or answer.json()["field"] == "text"
    assert Entry.objects.count() == entries


def _post(client: Client, address: str, fields: dict, content_type: str, headers: dict):
    if content_type == "multipart":
        return client.post(address, fields, headers=headers)
    return client.post(address, urlencode(fields), content_type=content_type, headers=headers)


def test_bad_field_and_file_names_are_refused(table, master):
    answer = master.client.post(reverse("people:index"), {"na\0me": "x"})
    assert answer.status_code == 422
    file = SimpleUploadedFile("deck.json", b"{}")
    file.name = "a" * 300 + ".json"
    answer = master.client.post(reverse("campaign:upload_file"), {"file": file})
    assert answer.status_code == 422


def test_too_large_form_is_refused_before_it_is_read(master, monkeypatch):
    monkeypatch.setattr(request_middleware, "MAX_BODY", 1000)
    answer = master.client.post(reverse("people:index"), {"name": "a" * 2000})
    assert answer.status_code == 413
    assert "The limit is" in answer.content.decode()


def test_nul_in_an_address_or_a_query_finds_nothing(table, master):
    for address in (
        f"/campaigns/{table.campaign.code}%00/",
        "/campaigns/%00/",
        "/rules/?q=%00",
        f"/api/v1/campaigns/{table.campaign.code}%00/",
        "/tables/%00/",
    ):
        assert master.client.get(address).status_code in (404, 422), address


def test_broken_cookie_is_ignored(master):
    """Python reads an octal escape in a quoted cookie as NUL, which no database can look up."""
    for name in ("companion_session", "companion_csrf", "anything"):
        answer = Client(headers={"Cookie": f'{name}="aaaaaaaa\\000aaaaaaaaaa"'}).get("/")
        assert answer.status_code in (200, 302)


def test_names_are_stored_as_they_were_sent_if_every_database_can_hold_them(master):
    name = "Łucja 🧀 \u202eמלך\u200d"
    answer = master.client.post(
        "/api/v1/people/", json.dumps({"key": "new-person-1", "name": name}), content_type="application/json"
    )
    assert answer.status_code in (201, 422)
    if answer.status_code == 201:
        assert Person.objects.filter(name=answer.json()["name"]).exists()
