"""Claiming the Person one has been written down as."""

from __future__ import annotations

import pytest
from django.test import Client

from log import door
from log.models import Entry
from people import keeping, kinds, merging
from people.models import Pass, Person
from people.who import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, open_pass, who_is


@pytest.fixture
def claim(master, friend) -> Pass:
    master.client.post(f"/people/{friend.code}/claim/")
    return Pass.objects.get(kind="claim")


@pytest.fixture
def played(friend) -> Entry:
    """Something already entered for the friend."""
    log = door.open_log("test")
    return Entry.objects.create(log=log, number=99, act="note", actor=friend, played_on="2026-05-01")


def test_a_newcomer_claims_with_a_new_account(claim, friend, played, nobody):
    clean = open_pass(nobody, claim)
    page = nobody.get(clean).text
    assert "Pip" in page
    assert "Wren" in page
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 302
    friend.refresh_from_db()
    assert friend.account.username == "pip"
    assert who_is(nobody) == "Pip"
    assert played.actor == friend


def test_someone_with_an_account_joins_it_and_keeps_everything(claim, friend, played, player):
    clean = open_pass(player.client, claim)
    assert "Tam" in player.client.get(clean).text
    assert player.client.post(clean).status_code == 302
    player = Person.objects.get(pk=player.pk)
    assert Entry.objects.filter(actor__in=player.all_ids()).get() == played
    assert Person.objects.get(pk=friend.pk).root == player
    assert who_is_name(player) == "Tam"


def who_is_name(person: Person) -> str:
    return person.root.name


def test_a_claim_works_once(claim, player, nobody):
    player.client.post(open_pass(player.client, claim))
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_only_one_claim_is_open_at_a_time(claim, master, friend, nobody):
    master.client.post(f"/people/{friend.code}/claim/")
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_a_wrong_claim_can_be_undone_by_whoever_keeps_them(claim, friend, stranger, master, player):
    stranger.client.post(open_pass(stranger.client, claim))
    assert "Turned out to be" in master.client.get(friend.get_absolute_url()).text
    assert player.client.post(f"/people/{friend.code}/unmerge/").status_code == 404
    assert master.client.post(f"/people/{friend.code}/unmerge/").status_code == 302
    friend.refresh_from_db()
    assert friend.merged_into is None
    assert friend.keeper == master


def test_and_by_the_claimant_on_their_own_page(claim, friend, player):
    player.client.post(open_pass(player.client, claim))
    page = player.client.get("/me/").text
    assert "Also written down as" in page
    assert player.client.post(f"/people/{friend.code}/unmerge/").status_code == 302
    assert Person.objects.get(pk=friend.pk).root == friend


def test_the_keepers_link_no_longer_opens_a_claimed_one(claim, friend, player, master, by_link):
    phone = by_link(friend, by=master)
    player.client.post(open_pass(player.client, claim))
    assert who_is(phone) is None, "whoever holds the keeper's link does not become the account's owner"
    friend.refresh_from_db()
    phone.get(friend.personal_link.get_absolute_url())
    assert phone.post("/p/").status_code == 410
    merging.unmerge(friend, by=Who.of(master))
    phone.get(friend.personal_link.get_absolute_url())
    assert phone.post("/p/").status_code == 302
    assert who_is(phone) == "Pip"


def test_a_claim_is_made_only_for_people_one_keeps_without_an_account(master, player, friend):
    for who, person in ((player, friend), (master, player), (master, master)):
        with pytest.raises(Refusal):
            kinds.claim_link(Who.of(who), person)


def test_a_claim_of_someone_who_got_an_account_meanwhile_is_dead(claim, friend, nobody, django_user_model):
    friend.account = django_user_model.objects.create_user("pip")
    friend.save()
    assert nobody.get(open_pass(nobody, claim)).status_code == 410


def test_ones_own_claim_is_refused(master, player):
    mine = keeping.add(Who.of(master), "Me at the club")
    row = kinds.claim_link(Who.of(master), mine)
    merging.merge(mine, into=master, by=Who.of(master))
    assert master.client.get(open_pass(master.client, row)).status_code == 410, "joined to an account by now"


def test_a_closed_site_still_lets_accounts_claim(claim, settings, nobody, player):
    settings.SIGN_UP = "closed"
    clean = open_pass(nobody, claim)
    assert "takes no new accounts" in nobody.get(clean).text
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 422
    assert player.client.post(open_pass(player.client, claim)).status_code == 302


def test_a_refused_name_does_not_use_the_claim_up(claim, nobody):
    clean = open_pass(nobody, claim)
    assert nobody.post(clean, {"name": "WREN", "password": PASSWORD}).status_code == 422
    claim.refresh_from_db()
    assert claim.uses_left == 1
    assert nobody.post(clean, {"name": "Pip", "password": PASSWORD}).status_code == 302


def test_by_the_personal_link_of_the_claimed_one_an_account_is_made_for_them(claim, friend, master, by_link):
    phone = by_link(friend, by=master)
    assert phone.post(open_pass(phone, claim), {"name": "Pip", "password": PASSWORD}).status_code == 302
    friend.refresh_from_db()
    assert friend.account is not None
    assert who_is(phone) == "Pip"
    assert Client().post("/log-in/", {"name": "Pip", "password": PASSWORD}).status_code == 302
