"""The admin: lists without secrets, and the site's own log-in page."""

from __future__ import annotations

import pytest

from people.models import Pass, PersonalLink
from people.passes import services, sign_up_claim_and_reset_links
from people.requester import Who
from tests.people.conftest import get_known_name


@pytest.fixture
def books(owner, master, wrens_guest):
    link = services.issue_link(wrens_guest, by=Who.of(master))
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(master), wrens_guest)
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


def test_links_can_be_revoked(books):
    client, _, row = books
    data = {"action": "revoke_selected", "_selected_action": [row.pk]}
    assert client.post("/admin/people/pass/", data).status_code == 302
    assert Pass.objects.get(pk=row.pk).revoked_at is not None


def test_admin_cannot_add_or_change_links(books):
    client, _, _ = books
    for path in ("person", "login", "personallink", "pass"):
        assert client.get(f"/admin/people/{path}/add/").status_code == 403


def test_a_deleted_link_ends_its_log_ins(books, nobody):
    client, link, _ = books
    nobody.get(link.get_absolute_url())
    nobody.post("/p/")
    assert get_known_name(nobody) == "Pip"
    client.post(f"/admin/people/personallink/{link.pk}/delete/", {"post": "yes"})
    assert not PersonalLink.objects.filter(pk=link.pk).exists()
    assert get_known_name(nobody) is None


def test_admin_uses_the_log_in_page_of_the_site(nobody, master):
    response = nobody.get("/admin/", follow=True)
    assert response.request["PATH_INFO"] == "/log-in/"
    assert nobody.post("/admin/login/", {"username": "wren", "password": "cheese-and-thyme"}).status_code == 302
    assert get_known_name(nobody) is None
    refused = master.client.get("/admin/", follow=True)
    assert refused.status_code == 403
    assert "Only an owner" in refused.text


def test_password_set_in_the_admin_ends_older_links(owner, player, by_link):
    phone = by_link(player, by=player)
    link = PersonalLink.objects.get(person=player)
    assert link.ended_at is None
    data = {"password1": "another-good-cheese", "password2": "another-good-cheese", "usable_password": "true"}
    assert owner.client.post(f"/admin/auth/user/{player.account.pk}/password/", data).status_code == 302
    assert PersonalLink.objects.get(person=player).ended_at is not None
    assert not player.log_ins.exists()
    assert get_known_name(phone) is None
