"""Groups, nights and plays over the API."""

from __future__ import annotations

import pytest

import dataclass_json
from gamenights.models import Play
from gamenights.plays.entries import LogPlay
from gamenights.shelf.models import Game
from gamenights.shelf.services import SaveGame, VoteForGame
from log.models import Entry
from tests.groups import test_bad_bodies as group_bodies
from tests.site.test_bad_fields import bad_fields

pytestmark = pytest.mark.django_db


def send(client, method, url, body):
    return getattr(client, method)(url, body, content_type="application/json")


@pytest.fixture
def plays(group):
    return f"/api/v1/groups/{group.code}/plays/"


def play_of(master, player, **more):
    players = [{"person": master.code, "score": "40+2"}, {"person": player.code, "score": "17"}]
    return {"key": "a-key-of-the-api", "uuid": "one-play", "game": "Azul", "players": players} | more


def test_a_play_is_logged_read_changed_and_removed(plays, master, player):
    logged = send(master.client, "post", plays, play_of(master, player))
    assert logged.status_code == 201
    assert [(one["person"], one["place"], one["won"]) for one in logged.json()["players"]] == [
        (master.code, 1, True),
        (player.code, 2, False),
    ]
    [listed], shown = master.client.get(plays).json(), master.client.get(plays + "one-play/").json()
    assert listed == {name: shown[name] for name in listed}
    body = play_of(master, player, key="another-key-here", scoring="low")
    changed = send(master.client, "put", plays + "one-play/", body)
    assert [one["won"] for one in changed.json()["players"]] == [False, True]
    assert master.client.delete(plays + "one-play/").status_code == 204
    assert master.client.get(plays).json() == []


def test_null_is_refused_where_it_is_no_value(plays, master, player):
    refused = send(master.client, "post", plays, play_of(master, player, scoring=None))
    assert refused.status_code == 422
    assert refused.json()["field"] == "scoring"
    assert send(master.client, "post", plays, play_of(master, player, minutes=None)).status_code == 201


def test_the_same_uuid_is_one_play(plays, master, player):
    send(master.client, "post", plays, play_of(master, player))
    send(master.client, "post", plays, play_of(master, player, key="sent-once-again"))
    assert Play.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"players": []}, "players"),
        ({"players": [{"person": "nobody"}]}, "players.0.person"),
        ({"day": "2999-01-01"}, "day"),
    ],
)
def test_what_is_wrong_names_its_field(plays, master, player, wrong, field):
    answer = send(master.client, "post", plays, play_of(master, player) | wrong)
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert not Play.objects.exists()


@pytest.mark.parametrize("kind", [LogPlay, SaveGame, VoteForGame])
def test_each_bad_field_is_422_with_its_name_and_nothing_is_written(group, night, master, kind):
    url = {
        LogPlay: f"/api/v1/groups/{group.code}/plays/",
        SaveGame: f"/api/v1/groups/{group.code}/games/",
        VoteForGame: f"/api/v1/nights/{night.code}/votes/",
    }[kind]
    before = Entry.objects.count(), Play.objects.count(), Game.objects.count()
    for how, body, field in bad_fields(dataclass_json.schema(kind), group_bodies.GOOD[kind]):
        answer = send(master.client, "post", url, {"key": "a-key-of-a-phone"} | body)
        assert (answer.status_code, answer.json()["field"].split(".")[0]) == (422, field), (how, answer.content)
        assert answer.json()["refusal"].endswith(".")
    assert (Entry.objects.count(), Play.objects.count(), Game.objects.count()) == before


def test_non_numeric_score_is_refused(plays, master, player):
    players = [{"person": master.code, "score": "abc"}]
    assert send(master.client, "post", plays, play_of(master, player, players=players)).status_code == 422


def test_a_stranger_sees_no_plays(plays, stranger):
    assert stranger.client.get(plays).status_code == 404


def test_a_night_over_the_api(night, player):
    body = player.client.get(f"/api/v1/nights/{night.code}/").json()
    assert [row["name"] for row in body["people"] if row["is_here"]] == ["Wren"]
    player.client.post(
        f"/api/v1/nights/{night.code}/here/", {"key": "tam-is-here-now"}, content_type="application/json"
    )
    body = player.client.get(f"/api/v1/nights/{night.code}/").json()
    assert sorted(row["name"] for row in body["people"] if row["is_here"]) == ["Tam", "Wren"]


