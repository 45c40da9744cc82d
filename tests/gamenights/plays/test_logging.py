"""Logging, changing, removing and moving plays; the rows follow from the log."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from html import unescape

import pytest
from django.utils import timezone

from gamenights.models import Game, Night, Play, PlayPlayer
from gamenights.nights import services as nights_services
from gamenights.nights.entries import PlanNight
from gamenights.plays import services
from gamenights.plays.selectors import load_facts
from log.models import Entry
from people.requester import Who

pytestmark = pytest.mark.django_db


def sent(night, players: dict, **more) -> dict:
    data = {
        "key": "a-key-of-the-form",
        "play": "11111111-aaaa",
        "game": "other",
        "other": "Cascadia",
        "scoring": "high",
    }
    for person, score in players.items():
        data.setdefault("player", []).append(str(person.pk))
        data[f"score-{person.pk}"] = score
    return data | more


def log(client, night, players, **more):
    return client.post(f"/nights/{night.code}/log/", sent(night, players, **more))


def test_four_scores_give_places_and_a_winner(night, master, player, other_player, guest):
    scores = {master: "87", player: "92", other_player: "40+34", guest: "-3"}
    answer = log(master.client, night, scores)
    assert answer.status_code == 302
    [facts] = load_facts(Play.objects.all())
    assert [(one.name, one.score, one.place, one.won) for one in facts.players] == [
        ("Wren", Decimal(87), 2, False),
        ("Tam", Decimal(92), 1, True),
        ("Oda", Decimal(74), 3, False),
        ("Pim", Decimal(-3), 4, False),
    ]
    page = master.client.get(f"/nights/{night.code}/").text
    assert "Cascadia" in page
    assert "92" in page


@pytest.mark.parametrize(
    ("scoring", "winner"), [("high", "Tam"), ("low", "Wren")], ids=["most points win", "fewest points win"]
)
def test_who_wins_depends_on_the_scoring(night, master, player, scoring, winner):
    log(master.client, night, {master: "1", player: "2"}, scoring=scoring)
    [facts] = load_facts(Play.objects.all())
    assert [one.name for one in facts.winners] == [winner]


def test_a_game_without_points_has_marked_winners(night, master, player):
    log(master.client, night, {master: "", player: ""}, scoring="none", **{f"won-{player.pk}": "on"})
    [facts] = load_facts(Play.objects.all())
    assert [one.name for one in facts.winners] == ["Tam"]


def test_a_cooperative_game_is_won_together(night, master, player):
    log(master.client, night, {master: "", player: ""}, scoring="cooperative", together="yes")
    [facts] = load_facts(Play.objects.all())
    assert len(facts.winners) == 2
    assert not facts.rated


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"score": "abc"}, "is not a score"),
        ({"player": []}, "Add at least one player."),
        ({"day": "2999-01-01"}, "The date is in the future."),
        ({"day": "yesterday"}, "Enter a valid date."),
        ({"minutes": "long"}, "Enter the length in minutes"),
        ({"other": ""}, "Choose a game or enter its name."),
        ({"new_name": "Tam"}, "is already on the list"),
    ],
)
def test_errors_are_shown_at_their_fields_and_nothing_is_saved(night, master, player, wrong, sentence):
    data = sent(night, {master: "3", player: wrong.pop("score", "5")}) | wrong
    answer = master.client.post(f"/nights/{night.code}/log/", data)
    assert answer.status_code == 422
    assert sentence in unescape(answer.text)
    assert not Play.objects.exists()
    assert not Game.objects.exists()


def test_a_draft_sent_twice_is_one_play(night, master, player):
    log(master.client, night, {master: "3", player: "5"})
    log(master.client, night, {master: "3", player: "5"}, key="another-key-then")
    assert Play.objects.count() == 1
    assert Entry.objects.filter(act="play_logged").count() == 1


def test_someone_new_becomes_a_guest_and_plays(night, master):
    log(master.client, night, {master: "3"}, new_name="Bryony, Hazel")
    [facts] = load_facts(Play.objects.all())
    assert [one.name for one in facts.players] == ["Wren", "Bryony", "Hazel"]


def test_names_of_people_are_not_in_the_log(night, master, player):
    log(master.client, night, {master: "3", player: "5"})
    assert "Tam" not in str(Entry.objects.get(act="play_logged").body)


def test_same_again_proposes_game_and_players(night, master, player, other_player):
    log(master.client, night, {player: "3", other_player: "5"}, scoring="low")
    page = master.client.get(f"/nights/{night.code}/log/?same=11111111-aaaa").text
    assert page.count("checked") >= 3
    assert f'value="{player.pk}" checked' in page
    assert f'value="{master.pk}" checked' not in page
    assert '<option value="low" selected>' in page


def test_changing_a_play_keeps_its_history(night, master, player):
    log(master.client, night, {master: "3", player: "5"})
    play = Play.objects.get()
    answer = master.client.post(
        play.get_absolute_url() + "change/",
        sent(night, {master: "9", player: "5"}, key="changing-it-now", game=play.game_id),
    )
    assert answer.status_code == 302
    [facts] = load_facts(Play.objects.all())
    assert [one.name for one in facts.winners] == ["Wren"]
    page = master.client.get(play.get_absolute_url()).text
    assert "changed it." in page
    assert "logged it." in page


def test_removed_play_counts_nowhere_and_can_be_restored(night, master, player):
    log(master.client, night, {master: "3", player: "5"})
    play = Play.objects.get()
    master.client.post(play.get_absolute_url() + "run/", {"key": "remove-it-please", "act": "remove"})
    assert not Play.objects.standing().exists()
    master.client.post(play.get_absolute_url() + "run/", {"key": "restore-it-please", "act": "restore"})
    assert Play.objects.standing().exists()


def test_a_play_moves_to_another_night_of_the_group(night, group, master, player):
    log(master.client, night, {master: "3", player: "5"})
    start = timezone.now() - dt.timedelta(days=3)
    other = nights_services.plan_night(group, Who.of(master), "three-days-ago", PlanNight(dates=(start,)))
    play = Play.objects.get()
    master.client.post(play.get_absolute_url() + "run/", {"key": "move-it-please", "act": "move", "night": other.code})
    play.refresh_from_db()
    assert play.night == other


def test_rows_are_the_same_when_worked_out_again_from_the_log(night, group, master, player):
    log(master.client, night, {master: "3", player: "5"})
    log(master.client, night, {master: "7", player: "1"}, play="22222222-bbbb", key="the-second-play")
    second = Play.objects.get(uuid="22222222-bbbb")
    services.remove_play(second, Who.of(master), key="the-second-goes")
    before = load_facts(Play.objects.all())
    PlayPlayer.objects.all().delete()
    Play.objects.all().delete()
    services.rebuild_plays(group)
    assert load_facts(Play.objects.all()) == before
    assert Play.objects.standing().count() == 1


def test_only_people_of_the_group_see_a_play(night, master, player, stranger):
    log(master.client, night, {master: "3", player: "5"})
    play = Play.objects.get()
    assert player.client.get(play.get_absolute_url()).status_code == 200
    assert stranger.client.get(play.get_absolute_url()).status_code == 404


@pytest.mark.parametrize(("edits", "status"), [("anyone", 302), ("players", 403), ("hosts", 403)])
def test_the_group_chooses_who_changes_a_play(night, group, master, player, other_player, edits, status):
    log(master.client, night, {master: "3", other_player: "5"})
    group.edits = edits
    group.save()
    play = Play.objects.get()
    answer = player.client.post(play.get_absolute_url() + "run/", {"key": "remove-it-please", "act": "remove"})
    assert answer.status_code == status


def test_a_night_page_needs_no_more_queries_for_more_plays(night, master, player, django_assert_max_num_queries):
    for number in range(8):
        log(
            master.client, night, {master: "3", player: str(number)}, play=f"play-{number}", key=f"key-of-play-{number}"
        )
    with django_assert_max_num_queries(22):
        master.client.get(f"/nights/{night.code}/")


def test_play_logged_after_the_night_is_dated_that_night(night, master):
    Night.objects.update(day="2026-05-14", starts_at="2026-05-14T17:30Z", ends_at="2026-05-15T03:00Z")
    page = master.client.get(night.get_absolute_url() + "log/").text
    assert 'value="2026-05-14"' in page


def test_guest_of_the_night_can_log_a_play(night, client, master):
    client.post(f"/nights/{night.code}/here/", {"name": "Bryony", "key": "here-i-am-now"})
    answer = client.post(f"/nights/{night.code}/log/", sent(night, {master: "3"}))
    assert answer.status_code == 302
    assert Play.objects.get().night == Night.objects.get()
