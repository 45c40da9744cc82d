"""Takeover links: someone else becomes the keeper of a guest."""

from __future__ import annotations

import pytest

from people import guests as guests_services, privacy
from people.models import Pass, Person
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import open_pass


@pytest.fixture
def link(master, wrens_guest) -> Pass:
    master.client.post(f"/people/{wrens_guest.code}/hand-on/")
    return Pass.objects.get(kind=sign_up_claim_and_reset_links.TAKEOVER)


def keeper_of(wrens_guest: Person) -> Person | None:
    return Person.objects.get(pk=wrens_guest.pk).keeper


def test_accepting_the_link_makes_a_new_keeper(link, master, wrens_guest, player):
    clean = open_pass(player.client, link)
    page = player.client.get(clean).text
    assert "Wren" in page
    assert "asks you to look after" in page
    assert keeper_of(wrens_guest) == master, "opening it does nothing"
    assert player.client.post(clean)["Location"] == wrens_guest.get_absolute_url()
    assert keeper_of(wrens_guest) == player
    assert "Your guest, without an account" in player.client.get(wrens_guest.get_absolute_url()).text
    assert master.client.post(f"/people/{wrens_guest.code}/rename/", {"name": "Mine"}).status_code in (403, 404)
    assert player.client.post(f"/people/{wrens_guest.code}/rename/", {"name": "Pip the Bold"}).status_code == 302


def test_takeover_link_works_once_and_can_be_replaced(link, master, wrens_guest, player, other_player):
    newer = sign_up_claim_and_reset_links.create_takeover_link(Who.of(master), wrens_guest)
    assert player.client.get(open_pass(player.client, link)).status_code == 410
    assert player.client.post(open_pass(player.client, newer)).status_code == 302
    assert other_player.client.get(open_pass(other_player.client, newer)).status_code == 410


def test_stranger_logs_in_before_taking_over(link, wrens_guest, master, nobody):
    clean = open_pass(nobody, link)
    assert "/log-in/?next=" in nobody.get(clean).text
    assert nobody.post(clean).status_code == 403
    assert keeper_of(wrens_guest) == master
    assert Pass.objects.get(pk=link.pk).uses_left == 1


def test_link_of_a_former_keeper_does_not_work(link, master, wrens_guest, player, other_player):
    claim = sign_up_claim_and_reset_links.create_claim_link(Who.of(master), wrens_guest)
    Person.objects.filter(pk=wrens_guest.pk).update(keeper=other_player)
    assert player.client.get(open_pass(player.client, link)).status_code == 410
    Person.objects.filter(pk=wrens_guest.pk).update(keeper=master)
    player.client.post(open_pass(player.client, link))
    assert passes_services.state_of(Pass.objects.get(pk=claim.pk)) == "revoked"


def test_guest_cannot_be_handed_to_themselves_or_their_keeper(link, master, wrens_guest, by_link):
    phone = by_link(wrens_guest, by=master)
    assert "This is you" in phone.post(open_pass(phone, link)).text
    assert "already" in master.client.post(open_pass(master.client, link)).text
    with pytest.raises(Refusal):
        sign_up_claim_and_reset_links.create_takeover_link(Who.of(wrens_guest), wrens_guest)


def test_owner_hands_over_guests_of_a_forgotten_keeper(master, wrens_guest, player, owner):
    assert "Hand them over first" in master.client.get("/me/forget/").text
    assert owner.client.post(f"/people/{wrens_guest.code}/hand-on/").status_code == 403, (
        "as long as somebody keeps them"
    )
    privacy.forget_person(master, by=Who.of(master))
    assert keeper_of(wrens_guest) is None
    answer = owner.client.post(f"/people/{wrens_guest.code}/hand-on/")
    link = Pass.objects.get(pk=int(answer["Location"].strip("/").split("/")[-1]))
    player.client.post(open_pass(player.client, link))
    assert keeper_of(wrens_guest) == player


def test_guest_limit_applies_to_taking_over(link, player, monkeypatch):
    monkeypatch.setattr(guests_services, "MAX_GUESTS", 0)
    assert player.client.post(open_pass(player.client, link)).status_code == 422
