"""Battles, card tables and score sheets file themselves as plays."""

from __future__ import annotations

import datetime as dt

import pytest

from battles import services as battles_services
from battles.entries import SubmitReport
from battles.new_battle import services as new_battle_services
from battles.result import forms as result_forms, services as result_services
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from cardgames.results import services as results_services
from gamenights import campaigns
from gamenights.models import Play
from gamenights.nights.entries import PlanNight
from gamenights.nights.selectors import find_night_for_play
from gamenights.nights.services import plan_night
from gamenights.plays.selectors import load_facts
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

pytestmark = pytest.mark.django_db


@pytest.fixture
def war(group, master, player):
    who = Who.of(master)
    found = founding_services.found_campaign(
        who, key="a-war-of-the-group", name="The War of the Hedges", season="Spring"
    )
    for number, (realm, ruler) in enumerate((("Oakhold", master), ("Fenwick", player))):
        campaign_services.write(
            found, who, key=f"realm-{number}-joins", act=read_sent("kingdom_joins", joining(realm, ruler=ruler.pk))
        )
    found.refresh_from_db()
    return found


def fight(war, who, key="the-first-battle"):
    campaign_services.write(
        war, who, key=f"{key}-declared", act=read_sent("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    )
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "battle": 1, "points": {"k1": 5, "k2": 2}}
    return campaign_services.write(war, who, key=key, act=read_sent("result", body))


def correct(war, who, kind, target):
    digest = campaign_services.preview_correction(campaign_selectors.entries_of(war), kind, target).digest
    return campaign_services.write_correction(
        war, who, key=f"correct-by-{kind}", kind=kind, target=target, why="It was a draw.", digest=digest
    )


def test_a_confirmed_battle_is_a_play_of_the_campaigns_group(war, group, master, night):
    campaigns.add_campaign(group, Who.of(master), key="the-war-is-ours", campaign=war)
    war.refresh_from_db()
    fight(war, Who.of(master))
    play = Play.objects.get()
    assert (play.group, play.source) == (group, "battle")
    [facts] = load_facts(Play.objects.all())
    assert [(one.name, one.role, str(one.score_text), one.won) for one in facts.players] == [
        ("Wren", "Oakhold", "5", True),
        ("Tam", "Fenwick", "2", False),
    ]


def test_battles_fought_before_are_filed_when_the_campaign_joins(war, group, master):
    fight(war, Who.of(master))
    assert not Play.objects.exists()
    campaigns.add_campaign(group, Who.of(master), key="the-war-is-ours", campaign=war)
    assert Play.objects.get().source == "battle"


def test_result_entered_without_a_declared_battle_is_filed(
    war, group, master, night, django_capture_on_commit_callbacks
):
    who = Who.of(master)
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 5, "k2": 2}}
    campaign_services.write(war, who, key="entered-before", act=read_sent("result", body))
    campaigns.add_campaign(group, who, key="the-war-is-ours", campaign=war)
    assert Play.objects.get().night == night
    war.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        later = body | {"target": "k2.border_2"}
        campaign_services.write(war, who, key="entered-after", act=read_sent("result", later))
    assert sorted(play.battle.number for play in Play.objects.select_related("battle")) == [1, 2]


def test_battle_after_midnight_belongs_to_the_evening_that_is_still_on(group, master):
    evening = dt.datetime(2026, 5, 8, 19, 30, tzinfo=group.tzinfo)
    night = plan_night(group, Who.of(master), "the-eighth-of-may", PlanNight(dates=(evening,)))
    for hours, found in ((1, night), (6, night), (12, None)):
        now = evening + dt.timedelta(hours=hours)
        assert find_night_for_play(group, now.date(), now) == found, now
    assert find_night_for_play(group, dt.date(2026, 5, 7), evening) is None


def test_struck_result_removes_the_play_and_restoring_brings_it_back(
    war, group, master, django_capture_on_commit_callbacks
):
    who = Who.of(master)
    campaigns.add_campaign(group, who, key="the-war-is-ours", campaign=war)
    war.refresh_from_db()
    entry = fight(war, who)["entry"]
    with django_capture_on_commit_callbacks(execute=True):
        struck = correct(war, who, "strike", entry)
    assert Play.objects.get().removed_at is not None
    with django_capture_on_commit_callbacks(execute=True):
        correct(war, who, "restore", struck["entry"])
    assert Play.objects.get().removed_at is None


def test_a_card_game_is_filed_in_the_night_where_its_people_are(night, group, master, player):
    places = [(master, "", 28, True), (player, "", 24, False)]
    result = results_services.save_printed_result(master, key="a-printed-game", game="monarchs", places=places)
    play = Play.objects.get()
    assert (play.night, play.result, play.game.own_key) == (night, result, "monarchs")
    page = master.client.get(night.get_absolute_url()).text
    assert "Of Mice and Monarchs" in page


def test_a_card_game_outside_a_night_belongs_to_the_one_group_of_all_its_players(group, master, player, stranger):
    results_services.save_printed_result(
        master, key="of-the-group-alone", game="monarchs", places=[(master, "", 3, True), (player, "", 2, False)]
    )
    assert Play.objects.get().group == group
    results_services.save_printed_result(
        master, key="with-a-stranger-in", game="monarchs", places=[(master, "", 3, True), (stranger, "", 2, False)]
    )
    assert Play.objects.count() == 1


def test_a_filed_play_is_corrected_where_it_was_played(night, master, player):
    places = [(master, "", 28, True), (player, "", 24, False)]
    results_services.save_printed_result(master, key="a-printed-game", game="monarchs", places=places)
    play = Play.objects.get()
    assert master.client.get(play.get_absolute_url() + "change/").status_code == 409
    assert "cannot be changed here" in master.client.get(play.get_absolute_url()).text


def test_standalone_battle_files_itself_and_leaves_when_it_is_reopened(
    group, master, player, django_capture_on_commit_callbacks
):
    who = Who.of(master)
    with django_capture_on_commit_callbacks(execute=True):
        battle = new_battle_services.create_standalone_battle(
            who,
            key="one-evening-alone",
            scenario="pitched_battle",
            names=("Red", "Blue"),
            people=(master, player),
        )
    assert not Play.objects.exists()
    answers = SubmitReport("yielded-B")
    report = result_forms.report_from_answers(battle, None, answers)
    with django_capture_on_commit_callbacks(execute=True):
        result_services.submit_report(battle, who, report, key="the-evening-ends")
    [facts] = load_facts(Play.objects.standing())
    assert [(one.name, one.role, one.won) for one in facts.players] == [("Wren", "Red", True), ("Tam", "Blue", False)]
    assert facts.game_name == "Mice-at-Arms battle"
    assert facts.rated
    battle.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        battles_services.reopen_battle(battle, who, key="not-over-after-all")
    assert not Play.objects.standing().exists()


def test_standalone_battle_of_people_without_a_common_group_is_not_filed(
    group, master, stranger, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        battle = new_battle_services.create_standalone_battle(
            Who.of(master),
            key="with-a-stranger",
            scenario="pitched_battle",
            names=("A", "B"),
            people=(master, stranger),
        )
        report = result_forms.report_from_answers(battle, None, SubmitReport("yielded-B"))
        result_services.submit_report(battle, Who.of(master), report, key="that-evening-ends")
    assert not Play.objects.exists()
