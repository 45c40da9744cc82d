"""The shelf, and what fits the people and the time at hand."""

from __future__ import annotations

import datetime as dt

import pytest

from gamenights.models import Game, GameVote
from gamenights.shelf.suggestions import Candidate, describe_game, suggest_games

TODAY = dt.date(2026, 5, 14)


@pytest.mark.parametrize(
    ("game", "people", "minutes", "fits", "reason"),
    [
        (Candidate("a", "Azul", 2, 4), 3, None, True, "never played here"),
        (Candidate("a", "Azul", 2, 4), 5, None, False, "5 people are too many"),
        (Candidate("a", "Azul", 3, 4), 2, None, False, "needs 3 people"),
        (Candidate("a", "Azul", 4, 4), 4, None, True, "made for 4"),
        (Candidate("a", "Azul", minutes=90), 3, 60, False, "takes longer than 60 min"),
        (Candidate("a", "Azul", plays=3, last_played=dt.date(2026, 1, 2)), 3, None, True, "not played since 2 January"),
        (Candidate("a", "Azul", plays=3, last_played=dt.date(2026, 5, 7)), 3, None, True, "played 3 times"),
    ],
)
def test_every_suggestion_has_its_reason(game, people, minutes, fits, reason):
    [found] = suggest_games([game], people=people, minutes=minutes, today=TODAY)
    assert (found.fits, found.reason) == (fits, reason)


def test_votes_come_first_then_what_fits():
    games = [Candidate("a", "Azul", 2, 2), Candidate("b", "Brass", 2, 4), Candidate("c", "Cascadia", 2, 4, voters=(7,))]
    assert [one.game.key for one in suggest_games(games, people=4, today=TODAY)] == ["c", "b", "a"]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Candidate("a", "Azul", 2, 4, 45), "2 to 4, 45 min"),
        (Candidate("a", "Azul", 4, 4), "exactly 4"),
        (Candidate("a", "Azul", None, 5, cooperative=True), "up to 5, cooperative"),
        (Candidate("a", "Azul", 3, None), "3 or more"),
        (Candidate("a", "Azul"), ""),
    ],
)
def test_a_game_in_a_few_words(game, words):
    assert describe_game(game) == words


@pytest.mark.django_db
def test_adding_a_game_and_voting_for_it(night, group, master, player):
    data = {
        "key": "add-cascadia-now",
        "name": "Cascadia",
        "players_min": 1,
        "players_max": 4,
        "minutes": 45,
        "scoring": "high",
        "on_shelf": "on",
    }
    assert master.client.post(f"/groups/{group.code}/games/", data).status_code == 302
    game = Game.objects.get()
    page = player.client.get(night.get_absolute_url()).text
    assert "Vote for" in page
    assert "1 to 4, 45 min" in page
    player.client.post(night.get_absolute_url() + "votes/", {"key": "tam-votes-yes", "game": game.pk})
    assert GameVote.objects.get().person == player
    player.client.post(night.get_absolute_url() + "votes/", {"key": "tam-votes-no", "game": game.pk})
    assert not GameVote.objects.exists()


@pytest.mark.django_db
def test_a_card_game_of_the_site_can_be_voted_for(night, master):
    master.client.post(night.get_absolute_url() + "votes/", {"key": "wren-votes-now", "game": "own:menagerie"})
    assert Game.objects.get().own_key == "menagerie"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "azul"}, "This game is already on the shelf."),
        ({"players_min": 5, "players_max": 2}, "The most players must be at least the fewest."),
    ],
)
def test_wrong_games_are_refused_at_the_field(group, master, wrong, sentence):
    data = {"key": "add-azul-now", "name": "Azul", "scoring": "high"}
    master.client.post(f"/groups/{group.code}/games/", data)
    answer = master.client.post(f"/groups/{group.code}/games/", data | {"key": "add-another", "name": "Brass"} | wrong)
    assert answer.status_code == 422
    assert sentence in answer.text
