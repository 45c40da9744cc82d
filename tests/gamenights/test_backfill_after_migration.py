"""Games from before there were groups: nothing disappears, and nobody sees more than before."""

from __future__ import annotations

import pytest

from battles.entries import SubmitReport
from battles.new_battle import services as new_battle_services
from battles.result import forms as result_forms, services as result_services
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from cardgames.results import services as results_services
from gamenights.backfill_after_migration import file_past_games
from gamenights.models import Attendance, Night, Play
from groups.models import Group, Member
from people.requester import Who
from tests.gamenights.plays.test_filing import fight, war  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    """There are no groups yet."""


def test_a_campaign_becomes_a_group_with_its_battles_as_plays(war, master, player):  # noqa: F811
    invitations_services.join_campaign(war, Who.of(player), key="tam-joins-the-war")
    fight(war, Who.of(master))
    file_past_games()
    group = Campaign.objects.get().group
    assert group.name == "The War of the Hedges"
    assert {row.person.name: row.role for row in Member.objects.all()} == {"Wren": "host", "Tam": "member"}
    play = Play.objects.get()
    assert (play.group, play.night.day) == (group, play.day)
    assert Attendance.objects.filter(night=play.night).count() == 2


def test_campaigns_of_the_same_people_share_a_group_and_others_do_not(master, player):
    for number in (1, 2, 3):
        found = founding_services.found_campaign(Who.of(master), key=f"campaign-{number}-x", name=f"War {number}")
        if number > 1:
            invitations_services.join_campaign(found, Who.of(player), key=f"tam-joins-{number}-x")
    file_past_games()
    assert sorted(Group.objects.values_list("name", flat=True)) == ["War 1", "War 2"]


def test_a_card_game_without_a_group_is_seen_by_its_players_only(master, player, stranger):
    places = [(master, "", 28, True), (player, "", 24, False)]
    results_services.save_printed_result(master, key="a-printed-game", game="monarchs", places=places)
    file_past_games()
    night = Night.objects.get()
    for person, status in ((master, 200), (player, 200), (stranger, 404)):
        Night.objects.update(ends_at="2020-01-01T05:00Z", closed_at="2020-01-01T05:00Z")
        assert person.client.get(night.get_absolute_url()).status_code == status
    assert "Of Mice and Monarchs" in player.client.get("/nights/").text
    assert not Group.objects.of(Who.of(player)).exists()


def test_a_standalone_battle_without_a_group_stays_in_nights_and_is_filed_once(
    master, stranger, player, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        battle = new_battle_services.create_standalone_battle(
            Who.of(master),
            key="a-battle-alone",
            scenario="pitched_battle",
            names=("Red", "Blue"),
            people=(master, stranger),
        )
        report = result_forms.report_from_answers(battle, None, SubmitReport("yielded-B"))
        result_services.submit_report(battle, Who.of(master), report, key="that-evening-ends")
    for person in (master, stranger):
        page = person.client.get("/nights/").text
        assert battle.get_absolute_url() in page
        assert "Red" in page
    assert battle.get_absolute_url() not in player.client.get("/nights/").text
    assert not Play.objects.exists()
    file_past_games()
    file_past_games()
    assert Play.objects.get().battle == battle
    assert Group.objects.get().name == "Games of Wren"
    assert stranger.client.get("/nights/").text.count(battle.get_absolute_url()) == 1


def test_filing_again_files_nothing_more(war, master, player):  # noqa: F811
    fight(war, Who.of(master))
    places = [(master, "", 28, True), (player, "", 24, False)]
    results_services.save_printed_result(master, key="a-printed-game", game="monarchs", places=places)
    file_past_games()
    before = [model.objects.count() for model in (Group, Night, Play, Attendance)]
    file_past_games()
    assert [model.objects.count() for model in (Group, Night, Play, Attendance)] == before
