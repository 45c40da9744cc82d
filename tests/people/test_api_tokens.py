"""Log in by API without cookies; tokens with scopes; links, claims, merging and the own account by token alone."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.founding.services import found_campaign
from campaign.invitations.services import create_invitation
from people import guests as guests_services, rate_limits
from people.api_tokens import scopes
from people.models import ApiToken, LogIn, Person
from people.passes import services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.api_client import Api
from tests.people.conftest import PASSWORD


@pytest.fixture
def wren(master) -> Api:
    return Api.log_in(name="Wren", password=PASSWORD)


def test_log_in_with_name_and_password(master, django_assert_max_num_queries):
    answer = Api().post("log-in/", {"name": "Wren", "password": PASSWORD, "label": "score board"})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["label"], made["scopes"], made["person"]) == ("score board", ["read", "play", "run"], master.code)
    assert not answer.cookies
    assert answer.headers["Cache-Control"] == "no-store"
    api = Api(made["token"])
    with django_assert_max_num_queries(2):
        assert api.get("me/").json()["log_in_name"] == "wren"


def test_wrong_password_and_wrong_token_are_refused_with_a_sentence(master):
    wrong = Api().post("log-in/", {"name": "Wren", "password": "wrong"})
    assert (wrong.status_code, wrong.json()["detail"]) == (422, "Wrong name or password.")
    assert ApiToken.objects.count() == 0
    for token in ("x" * 22, "short", "x" * 500, "ä"):
        answer = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_wrong_tokens_are_limited(db, monkeypatch):
    few = rate_limits.Rate(3, 10)
    monkeypatch.setattr(rate_limits, "TOKENS", rate_limits.Limit("few", "wrong tokens", few, few, few))
    answers = [Api("x").get("me/").status_code for _ in range(4)]
    assert answers == [401, 401, 401, 429]


def test_log_in_with_a_personal_link(master, wrens_guest):
    link = services.issue_link(wrens_guest, by=Who.of(master))
    api = Api.log_in(personal_link=f"http://localhost{link.get_absolute_url()}")
    me = api.get("me/").json()
    assert (me["name"], me["came_by"], me["log_in_name"]) == ("Pip", "link", None)
    assert Api().post("log-in/", {"personal_link": "x" * 22}).status_code == 404
    services.issue_link(wrens_guest, by=Who.of(master))
    assert api.get("me/").status_code == 401, "a new link ends what came in by the old one"


def test_log_in_does_not_touch_the_session_of_the_browser(master, player):
    browser = player.client
    before = browser.cookies["companion_session"].value
    answer = browser.post("/api/v1/log-in/", {"name": "Wren", "password": PASSWORD}, content_type="application/json")
    assert answer.status_code == 201
    assert browser.cookies["companion_session"].value == before
    assert browser.get("/api/v1/me/").json()["name"] == "Tam"


def test_log_out_ends_the_token(wren):
    assert wren.post("log-out/").status_code == 204
    assert wren.get("me/").status_code == 401
    assert ApiToken.objects.count() == LogIn.objects.filter(browser="API token").count() == 0


def test_tokens_are_listed_made_and_ended(wren, master, stranger):
    made = wren.done("tokens/", {"label": "reader", "scopes": ["read"]})
    assert made["scopes"] == ["read"]
    listed = wren.get("tokens/").json()
    assert [(row["label"], row["is_this_one"]) for row in listed] == [("reader", False), ("", True)]
    assert "token" not in listed[0]
    other = Api.log_in(name="Stoat", password=PASSWORD)
    assert other.delete(f"tokens/{made['id']}/").status_code == 404
    assert wren.delete(f"tokens/{made['id']}/").status_code == 204
    assert Api(made["token"]).get("me/").status_code == 401


def test_scope_outside_the_token_is_refused_and_named(wren):
    reader = Api(wren.done("tokens/", {"scopes": ["read"]})["token"])
    assert reader.get("people/").status_code == 200
    refused = reader.post("people/", {"name": "Pip", "key": "a-fresh-key"})
    assert refused.status_code == 403
    assert "“play”" in refused.json()["detail"]
    assert refused.json()["fresh"] == {"scope": "play"}
    player = Api(wren.done("tokens/", {"scopes": ["play"]})["token"])
    assert player.post("people/", {"name": "Pip", "key": "a-fresh-key"}).status_code == 201
    assert "“run”" in player.post("passes/", {}).json()["detail"]


def test_nobody_gives_away_more_than_they_have():
    assert scopes.clean_scopes(["play"]) == "read play"
    with pytest.raises(Refusal, match="run"):
        scopes.clean_scopes(["run"], frozenset({"read", "play"}))
    with pytest.raises(Refusal, match="surprise"):
        scopes.clean_scopes(["surprise"])


def test_page_makes_shows_and_ends_a_token(master):
    page = master.client.post("/me/tokens/", {"label": "board", "scopes": ["read", "play"]})
    row = ApiToken.objects.get()
    assert row.token in page.content.decode()
    assert row.scopes == "read play"
    assert row.token not in master.client.get("/me/tokens/").content.decode()
    assert Api(row.token).get("me/").json()["log_in_name"] == "wren"
    assert b"board" not in master.client.get("/me/").content, "listed with the tokens, not with the browsers"
    assert master.client.post("/me/tokens/", {"label": "", "scopes": ["read"]}).status_code == 422
    assert master.client.post("/me/tokens/", {"label": "x", "scopes": ["all"]}).status_code == 422
    assert master.client.post(f"/me/tokens/{row.pk}/end/").status_code == 302
    assert ApiToken.objects.count() == 0


def test_token_ends_when_all_others_are_logged_out(wren, master):
    master.client.post("/me/log-ins/end-others/")
    assert wren.get("me/").status_code == 401


def test_changing_the_password_keeps_this_token_and_ends_the_others(wren, master):
    other = Api.log_in(name="Wren", password=PASSWORD)
    assert wren.post("me/password/", {"old": "no", "password": "thistles and rye"}).status_code == 422
    assert wren.post("me/password/", {"old": PASSWORD, "password": "thistles and rye"}).status_code == 204
    assert wren.get("me/").json()["log_in_name"] == "wren"
    assert other.get("me/").status_code == 401
    assert wren.post("me/link/").status_code == 201
    assert wren.get("me/link/").json()["address"].startswith("http")


def test_sign_up_and_first_owner(db, settings):
    owner = Api(Api().done("first-owner/", {"name": "Maud", "password": PASSWORD})["token"])
    assert owner.get("me/").json()["is_owner"] is True
    assert Api().post("first-owner/", {"name": "Mole", "password": PASSWORD}).status_code == 409
    invitation = owner.done("passes/", {"label": "for Tam"})["address"]
    settings.SIGN_UP = "invite"
    assert Api().post("sign-up/", {"name": "Tam", "password": PASSWORD}).status_code == 403
    tam = Api(Api().done("sign-up/", {"name": "Tam", "password": PASSWORD, "invitation": invitation})["token"])
    assert tam.get("me/").json()["name"] == "Tam"
    assert Api().post("sign-up/", {"name": "Tam", "password": PASSWORD, "invitation": invitation}).status_code == 422


def test_newcomer_joins_a_campaign_with_a_name(master):
    war = found_campaign(Who.of(master), key="a-war-here", name="The War of the Cheese")
    link = create_invitation(war, Who.of(master), label="").get_absolute_url()
    seen = Api().done("links/look/", {"link": link})
    assert (seen["kind"], seen["needs_name"], seen["needs_password"]) == ("join_campaign", True, False)
    assert Api().post("links/accept/", {"link": link}).status_code == 403
    done = Api().done("links/accept/", {"link": link, "name": "Pip"})
    assert done["api"] == f"/api/v1/campaigns/{war.code}/"
    pip = Api(done["new_token"]["token"])
    assert pip.get(done["api"]).json()["name"] == war.name
    assert "already in" in Api().post("links/accept/", {"link": link, "name": "pip"}).json()["detail"]
    tam = pip.done("links/accept/", {"link": link})
    assert tam["new_token"] is None


def test_guest_claims_themselves_with_a_new_account(wren, wrens_guest):
    link = wren.done(f"people/{wrens_guest.code}/claim/")["address"]
    done = Api().done("links/accept/", {"link": link, "name": "Pip", "password": PASSWORD})
    pip = Api(done["new_token"]["token"])
    assert pip.get("me/").json()["code"] == wrens_guest.code
    assert Api().post("links/accept/", {"link": link, "name": "Pip", "password": PASSWORD}).status_code == 410


def test_account_claims_a_guest(wren, wrens_guest, player):
    link = wren.done(f"people/{wrens_guest.code}/claim/")["address"]
    tam = Api.log_in(name="Tam", password=PASSWORD)
    assert tam.done("links/accept/", {"link": link})["new_token"] is None
    wrens_guest.refresh_from_db()
    assert wrens_guest.merged_into_id == player.pk
    assert tam.post(f"people/{wrens_guest.code}/unmerge/").status_code == 200
    wrens_guest.refresh_from_db()
    assert wrens_guest.merged_into_id is None


def test_guest_is_handed_over_and_password_reset(wren, wrens_guest, player, owner):
    link = wren.done(f"people/{wrens_guest.code}/hand-on/")["address"]
    tam = Api.log_in(name="Tam", password=PASSWORD)
    assert tam.done("links/accept/", {"link": link})["api"] == f"/api/v1/people/{wrens_guest.code}/"
    maud = Api.log_in(name="Maud", password=PASSWORD)
    reset = maud.done(f"people/{player.code}/reset/")["address"]
    assert Api().done("links/look/", {"link": reset})["needs_password"] is True
    new = Api().done("links/accept/", {"link": reset, "password": "thistles and rye"})["new_token"]
    assert tam.get("me/").status_code == 401
    assert Api(new["token"]).get("me/").json()["name"] == "Tam"


def test_merging_two_guests_and_forgetting_one(wren, wrens_guest, master):
    other = guests_services.add_guest(Who.of(master), "Pippin")
    assert wren.post(f"people/{wrens_guest.code}/merge/", {"into": "nobody"}).status_code == 404
    assert wren.done(f"people/{wrens_guest.code}/merge/", {"into": other.code})["code"] == other.code
    assert wren.post(f"people/{other.code}/forget/", {"name": "Someone else"}).status_code == 422
    assert wren.post(f"people/{other.code}/forget/", {"name": "Pippin"}).status_code == 204
    assert Person.objects.get(pk=other.pk).is_forgotten


def test_guest_creates_their_account(master, wrens_guest):
    link = services.issue_link(wrens_guest, by=Who.of(master)).get_absolute_url()
    guest = Api.log_in(personal_link=link)
    made = guest.done("me/account/", {"name": "Pip", "password": PASSWORD})
    assert guest.get("me/").status_code == 401
    assert Api(made["token"]).get("me/").json()["log_in_name"] == "pip"
    assert Api(made["token"]).post("me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 409


def test_own_data_and_being_forgotten(wren, master):
    data = wren.get("me/data/").json()
    assert data["account"]["log_in_name"] == "wren"
    assert [row["scopes"] for row in data["api_tokens"]] == ["read play run"]
    assert wren.post("me/forget/", {"name": "Mole"}).status_code == 422
    assert wren.post("me/forget/", {"name": "wren"}).status_code == 204
    assert wren.get("me/").status_code == 401
    assert Person.objects.get(pk=master.pk).is_forgotten


def test_mail_help_and_log_ins(wren, master, settings):
    assert wren.get("me/mail/").status_code == 404
    settings.EMAIL_HOST = "mail.example.org"
    assert wren.put("me/mail/", {"mail": "wren@example.org"}).json() == {"mail": "wren@example.org"}
    assert wren.get("me/mail/").json() == {"mail": "wren@example.org"}
    assert wren.put("me/help/", {"masters": True}).json() == {"masters": True, "inviter": False}
    assert wren.get("me/help/").json()["masters"] is True
    browsers = wren.get("me/log-ins/").json()
    assert [row["is_this_one"] for row in browsers] == [False]
    assert wren.delete(f"me/log-ins/{browsers[0]['id']}/").status_code == 204
    assert master.client.get("/me/").status_code == 302
    assert wren.delete("me/log-ins/").status_code == 204
    assert wren.get("me/").status_code == 200


def test_stream_of_news_takes_a_token(wren, master, stranger):
    """In tests there is no stream; whoever may not watch is told that there is nothing."""
    war = found_campaign(Who.of(master), key="a-war-here", name="The War of the Cheese")
    live = wren.get(f"campaigns/{war.code}/").json()["live"]
    assert wren.get(live).status_code == 503
    assert Api.log_in(name="Stoat", password=PASSWORD).get(live).status_code == 404
    assert Api("x" * 22).get(live).status_code == 404


def test_empty_token_holds_the_slip_it_was_given(db):
    bare = Api(Api().done("log-in/", {})["token"])
    assert bare.get("me/").status_code == 403
    assert ApiToken.objects.get().log_in_id is None


def test_lists_go_on_by_cursor_and_are_filtered(wren, master):
    for number in range(5):
        guests_services.add_guest(Who.of(master), f"Friend {number}")
    first = wren.get("people/", {"limit": 2, "name": "friend"})
    assert [row["name"] for row in first.json()] == ["Friend 0", "Friend 1"]
    address = first.headers["Link"].split(">")[0].lstrip("<").partition("/api/v1/")[2]
    assert [row["name"] for row in wren.get(f"/api/v1/{address}").json()] == ["Friend 2", "Friend 3"]
    sign_up_claim_and_reset_links.create_invitation(Who.of(master), "one")
    assert wren.get("passes/", {"kind": "claim"}).json() == []
    assert wren.get("passes/", {"cursor": "%%%"}).status_code == 422


def test_log_in_gives_no_more_than_the_token_that_asks(wren):
    """What the old token holds goes along, so the new one can do no more with it."""
    player = Api(wren.done("tokens/", {"scopes": ["read", "play"]})["token"])
    assert player.done("log-in/", {})["scopes"] == ["read", "play"]
    assert player.done("log-in/", {"name": "Wren", "password": PASSWORD})["scopes"] == ["read", "play"]
    refused = player.post("log-in/", {"scopes": ["read", "run"]})
    assert refused.status_code == 403
    assert "cannot give it away" in refused.json()["detail"]
    assert Api().done("log-in/", {})["scopes"] == ["read", "play", "run"]
