"""The battle's page: one main button for each stage, the set-up as a picture, the armies as far as one may see them."""

from __future__ import annotations

import re

import pytest

from battles.models import Battle
from people.requester import Who
from tests.battles.battle_rows import Seat, army, make_battle
from tests.battles.sample_campaigns import a_campaign, declare
from tests.battles.tracker.core.memory_tracker import OAKHOLD

pytestmark = pytest.mark.django_db


def page_of(person, battle) -> str:
    return re.sub(r"</?bdi>", "", person.client.get(battle.get_absolute_url()).content.decode())


def main_buttons(page: str) -> list[str]:
    found = re.findall(r'class="btn btn-press[^"]*"[^>]*>(.*?)</(?:a|button)>', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", one).split()) for one in found]


def test_campaign_battle_asks_each_captain_for_the_next_step(master, player, other_player):
    war = a_campaign(master, [player, other_player])
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    page = page_of(player, battle)
    assert main_buttons(page) == ["Muster my army"]
    begun = player.client.post(re.search(r'action="(/musters/for/[^"]+)"', page)[1])
    assert begun["Location"].startswith("/musters/")
    assert main_buttons(page_of(master, battle)) == ["Roll the scenario"]
    # One army is there: its captain goes on, the other musters.
    sides = Battle.objects.get(pk=battle.pk).sides
    sides[0]["army"] = army(OAKHOLD)
    Battle.objects.filter(pk=battle.pk).update(sides=sides, scenario="secure_the_crossing")
    page = page_of(player, battle)
    assert main_buttons(page) == ["Start the battle"]
    assert "has not mustered" in page
    assert '<svg class="ground"' in page
    assert main_buttons(page_of(other_player, battle)) == ["Muster my army"]


def test_battle_goes_from_the_roll_off_to_the_tracker_to_the_report(player):
    battle = make_battle(player, "ambush")
    page = page_of(player, battle)
    assert main_buttons(page) == ["Roll off for the sides"]
    assert '<svg class="ground"' in page
    player.client.post(f"/battles/{battle.code}/set-up/", {"key": "roll-off-1", "roll_sides": "1"})
    page = page_of(player, battle)
    assert main_buttons(page) == ["Start the battle"]
    assert "Play solo" in page
    # One tap, and the tracker asks who goes first.
    fields = {"key": re.search(r'name="key" value="([^"]+-lay)"', page)[1], "solo": ""}
    started = player.client.post(f"/battles/{battle.code}/table/lay/", fields)
    assert started["Location"] == f"/battles/{battle.code}/table/"
    page = page_of(player, battle)
    assert main_buttons(page) == ["Open the tracker"]
    seat = Seat(player.client, battle)
    seat.step("begin", roll_A=8, roll_B=3)
    for unit in ("B1", "B2", "B3", "B4", "B5"):
        seat.step("losses", unit=unit, models=0)
    assert main_buttons(page_of(player, battle)) == ["Report the result"]


def test_play_solo_lets_the_tracker_play_the_other_side(player):
    battle = make_battle(player)
    page = page_of(player, battle)
    letter = re.search(r'name="solo" value="(\w)">Play solo', page)[1]
    player.client.post(f"/battles/{battle.code}/table/lay/", {"key": "play-solo-1", "solo": letter})
    assert Battle.objects.get(pk=battle.pk).snapshot["cells"]["solo"] == "B"
