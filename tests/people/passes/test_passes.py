"""Passes: opening, accepting, listing and revoking them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from people.models import Pass, Person
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import get_known_name, open_pass


@pytest.fixture
def seat_pass(master, seat) -> Pass:
    return passes_services.create_pass(seat, 7, by=Who.of(master), label="Seat 3")


def test_opening_a_pass_only_asks(seat_pass, nobody):
    clean = open_pass(nobody, seat_pass)
    page = nobody.get(clean)
    assert "Sit down at table 7." in page.text
    assert seat_pass.token not in page.text
    seat_pass.refresh_from_db()
    assert (seat_pass.uses_left, seat_pass.used_at) == (1, None)
    assert nobody.post(clean).status_code == 302
    seat_pass.refresh_from_db()
    assert seat_pass.uses_left == 0
    assert seat_pass.used_at is not None


def test_pass_page_is_404_in_another_browser(seat_pass, nobody):
    clean = open_pass(nobody, seat_pass)
    assert Client().get(clean).status_code == 404
    assert Client().post(clean).status_code == 404


def test_accepting_a_held_pass_again_uses_nothing_up(seat_pass, nobody):
    clean = open_pass(nobody, seat_pass)
    nobody.post(clean)
    assert nobody.post(clean).status_code == 302
    seat_pass.refresh_from_db()
    assert seat_pass.uses_left == 0
    second = Client()
    assert second.get(open_pass(second, seat_pass)).status_code == 410


def test_revoked_pass_is_no_longer_held(seat_pass, nobody, master):
    clean = open_pass(nobody, seat_pass)
    nobody.post(clean)
    assert master.client.post(f"/invitations/{seat_pass.pk}/revoke/").status_code == 302
    response = nobody.get(clean)
    assert response.status_code == 410
    assert "was revoked" in response.text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"revoked_at": dt.datetime(2025, 1, 1, tzinfo=dt.UTC)}, "was revoked"),
        ({"expires_at": dt.datetime(2025, 1, 1, tzinfo=dt.UTC)}, "has expired"),
        ({"uses_left": 0}, "already been used"),
        ({"kind": "no_such_kind"}, "no longer exists"),
    ],
)
def test_dead_pass_says_why(seat_pass, nobody, change, sentence):
    clean = open_pass(nobody, seat_pass)
    Pass.objects.filter(pk=seat_pass.pk).update(**change)
    for response in (nobody.get(clean), nobody.post(clean)):
        assert response.status_code == 410
        assert sentence in response.text
        assert 'href="/"' in response.text


def test_pass_expires_while_its_page_is_open(seat_pass, nobody, time_passes):
    clean = open_pass(nobody, seat_pass)
    assert nobody.get(clean).status_code == 200
    time_passes(days=15)
    assert nobody.post(clean).status_code == 410


def test_pass_to_a_deleted_target_says_so(nobody, master):
    passes_services.register_kind("gone", "Gone", prompt=lambda row, who: None, belongs_to="game")
    row = passes_services.create_pass("gone", 1, by=Who.of(master))
    assert nobody.get(open_pass(nobody, row)).status_code == 410
    passes_services._kinds.pop("gone")


def test_refused_action_does_not_use_the_pass_up(master, nobody):
    def refuse(row, request):
        raise Refusal("The table is full.", status=409)

    passes_services.register_kind(
        "full",
        "Full",
        prompt=lambda row, who: passes_services.PassPrompt("Sit down."),
        on_accept=refuse,
        belongs_to="game",
    )
    row = passes_services.create_pass("full", 1, by=Who.of(master))
    assert nobody.post(open_pass(nobody, row)).status_code == 409
    row.refresh_from_db()
    assert row.uses_left == 1
    passes_services._kinds.pop("full")


def test_pass_can_have_several_or_unlimited_uses(master, seat):
    thrice = passes_services.create_pass(seat, 7, by=Who.of(master), uses=3)
    always = passes_services.create_pass(seat, 8, by=Who.of(master), uses=None, lasts=None)
    answers = []
    for _ in range(4):
        client = Client()
        client.post(open_pass(client, always))
        answers.append(client.post(open_pass(client, thrice)).status_code)
    assert answers == [302, 302, 302, 410]
    always.refresh_from_db()
    assert always.uses_left is None


def test_list_shows_only_your_own_links(seat_pass, master, stranger):
    page = master.client.get("/invitations/")
    assert "Seat 3" in page.text
    assert seat_pass.token not in page.text
    assert "Seat 3" not in stranger.client.get("/invitations/").text
    for path in (f"/invitations/{seat_pass.pk}/", f"/invitations/{seat_pass.pk}/revoke/"):
        assert stranger.client.post(path).status_code in (404, 405)
    assert stranger.client.get(f"/invitations/{seat_pass.pk}/").status_code == 404
    seat_pass.refresh_from_db()
    assert seat_pass.revoked_at is None


def test_pass_page_shows_the_link_while_it_is_open(seat_pass, master):
    page = master.client.get(f"/invitations/{seat_pass.pk}/")
    assert seat_pass.get_absolute_url() in page.text
    passes_services.revoke_pass(seat_pass)
    page = master.client.get(f"/invitations/{seat_pass.pk}/")
    assert seat_pass.token not in page.text
    assert "was revoked" in page.text


def test_newcomer_joins_with_a_name_and_gets_a_personal_link(join, master, nobody):
    row = passes_services.create_pass("join", 1, by=Who.of(master), uses=None)
    clean = open_pass(nobody, row)
    page = nobody.get(clean).text
    assert "Just enter your name" in page
    assert nobody.post(clean).status_code == 403, "someone without a name cannot join"
    assert nobody.post(f"{clean}by-name/", {"name": "  "}).status_code == 422
    assert nobody.post(f"{clean}by-name/", {"name": "Bramble 🐭"}).status_code == 302
    assert join == ["Bramble 🐭"]
    newcomer = Person.objects.get(name="Bramble 🐭")
    assert newcomer.keeper == master
    assert newcomer.account is None
    second_phone = Client()
    second_phone.get(newcomer.personal_link.get_absolute_url())
    second_phone.post("/p/")
    assert get_known_name(second_phone) == "Bramble 🐭"


def test_known_person_joins_as_themselves(join, master, player):
    clean = open_pass(player.client, passes_services.create_pass("join", 1, by=Who.of(master)))
    assert player.client.post(f"{clean}by-name/", {"name": "Twin"}).status_code == 404
    assert player.client.post(clean).status_code == 302
    assert join == ["Tam"]
    assert not Person.objects.filter(name="Twin").exists()


def test_invitation_survives_logging_in(join, master, player, nobody):
    clean = open_pass(nobody, passes_services.create_pass("join", 1, by=Who.of(master)))
    response = nobody.post("/log-in/", {"name": "tam", "password": "cheese-and-thyme", "next": clean})
    assert response["Location"] == clean
    assert nobody.post(clean).status_code == 302
    assert join == ["Tam"]


def test_invitation_survives_opening_a_personal_link(join, master, player, wrens_guest, by_link):
    from people.passes import services

    client = player.client
    clean = open_pass(client, passes_services.create_pass("join", 1, by=Who.of(master)))
    client.get(services.issue_link(wrens_guest, by=Who.of(master)).get_absolute_url())
    client.post("/p/")
    assert client.post(clean).status_code == 302
    assert join == ["Pip"]


def test_open_invitation_is_listed_on_the_home_page(join, master, player):
    from pages.home_items import collect_items

    clean = open_pass(player.client, passes_services.create_pass("join", 1, by=Who.of(master)))
    request = player.client.get("/people/").wsgi_request
    rows = [move for move in collect_items(request).me if move.url == clean]
    assert [move.text for move in rows] == ["You are invited to the War of the Cheese."]


def test_pass_kind_must_be_registered(master):
    with pytest.raises(KeyError):
        passes_services.create_pass("no_such_kind", 1, by=Who.of(master))


def test_label_is_cleaned_and_cut(master, seat):
    row = passes_services.create_pass(seat, 1, by=Who.of(master), label="a\x00b\u202e" + "x" * 500)
    assert row.label == ("a b" + "x" * 500)[:200]


def test_site_invitation_is_refused_to_account_holders(master, player):
    row = sign_up_claim_and_reset_links.create_invitation(Who.of(master))
    response = player.client.get(open_pass(player.client, row))
    assert response.status_code == 409
    row.refresh_from_db()
    assert row.uses_left == 1


def test_inviting_needs_a_password(master, wrens_guest, by_link):
    client = by_link(wrens_guest, by=master)
    assert client.post("/invitations/", {"label": ""}).status_code == 403
    assert not Pass.objects.exists()
