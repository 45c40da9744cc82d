"""Addresses of the API that are almost right."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_missing_slash_sends_the_same_request_on(db, method):
    answer = Client().generic(method, "/api/v1/campaigns/ABCD?limit=3", "{}", content_type="application/json")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/api/v1/campaigns/ABCD/?limit=3")


def test_write_without_its_slash_is_done(master):
    body = {"key": "found-the-war", "name": "The War of the Hedges"}
    answer = master.client.post("/api/v1/campaigns", body, content_type="application/json", follow=True)
    assert answer.status_code == 201


def test_page_without_its_slash_is_redirected_as_before(db):
    assert Client().get("/rules").status_code == 301


def test_unknown_address_is_not_sent_on(db):
    for path in ("/api/v1/nothing", "/api/v1/nothing/"):
        answer = Client().post(path)
        assert (answer.status_code, answer.json()["type"]) == (404, "not-found")


@pytest.mark.parametrize("path", ["/api/", "/api"])
def test_start_of_the_api_leads_to_its_documentation(db, path):
    assert Client().get(path, follow=True).redirect_chain[-1][0] == "/api/docs/"
