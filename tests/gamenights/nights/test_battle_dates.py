"""Dates for a declared battle: proposed from its page, voted on, and shown there."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from battles.models import Battle
from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from gamenights import campaigns
from gamenights.models import DateOption, Night
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(group, master, player):
    """Declared in a campaign of the group."""
    who = Who.of(master)
    war = founding_services.found_campaign(who, key="a-war-of-the-group", name="The War of the Hedges")
    for number, (realm, ruler) in enumerate((("Oakhold", master), ("Fenwick", player))):
        act = read_sent("kingdom_joins", joining(realm, ruler=ruler.pk))
        campaign_services.write(war, who, key=f"realm-{number}-joins", act=act)
    campaigns.add_campaign(group, who, key="the-war-is-ours", campaign=war)
    war.refresh_from_db()
    act = read_sent("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    campaign_services.write(war, who, key="the-first-battle", act=act)
    return Battle.objects.get()


def test_dates_are_proposed_voted_on_and_chosen(battle, group, master, player):
    page = player.client.get(battle.get_absolute_url()).text
    plan = f"/groups/{group.code}/nights/plan/?battle={battle.code}"
    assert plan in page
    assert "Battle 1: " in player.client.get(plan).text
    first, second = [(timezone.now() + dt.timedelta(days=days)).strftime("%Y-%m-%dT19:00") for days in (3, 4)]
    sent = {"key": "dates-for-battle-1", "title": "Battle 1", "starts_at": first, "date_2": second}
    assert player.client.post(plan, sent).status_code == 302
    night = Night.objects.get()
    assert (night.battle, night.day, DateOption.objects.count()) == (battle, None, 2)
    assert "Vote on the date" in master.client.get(battle.get_absolute_url()).text
    option = DateOption.objects.last()
    votes = {"key": "wren-votes-on-it", f"date-{option.pk}": "yes"}
    master.client.post(night.get_absolute_url() + "dates/", votes)
    assert "You have voted" in master.client.get(battle.get_absolute_url()).text
    player.client.post(night.get_absolute_url() + "dates/", {"key": "tam-fixes-the-date", "choose": option.pk})
    page = master.client.get(battle.get_absolute_url()).text
    assert "Go to the night" in page
    assert battle.get_absolute_url() in master.client.get(night.get_absolute_url()).text


def test_only_members_of_the_group_plan_for_a_battle_of_theirs(battle, group, stranger, other_player):
    plan = f"/groups/{group.code}/nights/plan/"
    assert stranger.client.get(f"{plan}?battle={battle.code}").status_code in (302, 403, 404)
    assert other_player.client.get(f"{plan}?battle=nothing").status_code == 404
    Battle.objects.update(stage=Battle.Stage.CALLED_OFF)
    assert other_player.client.get(f"{plan}?battle={battle.code}").status_code == 404
