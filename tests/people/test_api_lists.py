"""Long lists of the API: quick ways to fetch them give what the plain ways give."""

from __future__ import annotations

import pytest
from django.test import Client

from battles.new_battle.services import create_standalone_battle
from campaign.founding.services import found_campaign
from people import guests as guests
from people.requester import Who

pytestmark = pytest.mark.django_db
COUNT = 7


@pytest.fixture
def who(player) -> Who:
    who = Who.of(player)
    for number in range(COUNT):
        guests.add_guest(who, f"Guest {number % 3}", key=f"list-guest-{number:04}")
        found_campaign(who, key=f"list-campaign-{number}", name=f"War {number}")
        create_standalone_battle(who, key=f"list-battle-{number:04}", scenario="", names=["Oakhold", "Fenwick"])
    return who


def whole_list(client: Client, address: str) -> list[str]:
    """The codes of all pages, two rows each."""
    rows: list[str] = []
    address += "?limit=2"
    while address:
        answer = client.get(address)
        assert answer.status_code == 200, answer.content
        rows += [row["code"] for row in answer.json()]
        address = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
    return rows


@pytest.mark.parametrize(("what", "others"), [("people", 1), ("campaigns", 0), ("battles", 0)])
def test_pages_of_a_list_add_up(player, who, what, others):
    at_once = [row["code"] for row in player.client.get(f"/api/v1/{what}/").json()]
    assert whole_list(player.client, f"/api/v1/{what}/") == at_once
    assert len(set(at_once)) == COUNT + others


@pytest.mark.parametrize("what", ["people", "campaigns", "battles"])
def test_one_reader_never_gets_the_list_of_another(player, other_player, stranger, who, what):
    """The query is prepared once for all of them."""
    mine = {row["code"] for row in player.client.get(f"/api/v1/{what}/").json()}
    for other in (other_player, stranger):
        theirs = {row["code"] for row in other.client.get(f"/api/v1/{what}/").json()}
        assert not theirs & mine
