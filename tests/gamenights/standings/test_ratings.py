"""Ratings: openskill's own numbers, one pool per variant, and edits that do not redo what came before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from openskill.models import PlackettLuce

from gamenights.plays.values import Scoring, Variant
from gamenights.standings.core import ratings
from gamenights.standings.core.charts import WinRate, draw_rating_span, draw_win_rates, rating_scale
from gamenights.standings.core.ratings import (
    START,
    Rating,
    RatingBook,
    chance_of_being_better,
    pool_of,
    rank_people,
    rate_days,
    rate_plays,
)
from gamenights.standings.core.tally import Slot
from tests.gamenights.plays.sample_plays import make_play, make_player
from tests.gamenights.standings.sample_season import make_season

POOL = Slot("menagerie")


def test_ratings_are_those_of_openskill():
    model = PlackettLuce()
    oda, wren, pim = model.rating(), model.rating(), model.rating()
    [[oda], [wren], [pim]] = model.rate([[oda], [wren], [pim]], ranks=[1, 2, 2])
    pool = rate_plays([make_play("oda 9", "wren 4", "pim 4")])[POOL]
    assert (pool["oda"].mean, pool["oda"].deviation) == (oda.mu, oda.sigma)
    assert (pool["wren"].mean, pool["pim"].mean) == (wren.mu, pim.mu)
    assert pool["oda"].plays == 1


def test_teams_are_rated_as_teams():
    play = make_play(
        make_player("oda 9", team="a"),
        make_player("pim", team="a"),
        make_player("wren 4", team="b"),
        make_player("tam", team="b"),
    )
    pool = rate_plays([play])[POOL]
    assert pool["oda"] == pool["pim"]
    assert pool["wren"] == pool["tam"]
    assert pool["oda"].mean > START.mean > pool["wren"].mean


def test_each_variant_has_a_pool_of_its_own():
    pools = rate_plays([make_play("oda 2", "wren 1"), make_play("oda 1", "wren 2", variant=Variant(brisk=True))])
    assert set(pools) == {POOL, Slot("menagerie", "brisk")}
    assert pools[POOL]["oda"].mean > START.mean > pools[Slot("menagerie", "brisk")]["oda"].mean


@pytest.mark.parametrize(
    "play",
    [
        make_play("oda 40", variant=Variant(solo=True)),
        make_play("oda", "wren", scoring=Scoring.COOPERATIVE),
        make_play("oda", "wren", scoring=Scoring.NONE),
        make_play("oda 1", "wren 2", rated=False),
        make_play("oda 1", "wren 2", counted=False),
    ],
)
def test_plays_without_a_contest_are_not_rated(play):
    assert pool_of(play) is None
    assert rate_plays([play]) == {}


def test_one_team_alone_changes_nothing():
    play = make_play(make_player("oda 1", team="a"), make_player("wren 1", team="a"))
    assert rate_plays([play]) == {POOL: {}}


def test_strangers_count_as_newcomers_and_bots_have_no_place():
    play = make_play("oda 9", make_player(" 3"), make_player("clock 1", bot=True), rated=True)
    pool = rate_plays([play])[POOL]
    assert set(pool) == {"oda", "bot Clock"}
    assert [one.person for one in rank_people(pool)] == ["oda"]


def test_people_with_few_plays_are_listed_without_a_place():
    pool = {"a": Rating(30, 2, 10), "b": Rating(40, 8, 9), "c": Rating(28, 0.5, 50)}
    assert [(one.place, one.person) for one in rank_people(pool)] == [(1, "c"), (2, "a"), (None, "b")]


def test_chance_of_being_better():
    assert chance_of_being_better(Rating(25, 4, 9), Rating(25, 4, 9)) == 0.5
    assert 0.7 < chance_of_being_better(Rating(29, 2, 9), Rating(27, 2, 9)) < 0.8


def test_continuing_from_a_stored_state_gives_the_same_ratings():
    plays = [play for play in make_season(300, games=1) if pool_of(play) == Slot("g0")]
    whole = RatingBook()
    for play in plays:
        whole.add(play)
    stored = RatingBook()
    for play in plays[:100]:
        stored.add(play)
    later = RatingBook(stored.ratings())
    for play in plays[100:]:
        later.add(play)
    assert later.ratings() == whole.ratings()


def test_an_edit_in_the_middle_does_not_redo_what_came_before(monkeypatch):
    plays = [play for play in make_season(400, games=1) if pool_of(play) == Slot("g0")]
    checkpoints = dict(rate_days(plays, {}))
    edited = next(play for play in plays if play.day.month == 9)
    new = replace(
        edited, players=tuple(replace(one, place=len(edited.players) + 1 - one.place) for one in edited.players)
    )
    plays = [new if play is edited else play for play in plays]
    rated = []
    monkeypatch.setattr(ratings.RatingBook, "add", _count(ratings.RatingBook.add, rated))
    before = {}
    for day, changed in checkpoints.items():
        if day < edited.day:
            before |= changed
    later = [play for play in plays if play.day >= edited.day]
    fresh = dict(rate_days(later, before))
    assert {play.day.month for play in rated} == {9, 10, 11, 12}
    assert fresh != {day: changed for day, changed in checkpoints.items() if day in fresh}
    merged = dict(before)
    for changed in fresh.values():
        merged |= changed
    assert merged == rate_plays(plays)[Slot("g0")]


def _count(add, rated):
    def counting(self, play):
        rated.append(play)
        add(self, play)

    return counting


def test_a_span_is_drawn_between_the_ends_of_its_axis():
    few, many = Rating(25, 8, 3), Rating(29, 2, 40)
    scale = rating_scale([few, many])
    assert 'class="wide is-early"' in draw_rating_span(few, scale)
    assert 'class="wide"' in draw_rating_span(many, scale)
    assert "nan" not in draw_rating_span(START, rating_scale([]))


def test_win_rates_are_drawn_with_a_table_and_escaped_names():
    drawn = draw_win_rates("Roles", "The fox wins most.", [WinRate("<Fox>", 3, 4, 0.5), WinRate("Hen", 0, 0)])
    assert "&lt;Fox&gt;" in drawn
    assert "<Fox>" not in drawn
    assert "75%" in drawn
    assert "Hen" not in drawn
    assert "Nothing has been played yet." in draw_win_rates("Roles", "", [])