def test_shelf_is_read_and_filled(group, master, stranger):
    url = f"/api/v1/groups/{group.code}/games/"
    added = send(master.client, "post", url, {"key": "a-game-of-the-api", "name": "Azul", "players_max": 4})
    assert added.status_code == 201
    assert master.client.get(url).json()[0]["name"] == "Azul"
    assert send(master.client, "post", url, {"key": "the-same-again-x", "name": "azul"}).status_code == 422
    assert send(master.client, "post", url, {"key": "no-name-at-all-x"}).json()["field"] == "name"
    assert stranger.client.get(url).status_code == 404


def test_votes_are_counted_and_taken_back(group, night, master, stranger):
    game = send(
        master.client, "post", f"/api/v1/groups/{group.code}/games/", {"key": "a-game-of-the-api", "name": "Azul"}
    ).json()["id"]
    url = f"/api/v1/nights/{night.code}/votes/"
    voted = send(master.client, "post", url, {"key": "a-vote-of-the-api", "game": str(game)}).json()
    assert voted == [{"game": game, "name": "Azul", "votes": 1}]
    assert send(master.client, "post", url, {"key": "not-this-vote-x", "game": str(game)}).json() == []
    assert send(stranger.client, "post", url, {"key": "a-strange-vote-x", "game": str(game)}).status_code == 403


def test_standings_name_people_by_code_and_hide_early_ratings(plays, group, master, player):
    for number in range(10):
        send(master.client, "post", plays, play_of(master, player, key=f"play-{number}-key", uuid=f"play-{number}"))
    url = f"/api/v1/groups/{group.code}/standings/"
    found = master.client.get(url).json()
    assert found["board"][0]["person"] == master.code
    assert found["board"][0]["wins"] == 10
    assert {row["person"] for row in found["ratings"]} == {master.code, player.code}
    assert found["meetings"][0]["ahead"] + found["meetings"][0]["behind"] == 10
    assert master.client.get(url + "?from=2030-02-30").status_code == 422
    assert master.client.get(url + "?from=2030-01-01").json()["board"] == []
    for query in ("season=12", "season=last", "game=azul", "to=soon"):
        refused = master.client.get(f"{url}?{query}")
        assert (refused.status_code, refused.json()["field"]) == (422, query.partition("=")[0])


def test_notices_are_chosen_over_the_api(master, client):
    url = "/api/v1/me/notices/"
    assert master.client.get(url).json() == {"topics": [], "by_mail": False, "url": ""}
    wanted = {"topics": ["muster"], "by_mail": False, "url": "https://hooks.example.org/me"}
    assert send(master.client, "put", url, wanted).json() == wanted
    assert send(master.client, "put", url, wanted | {"topics": ["x"]}).status_code == 422
    assert send(master.client, "put", url, wanted | {"url": "ftp://x"}).status_code == 422
    assert client.get(url).status_code == 403


@pytest.mark.parametrize(("method", "path", "field"), [("post", "answer", "answer"), ("put", "dates", "answers")])
def test_an_answer_is_never_taken_for_granted(night, player, method, path, field):
    """Nobody comes who did not say so."""
    refused = send(player.client, method, f"/api/v1/nights/{night.code}/{path}/", {"key": "says-nothing"})
    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert refused.json()["detail"] == f"“{field}” is missing."


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00Z", "9999-12-31T23:00:00Z"])
def test_a_night_outside_the_calendar_is_refused(group, night, master, start):
    master.client.raise_request_exception = False
    at = f"/api/v1/nights/{night.code}/"
    plan = {"key": "plan-it-then", "dates": [start]}
    changed = send(master.client, "patch", at, {"key": "change-it-then", "starts_at": start})
    planned = send(master.client, "post", f"/api/v1/groups/{group.code}/nights/", plan)
    assert [(one.status_code, one.json()["field"]) for one in (changed, planned)] == [(422, "starts_at")] * 2
