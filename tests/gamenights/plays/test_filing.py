"""Battles, card tables and score sheets file themselves as plays."""

from __future__ import annotations

import pytest

from campaign import actions
from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from cardgames.results import services as results_services
from gamenights import campaigns
from gamenights.models import Play
from gamenights.plays.selectors import load_facts
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

pytestmark = pytest.mark.django_db


@pytest.fixture
def war(group, master, player):
    who = Who.of(master)
    found = actions.found_campaign(who, key="a-war-of-the-group", name="The War of the Hedges")
    for number, (realm, ruler) in enumerate((("Oakhold", master), ("Fenwick", player))):
        campaign_services.write(
            found, who, key=f"realm-{number}-joins", act="kingdom_joins", body=joining(realm, ruler=ruler.pk)
        )
    campaign_services.write(found, who, key="the-season-opens", act="season_opened", body={"name": "Spring"})
    found.refresh_from_db()
    return found


def fight(war, who, key="the-first-battle"):
    campaign_services.write(
        war, who, key=f"{key}-declared", act="battle_declared", body={"attacker": "k1", "target": "k2.border_1"}
    )
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "battle": 1, "points": {"k1": 5, "k2": 2}}
    return campaign_services.write(war, who, key=key, act="result", body=body)


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
