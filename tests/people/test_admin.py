"""The owner's books: useful lists, no secret in them, no door of their own."""

from __future__ import annotations

import pytest

from people import kinds, links
from people.models import Pass, PersonalLink
from people.who import Who
from tests.people.conftest import who_is


@pytest.fixture
def books(owner, master, friend):
    link = links.issue(friend, by=Who.of(master))
    row = kinds.claim_link(Who.of(master), friend)
    return owner.client, link, row


def test_every_list_and_page_opens_and_shows_no_secret(books, owner):
    client, link, row = books
    paths = ["/admin/", "/admin/people/person/", f"/admin/people/person/{owner.pk}/change/", "/admin/people/login/"]
    paths += ["/admin/people/personallink/", f"/admin/people/personallink/{link.pk}/change/"]
    paths += ["/admin/people/pass/", f"/admin/people/pass/{row.pk}/change/", "/admin/people/person/?account=no&q=pip"]
    for path in paths:
        response = client.get(path)
        assert response.status_code == 200, path
        for secret in (link.token, link.seed, link.token_hash, row.token, row.seed, row.token_hash):
            assert secret not in response.text, path


def test_links_can_be_taken_back(books):
    client, _, row = books
    data = {"action": "take_back", "_selected_action": [row.pk]}
    assert client.post("/admin/people/pass/", data).status_code == 302
    assert Pass.objects.get(pk=row.pk).revoked_at is not None


def test_nothing_is_made_by_hand(books):
    client, _, _ = books
    for path in ("person", "login", "personallink", "pass"):
        assert client.get(f"/admin/people/{path}/add/").status_code == 403


def test_a_deleted_link_ends_its_log_ins(books, nobody):
    client, link, _ = books
    nobody.get(link.get_absolute_url())
    nobody.post("/p/")
    assert who_is(nobody) == "Pip"
    client.post(f"/admin/people/personallink/{link.pk}/delete/", {"post": "yes"})
    assert not PersonalLink.objects.filter(pk=link.pk).exists()
    assert who_is(nobody) is None


def test_the_admin_has_no_door_of_its_own(nobody, master):
    response = nobody.get("/admin/", follow=True)
    assert response.request["PATH_INFO"] == "/log-in/"
    assert nobody.post("/admin/login/", {"username": "wren", "password": "cheese-and-thyme"}).status_code == 302
    assert who_is(nobody) is None
    refused = master.client.get("/admin/", follow=True)
    assert refused.status_code == 403
    assert "Only an owner" in refused.text
