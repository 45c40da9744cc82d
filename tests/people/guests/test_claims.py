"""Claim links: guests take over their own record."""

from __future__ import annotations

import pytest
from django.test import Client

from log import services as log_services
from log.models import Entry
from people import guests as guests_services, merging
from people.models import Pass, Person
from people.passes import sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, get_known_name, open_pass


@pytest.fixture
def claim(master, wrens_guest) -> Pass:
    master.client.post(f"/people/{wrens_guest.code}/claim/")
    return Pass.objects.get(kind="claim")


@pytest.fixture
def played(wrens_guest) -> Entry:
    """Something already entered for the wrens_guest."""
    log = log_services.create_log("test")
    return Entry.objects.create(log=log, number=99, act="note", actor=wrens_guest, played_on="2026-05-01")


def test_a_newcomer_claims_with_a_new_account(claim, wrens_guest, played, nobody):
    clean = open_pass(nobody, claim)
    page = nobody.get(clean).text
    assert "Pip" in page
    assert "Wren" in page
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 302
    wrens_guest.refresh_from_db()
    assert wrens_guest.account.username == "pip"
    assert get_known_name(nobody) == "Pip"
    assert played.actor == wrens_guest


def test_account_holder_claims_a_guest(claim, wrens_guest, played, player):
    clean = open_pass(player.client, claim)
    assert "Tam" in player.client.get(clean).text
    assert player.client.post(clean).status_code == 302
    player = Person.objects.get(pk=player.pk)
    assert Entry.objects.filter(actor__in=player.all_ids()).get() == played
    assert Person.objects.get(pk=wrens_guest.pk).root == player
    assert who_is_name(player) == "Tam"


def who_is_name(person: Person) -> str:
    return person.root.name


def test_a_claim_works_once(claim, player, nobody):
    player.client.post(open_pass(player.client, claim))
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_only_one_claim_is_open_at_a_time(claim, master, wrens_guest, nobody):
    master.client.post(f"/people/{wrens_guest.code}/claim/")
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_claim_can_be_undone_by_the_keeper(claim, wrens_guest, stranger, master, player):
    stranger.client.post(open_pass(stranger.client, claim))
    assert "Merged into" in master.client.get(wrens_guest.get_absolute_url()).text
    assert player.client.post(f"/people/{wrens_guest.code}/unmerge/").status_code == 404
    assert master.client.post(f"/people/{wrens_guest.code}/unmerge/").status_code == 302
    wrens_guest.refresh_from_db()
    assert wrens_guest.merged_into is None
    assert wrens_guest.keeper == master


def test_claim_can_be_undone_by_the_claimant(claim, wrens_guest, player):
    player.client.post(open_pass(player.client, claim))
    page = player.client.get("/me/").text
    assert "Also known as" in page
    assert player.client.post(f"/people/{wrens_guest.code}/unmerge/").status_code == 302
    assert Person.objects.get(pk=wrens_guest.pk).root == wrens_guest


def test_keepers_link_stops_after_a_claim(claim, wrens_guest, player, master, by_link):
    phone = by_link(wrens_guest, by=master)
    player.client.post(open_pass(player.client, claim))
    assert get_known_name(phone) is None, "whoever holds the keeper's link does not become the account's owner"
    wrens_guest.refresh_from_db()
    phone.get(wrens_guest.personal_link.get_absolute_url())
    assert phone.post("/p/").status_code == 410
    merging.unmerge_person(wrens_guest, by=Who.of(master))
    phone.get(wrens_guest.personal_link.get_absolute_url())
    assert phone.post("/p/").status_code == 410
    master.client.post(f"/people/{wrens_guest.code}/link/")
    phone.get(Person.objects.get(pk=wrens_guest.pk).personal_link.get_absolute_url())
    assert phone.post("/p/").status_code == 302
    assert get_known_name(phone) == "Pip"


def test_claim_links_are_only_for_your_guests_without_an_account(master, player, wrens_guest):
    for who, person in ((player, wrens_guest), (master, player), (master, master)):
        with pytest.raises(Refusal):
            sign_up_claim_and_reset_links.create_claim_link(Who.of(who), person)


def test_claim_of_an_account_holder_does_not_work(claim, wrens_guest, nobody, django_user_model):
    wrens_guest.account = django_user_model.objects.create_user("pip")
    wrens_guest.save()
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_claiming_yourself_is_refused(master, player):
    mine = guests_services.add_guest(Who.of(master), "Me at the club")
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(master), mine)
    merging.merge_people(mine, into=master, by=Who.of(master))
    assert master.client.get(open_pass(master.client, row)).status_code == 410, "joined to an account by now"


def test_a_closed_site_still_lets_accounts_claim(claim, settings, nobody, player):
    settings.SIGN_UP = "closed"
    clean = open_pass(nobody, claim)
    assert "closed to new accounts" in nobody.get(clean).text
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 422
    assert player.client.post(open_pass(player.client, claim)).status_code == 302


def test_refused_name_does_not_use_the_claim_up(claim, nobody):
    clean = open_pass(nobody, claim)
    assert nobody.post(clean, {"name": "WREN", "password": PASSWORD}).status_code == 422
    claim.refresh_from_db()
    assert claim.uses_left == 1
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 302


def test_guest_claims_themselves_with_a_new_account(claim, wrens_guest, master, by_link):
    phone = by_link(wrens_guest, by=master)
    assert phone.post(open_pass(phone, claim), {"name": "Pip", "password": PASSWORD}).status_code == 302
    wrens_guest.refresh_from_db()
    assert wrens_guest.account is not None
    assert get_known_name(phone) == "Pip"
    assert Client().post("/log-in/", {"name": "Pip", "password": PASSWORD}).status_code == 302
