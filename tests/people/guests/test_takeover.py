"""A friend without an account gets another keeper: by a link, and only when that one says yes."""

from __future__ import annotations

import pytest

from people import forgetting, keeping, kinds, passes
from people.models import Pass, Person
from people.who import Who
from refusal import Refusal
from tests.people.conftest import open_pass


@pytest.fixture
def link(master, friend) -> Pass:
    master.client.post(f"/people/{friend.code}/hand-on/")
    return Pass.objects.get(kind=kinds.HAND_ON)


def keeper_of(friend: Person) -> Person | None:
    return Person.objects.get(pk=friend.pk).keeper


def test_the_link_asks_and_a_yes_makes_a_new_keeper(link, master, friend, player):
    clean = open_pass(player.client, link)
    page = player.client.get(clean).text
    assert "Wren" in page
    assert "asks you to look after" in page
    assert keeper_of(friend) == master, "opening it does nothing"
    assert player.client.post(clean)["Location"] == friend.get_absolute_url()
    assert keeper_of(friend) == player
    assert "You look after them" in player.client.get(friend.get_absolute_url()).text
    assert master.client.post(f"/people/{friend.code}/rename/", {"name": "Mine"}).status_code in (403, 404)
    assert player.client.post(f"/people/{friend.code}/rename/", {"name": "Pip the Bold"}).status_code == 302


def test_it_works_once_and_a_new_link_kills_the_old(link, master, friend, player, other_player):
    newer = kinds.hand_on_link(Who.of(master), friend)
    assert player.client.get(open_pass(player.client, link)).status_code == 410
    assert player.client.post(open_pass(player.client, newer)).status_code == 302
    assert other_player.client.get(open_pass(other_player.client, newer)).status_code == 410


def test_a_browser_that_is_nobody_logs_in_first(link, friend, master, nobody):
    clean = open_pass(nobody, link)
    assert "/log-in/?next=" in nobody.get(clean).text
    assert nobody.post(clean).status_code == 403
    assert keeper_of(friend) == master
    assert Pass.objects.get(pk=link.pk).uses_left == 1


def test_the_word_of_a_keeper_who_is_none_any_more_counts_for_nothing(link, master, friend, player, other_player):
    claim = kinds.claim_link(Who.of(master), friend)
    Person.objects.filter(pk=friend.pk).update(keeper=other_player)
    assert player.client.get(open_pass(player.client, link)).status_code == 410
    Person.objects.filter(pk=friend.pk).update(keeper=master)
    player.client.post(open_pass(player.client, link))
    assert passes.state_of(Pass.objects.get(pk=claim.pk)) == "revoked"


def test_nobody_is_handed_to_themselves_or_to_who_has_them(link, master, friend, by_link):
    phone = by_link(friend, by=master)
    assert "This is you" in phone.post(open_pass(phone, link)).text
    assert "already" in master.client.post(open_pass(master.client, link)).text
    with pytest.raises(Refusal):
        kinds.hand_on_link(Who.of(friend), friend)


def test_whom_a_forgotten_keeper_leaves_behind_the_owner_hands_on(master, friend, player, owner):
    assert "Hand them on first" in master.client.get("/me/forget/").text
    assert owner.client.post(f"/people/{friend.code}/hand-on/").status_code == 403, "as long as somebody keeps them"
    forgetting.forget(master, by=Who.of(master))
    assert keeper_of(friend) is None
    answer = owner.client.post(f"/people/{friend.code}/hand-on/")
    link = Pass.objects.get(pk=int(answer["Location"].strip("/").split("/")[-1]))
    player.client.post(open_pass(player.client, link))
    assert keeper_of(friend) == player


def test_one_keeps_no_more_than_one_can(link, player, monkeypatch):
    monkeypatch.setattr(keeping, "KEPT_MOST", 0)
    assert player.client.post(open_pass(player.client, link)).status_code == 422
