"""What a play is: scores as people write them, places and winners, and what is refused."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from gamenights.plays.values import (
    Scoring,
    Variant,
    check_play,
    format_score,
    is_rated_by_default,
    new_uuid,
    play_from_json,
    play_to_json,
    read_score,
)
from refusal import Refusal
from tests.gamenights.plays.sample_plays import FIRST_DAY, make_play, make_player

TODAY = FIRST_DAY + dt.timedelta(days=30)


def places(play):
    return [player.place for player in play.players]


def winners(play):
    return [player.name for player in play.winners]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("", None),
        ("  ", None),
        ("42", "42"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("12.5", "12.5"),
        ("12,5", "12.5"),
        ("12+30", "42"),
        ("12 + 30 - 4", "38"),
        ("-1-2", "-3"),
        ("0.1+0.2", "0.3"),
        ("+7", "7"),
        (".5", "0.5"),
    ],
)
def test_scores_are_read_as_people_write_them(text, points):
    assert read_score(text) == (None if points is None else Decimal(points))


@pytest.mark.parametrize(
    "text", ["abc", "12+", "1e9", "NaN", "Infinity", "12*3", "٣", "1" * 61, "9" * 20, "--1", "1 2"]
)
def test_other_texts_are_refused_at_the_field(text):
    with pytest.raises(Refusal) as refused:
        read_score(text, "score-2")
    assert refused.value.field == "score-2"


@given(st.text(max_size=80))
def test_any_text_is_a_score_or_a_refusal(text):
    try:
        score = read_score(text)
    except Refusal:
        return
    assert score is None or score.is_finite()


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_a_formatted_score_reads_back(score):
    assert read_score(format_score(score)) == score


def test_highest_score_wins_and_ties_share_a_place():
    play = make_play("oda 12", "wren 30", "pim 12", "tam 3")
    assert places(play) == [2, 1, 2, 4]
    assert winners(play) == ["Wren"]


def test_lowest_score_wins_where_it_should():
    play = make_play("oda 12", "wren 30", scoring=Scoring.LOW)
    assert winners(play) == ["Oda"]


def test_players_without_a_score_come_last():
    assert places(make_play("oda", "wren -4", "pim 1")) == [3, 2, 1]


def test_marked_winner_beats_a_tie_and_even_a_higher_score():
    play = make_play(make_player("oda 12", won=True), "wren 12", "pim 20")
    assert winners(play) == ["Oda"]
    assert places(play) == [1, 3, 2]


def test_a_tie_for_first_has_two_winners():
    assert winners(make_play("oda 12", "wren 12", "pim 3")) == ["Oda", "Wren"]


def test_a_team_shares_its_place_and_win():
    play = make_play(
        make_player("oda 5", team="red"),
        make_player("wren", team="red"),
        make_player("pim 4", team="blue"),
        make_player("tam 4", team="blue"),
    )
    assert places(play) == [1, 1, 2, 2]
    assert winners(play) == ["Oda", "Wren"]


def test_given_places_count_without_points():
    play = make_play(make_player("oda", place=2), make_player("wren", place=1), scoring=Scoring.NONE)
    assert winners(play) == ["Wren"]


def test_nothing_known_means_no_winner():
    play = make_play("oda", "wren", scoring=Scoring.NONE)
    assert places(play) == [None, None]
    assert winners(play) == []


def test_solo_and_cooperative_plays_have_no_places():
    assert places(make_play("oda 40", variant=Variant(solo=True))) == [None]
    won = make_play(make_player("oda", won=True), make_player("wren escaped", won=True), scoring=Scoring.COOPERATIVE)
    assert places(won) == [None, None]
    assert winners(won) == ["Oda", "Wren"]


def test_a_play_that_can_be_true_is_accepted():
    check_play(make_play("oda 1", "wren 2"), TODAY)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"players": ()}, "players"),
        ({"players": (make_player("bot", bot=True),)}, "players"),
        ({"players": tuple(make_player(f"p{n}") for n in range(101))}, "players"),
        ({"day": TODAY + dt.timedelta(days=1)}, "day"),
        ({"day": dt.date(1066, 10, 14)}, "day"),
        ({"players": (make_player("oda 1"), make_player("wren abc"))}, "score-1"),
        ({"players": (make_player("oda 1"), make_player("oda 2"))}, "name-1"),
        ({"players": (make_player("oda 1"), make_player(" 2"))}, "name-1"),
        ({"players": (make_player("oda 1", place=7),)}, "place-0"),
        ({"game_name": " "}, "game"),
        ({"game_name": "x" * 81}, "game"),
        ({"minutes": -1}, "minutes"),
        ({"minutes": 999_999}, "minutes"),
        ({"notes": "x" * 10_001}, "notes"),
    ],
)
def test_a_play_that_cannot_be_true_is_refused_at_its_field(change, field):
    with pytest.raises(Refusal) as refused:
        check_play(replace(make_play("oda 1", "wren 2"), **change), TODAY)
    assert refused.value.field == field
    assert refused.value.sentence.endswith(".")


def test_words_for_a_score_are_fine_without_points():
    check_play(make_play("oda rescued", "wren lost", scoring=Scoring.NONE), TODAY)


def test_bots_solo_and_cooperative_plays_are_unrated_by_default():
    people = (make_player("oda"), make_player("wren"))
    assert is_rated_by_default(Variant(), Scoring.HIGH, people)
    assert is_rated_by_default(Variant(brisk=True), Scoring.NONE, people)
    assert not is_rated_by_default(Variant(bots=True), Scoring.HIGH, people)
    assert not is_rated_by_default(Variant(), Scoring.HIGH, (*people, make_player("bot", bot=True)))
    assert not is_rated_by_default(Variant(), Scoring.COOPERATIVE, people)
    assert not is_rated_by_default(Variant(), Scoring.HIGH, people[:1])


@given(
    st.builds(
        Variant,
        solo=st.booleans(),
        family=st.booleans(),
        brisk=st.booleans(),
        deck=st.text(max_size=20),
        bots=st.booleans(),
        roles=st.booleans(),
    )
)
def test_a_variant_comes_back_from_its_key(variant):
    assert Variant.from_key(variant.key) == variant


def test_variants_have_different_keys_and_words():
    assert Variant().key == ""
    assert Variant(brisk=True, bots=True, deck="Feast").key == "brisk,bots,deck:Feast"
    assert Variant(brisk=True, bots=True, deck="Feast").label == "brisk, with bots, deck “Feast”"


def test_a_play_comes_back_from_json():
    play = make_play(
        make_player("oda 12+30", team="red", role="King", started=True),
        make_player("wren -1.5", new=True),
        make_player("clock", bot=True),
        variant=Variant(bots=True, deck="a,b"),
        started_at=dt.datetime(2026, 3, 5, 20, 15, tzinfo=dt.UTC),
        logged_at=dt.datetime(2026, 3, 5, 22, 0, tzinfo=dt.UTC),
        minutes=75,
        rated=False,
        notes="Cheese everywhere.",
        location="Burdock",
    )
    assert play_from_json(json.loads(json.dumps(play_to_json(play)))) == play


def test_plays_are_ordered_by_day_then_hour():
    late = dt.datetime(2026, 3, 5, 23, 0, tzinfo=dt.UTC)
    plays = [
        make_play("oda", number=1, day=1),
        make_play("oda", number=2, started_at=late),
        make_play("oda", number=3, logged_at=late - dt.timedelta(hours=1)),
        make_play("oda", number=4),
    ]
    assert [int(play.uuid[-1]) for play in sorted(plays, key=lambda play: play.order)] == [3, 2, 4, 1]


def test_uuids_differ():
    assert new_uuid() != new_uuid()
