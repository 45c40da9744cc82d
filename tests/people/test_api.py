"""The people API: the same services and refusals as the pages."""

from __future__ import annotations

import pytest

from people import guests as guests_services
from people.models import Pass, Person
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who


def call(client, method: str, path: str, data=None):
    return getattr(client, method)(f"/api/v1/{path}", data, content_type="application/json")


def test_stranger_is_told_to_log_in(nobody):
    for method, path in [("get", "me/"), ("get", "people/"), ("post", "people/"), ("get", "passes/"), ("patch", "me/")]:
        response = call(nobody, method, path, {})
        assert response.status_code == 403
        sentence = "Log in first, or open your personal link."
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.json() == {
            "type": "log-in-required",
            "title": "Forbidden",
            "status": 403,
            "detail": sentence,
            "refusal": sentence,
        }


def test_me(master):
    data = call(master.client, "get", "me/").json()
    assert data["name"] == "Wren"
    assert data["log_in_name"] == "wren"
    assert data["came_by"] == "password"
    assert data["is_owner"] is False
    assert data["arms"]["blazon"] == master.arms.blazon()


def test_me_by_link(master, wrens_guest, by_link):
    data = call(by_link(wrens_guest, by=master), "get", "me/").json()
    assert (data["name"], data["log_in_name"], data["came_by"]) == ("Pip", None, "link")


def test_changing_name_and_arms(master):
    arms = {"field": "azure", "ordinary": "fess", "ordinary_tincture": "or"}
    response = call(master.client, "patch", "me/", {"name": "Wren 🐭", "arms": arms})
    assert response.status_code == 200
    assert response.json()["name"] == "Wren 🐭"
    assert response.json()["arms"]["blazon"] == "Azure, a fess or"
    assert call(master.client, "patch", "me/", {"arms": response.json()["arms"]}).status_code == 200, (
        "what it gives it takes"
    )


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"name": ""}, 422),
        ({"name": " "}, 422),
        ({"name": "\u200b"}, 422),
        ({"name": "x" * 201}, 422),
        ({"name": "x" * 1001}, 422),
        ({"name": ["x"]}, 422),
        ({"nmae": "Wren"}, 422),
        ({"name": "\x00"}, 422),
        ({"arms": "gules"}, 422),
        ({"arms": {"field": "plaid"}}, 422),
        ({"arms": {"field": "azure", "ordinary": "fess", "ordinary_tincture": "gules"}}, 422),
        ([1, 2], 400),
    ],
)
def test_impossible_changes_are_refused(master, data, status):
    response = call(master.client, "patch", "me/", data)
    assert response.status_code == status
    assert "refusal" in response.json()
    master.refresh_from_db()
    assert (master.name, master.blazon) == ("Wren", {})


def test_null_is_the_same_as_nothing_sent(master):
    before = call(master.client, "get", "me/").json()
    assert call(master.client, "patch", "me/", {"name": None, "arms": None}).json() == before


def test_a_key_adds_a_guest_once(master):
    data = {"name": "Pip", "key": "a-fresh-key-1"}
    first, again = (call(master.client, "post", "people/", data) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json()["code"] == again.json()["code"]
    assert first.json()["kept_by_me"] is True
    assert call(master.client, "post", "people/", {"name": "Pip"}).status_code == 422
    assert call(master.client, "post", "people/", {"name": "Pip", "key": "!"}).status_code == 422


def test_list_contains_only_people_you_know(master, wrens_guest, stranger):
    listed = call(master.client, "get", "people/").json()
    assert {row["name"] for row in listed} == {"Wren", "Pip"}
    assert {row["name"] for row in call(stranger.client, "get", "people/").json()} == {"Stoat"}


def test_list_costs_few_queries_at_any_length(master, django_assert_max_num_queries):
    for number in range(20):
        guests_services.add_guest(Who.of(master), f"Friend {number}")
    with django_assert_max_num_queries(3):
        assert len(call(master.client, "get", "people/").json()) == 21


def test_only_your_guests_can_be_renamed(master, wrens_guest, stranger, player, monkeypatch):
    from people import acquaintances as people_acquaintances

    path = f"people/{wrens_guest.code}/"
    assert call(master.client, "patch", path, {"name": "Pippin"}).json()["name"] == "Pippin"
    assert call(stranger.client, "patch", path, {"name": "x"}).status_code == 404
    assert call(stranger.client, "get", path).status_code == 404
    monkeypatch.setattr(people_acquaintances, "_sources", [lambda who: [player.pk]])
    refused = call(master.client, "patch", f"people/{player.code}/", {"name": "x"})
    assert refused.status_code == 403
    assert refused.json()["refusal"] == "Only they can change this name."
    player.refresh_from_db()
    assert player.name == "Tam"


def test_passes_are_listed_without_their_secrets_and_revoked(master, stranger):
    row = sign_up_claim_and_reset_links.create_invitation(Who.of(master), "for Bramble")
    response = call(master.client, "get", "passes/")
    listed = response.json()
    assert [(each["title"], each["label"], each["state"]) for each in listed] == [
        ("Invitation to the site", "for Bramble", "open")
    ]
    for secret in (row.token, row.seed, row.token_hash):
        assert secret not in response.text
    path = f"passes/{row.pk}/revoke/"
    assert call(stranger.client, "post", path).status_code == 404
    assert call(master.client, "post", path).json()["state"] == "revoked"
    assert call(master.client, "post", path).json()["state"] == "revoked"
    assert passes_services.state_of(Pass.objects.get()) == "revoked"


def test_schema_names_both_ways_to_log_in(master):
    """tests/site/test_api_schema.py looks at every endpoint."""
    schemes = master.client.get("/api/schema/?format=json").json()["components"]["securitySchemes"]
    assert schemes["session"]["in"] == "cookie"
    assert schemes["token"] == {**schemes["token"], "type": "http", "scheme": "bearer"}


def test_a_person_merged_is_not_listed_twice(master, wrens_guest):
    from people import merging

    merging.merge_people(wrens_guest, into=master, by=Who.of(master))
    assert [row["name"] for row in call(master.client, "get", "people/").json()] == ["Wren"]
    assert Person.objects.count() == 2
