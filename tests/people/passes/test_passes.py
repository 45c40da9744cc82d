"""Passes: one thing each, listed, revocable; opened, they ask, and act only when told to."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from people import kinds, passes
from people.models import Pass, Person
from people.who import Who
from refusal import Refusal
from tests.people.conftest import open_pass, who_is


@pytest.fixture
def seat_pass(master, seat) -> Pass:
    return passes.make(seat, 7, by=Who.of(master), label="Seat 3")


def test_opening_asks_and_does_nothing(seat_pass, nobody):
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


def test_the_clean_address_is_nothing_to_another_browser(seat_pass, nobody):
    clean = open_pass(nobody, seat_pass)
    assert Client().get(clean).status_code == 404
    assert Client().post(clean).status_code == 404


def test_who_holds_it_keeps_it_and_taking_it_up_again_costs_nothing(seat_pass, nobody):
    clean = open_pass(nobody, seat_pass)
    nobody.post(clean)
    assert nobody.post(clean).status_code == 302
    seat_pass.refresh_from_db()
    assert seat_pass.uses_left == 0
    second = Client()
    assert second.get(open_pass(second, seat_pass)).status_code == 410


def test_a_revoked_pass_is_taken_from_whoever_holds_it(seat_pass, nobody, master):
    clean = open_pass(nobody, seat_pass)
    nobody.post(clean)
    assert master.client.post(f"/invitations/{seat_pass.pk}/revoke/").status_code == 302
    response = nobody.get(clean)
    assert response.status_code == 410
    assert "was taken back" in response.text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"revoked_at": dt.datetime(2025, 1, 1, tzinfo=dt.UTC)}, "was taken back"),
        ({"expires_at": dt.datetime(2025, 1, 1, tzinfo=dt.UTC)}, "has run out"),
        ({"uses_left": 0}, "has been used"),
        ({"kind": "no_such_kind"}, "no longer there"),
    ],
)
def test_a_dead_pass_says_why_and_shows_a_way_on(seat_pass, nobody, change, sentence):
    clean = open_pass(nobody, seat_pass)
    Pass.objects.filter(pk=seat_pass.pk).update(**change)
    for response in (nobody.get(clean), nobody.post(clean)):
        assert response.status_code == 410
        assert sentence in response.text
        assert 'href="/"' in response.text


def test_it_runs_out_while_the_page_is_open(seat_pass, nobody, time_passes):
    clean = open_pass(nobody, seat_pass)
    assert nobody.get(clean).status_code == 200
    time_passes(days=15)
    assert nobody.post(clean).status_code == 410


def test_when_the_thing_is_gone_the_pass_says_so(nobody, master):
    passes.register("gone", "Gone", ask=lambda row, who: None)
    row = passes.make("gone", 1, by=Who.of(master))
    assert nobody.get(open_pass(nobody, row)).status_code == 410
    passes._kinds.pop("gone")


def test_an_act_that_is_refused_does_not_use_the_pass_up(master, nobody):
    def refuse(row, request):
        raise Refusal("The table is full.", status=409)

    passes.register("full", "Full", ask=lambda row, who: passes.Ask("Sit down."), on_accept=refuse)
    row = passes.make("full", 1, by=Who.of(master))
    assert nobody.post(open_pass(nobody, row)).status_code == 409
    row.refresh_from_db()
    assert row.uses_left == 1
    passes._kinds.pop("full")


def test_some_passes_work_several_times_and_some_always(master, seat):
    thrice = passes.make(seat, 7, by=Who.of(master), uses=3)
    always = passes.make(seat, 8, by=Who.of(master), uses=None, lasts=None)
    answers = []
    for _ in range(4):
        client = Client()
        client.post(open_pass(client, always))
        answers.append(client.post(open_pass(client, thrice)).status_code)
    assert answers == [302, 302, 302, 410]
    always.refresh_from_db()
    assert always.uses_left is None


def test_the_list_shows_ones_own_links_only(seat_pass, master, stranger):
    page = master.client.get("/invitations/")
    assert "Seat 3" in page.text
    assert seat_pass.token not in page.text
    assert "Seat 3" not in stranger.client.get("/invitations/").text
    for path in (f"/invitations/{seat_pass.pk}/", f"/invitations/{seat_pass.pk}/revoke/"):
        assert stranger.client.post(path).status_code in (404, 405)
    assert stranger.client.get(f"/invitations/{seat_pass.pk}/").status_code == 404
    seat_pass.refresh_from_db()
    assert seat_pass.revoked_at is None


def test_its_page_shows_the_link_again_while_it_is_open(seat_pass, master):
    page = master.client.get(f"/invitations/{seat_pass.pk}/")
    assert seat_pass.get_absolute_url() in page.text
    passes.revoke(seat_pass)
    page = master.client.get(f"/invitations/{seat_pass.pk}/")
    assert seat_pass.token not in page.text
    assert "was taken back" in page.text


def test_a_newcomer_joins_with_a_name_alone_and_can_come_back(join, master, nobody):
    row = passes.make("join", 1, by=Who.of(master), uses=None)
    clean = open_pass(nobody, row)
    page = nobody.get(clean).text
    assert "A name is enough" in page
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
    assert who_is(second_phone) == "Bramble 🐭"


def test_someone_known_joins_as_who_they_are(join, master, player):
    clean = open_pass(player.client, passes.make("join", 1, by=Who.of(master)))
    assert player.client.post(f"{clean}by-name/", {"name": "Twin"}).status_code == 404
    assert player.client.post(clean).status_code == 302
    assert join == ["Tam"]
    assert not Person.objects.filter(name="Twin").exists()


def test_an_invitation_waits_while_one_logs_in(join, master, player, nobody):
    clean = open_pass(nobody, passes.make("join", 1, by=Who.of(master)))
    response = nobody.post("/log-in/", {"name": "tam", "password": "cheese-and-thyme", "next": clean})
    assert response["Location"] == clean
    assert nobody.post(clean).status_code == 302
    assert join == ["Tam"]


def test_an_invitation_waits_while_a_personal_link_is_opened(join, master, player, friend, by_link):
    from people import links

    client = player.client
    clean = open_pass(client, passes.make("join", 1, by=Who.of(master)))
    client.get(links.issue(friend, by=Who.of(master)).get_absolute_url())
    client.post("/p/")
    assert client.post(clean).status_code == 302
    assert join == ["Pip"]


def test_an_open_invitation_waits_under_your_move(join, master, player):
    from pages.moves import moves_of

    clean = open_pass(player.client, passes.make("join", 1, by=Who.of(master)))
    request = player.client.get("/people/").wsgi_request
    found = [move for move in moves_of(request)["me"] if move.url == clean]
    assert [move.text for move in found] == ["You are invited to the War of the Cheese."]


def test_only_registered_kinds_are_made(master):
    with pytest.raises(KeyError):
        passes.make("no_such_kind", 1, by=Who.of(master))


def test_a_label_is_bounded_and_clean(master, seat):
    row = passes.make(seat, 1, by=Who.of(master), label="a\x00b\u202e" + "x" * 500)
    assert row.label == ("a b" + "x" * 500)[:200]


def test_an_invitation_to_the_site_is_for_who_has_none(master, player):
    row = kinds.invite(Who.of(master))
    response = player.client.get(open_pass(player.client, row))
    assert response.status_code == 409
    row.refresh_from_db()
    assert row.uses_left == 1


def test_a_personal_link_is_not_enough_to_invite(master, friend, by_link):
    client = by_link(friend, by=master)
    assert client.post("/invitations/", {"label": ""}).status_code == 403
    assert not Pass.objects.exists()
