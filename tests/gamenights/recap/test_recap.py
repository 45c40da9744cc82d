"""The recap of a night and the Gazette of a season: facts only, in plain words."""

from __future__ import annotations

import re

import pytest

from gamenights.plays.values import Scoring, Variant
from gamenights.recap.facts import (
    build_night_recap,
    describe_result,
    find_news,
    find_stories,
    format_length,
    win_margin,
)
from gamenights.recap.gazette import build_gazette
from gamenights.standings.core.tally import Tally, tally_plays
from tests.gamenights.plays.sample_plays import make_play, make_player
from tests.gamenights.standings.sample_season import make_season


def kinds(facts):
    return [fact.kind for fact in facts]


@pytest.mark.parametrize(
    ("play", "sentence"),
    [
        (make_play("oda 42", "wren 30", "pim 12"), "Oda won with 42, ahead of Wren (30) and Pim (12)."),
        (make_play("oda 7", "wren 7"), "Oda and Wren ended level with 7."),
        (make_play(make_player("oda", won=True), "wren", scoring=Scoring.NONE), "Oda won, ahead of Wren."),
        (make_play("oda", "wren", scoring=Scoring.NONE), "Oda and Wren played without a winner."),
        (make_play("oda", "wren", scoring=Scoring.COOPERATIVE), "Oda and Wren lost together."),
        (make_play("oda 55", variant=Variant(solo=True)), "Oda played alone and scored 55."),
        (
            make_play(make_player("oda 3", team="a"), make_player("pim", team="a"), make_player("wren 1", team="b")),
            "Oda and Pim won with 3, ahead of Wren (1).",
        ),
    ],
)
def test_how_a_play_ended(play, sentence):
    assert describe_result(play) == sentence


def test_a_night_has_headline_results_and_a_table():
    night = [
        make_play("oda 42", "wren 30", number=1, minutes=75, notes="Cheese."),
        make_play("oda 4", "wren 3", "pim 9", number=2, minutes=30, game_name="Monarchs"),
        make_play("oda 4", "pim 3", number=3, variant=Variant(brisk=True)),
    ]
    recap = build_night_recap(night, Tally())
    assert recap.headline == "Oda won the night with 2 wins"
    assert recap.summary == "3 plays of 2 games, 3 people, 1 h 45 min at the table."
    assert [(row.place, row.name, row.wins, row.plays) for row in recap.table] == [
        (1, "Oda", 2, 3),
        (2, "Pim", 1, 2),
        (3, "Wren", 0, 2),
    ]
    assert recap.results[0].notes == "Cheese."
    assert recap.results[2].variant == "brisk"


def test_an_empty_night_has_a_sentence():
    recap = build_night_recap([], Tally())
    assert (recap.headline, recap.summary) == ("Nothing has been played yet", "No plays are logged for this night.")


def test_a_shared_night():
    night = [make_play("oda 4", "wren 3", number=1), make_play("oda 3", "wren 4", number=2)]
    assert build_night_recap(night, Tally()).headline == "Oda and Wren shared the night with 1 win each"


def test_records_compare_with_everything_before():
    earlier = [make_play("oda 20", "wren 30", number=n, day=n) for n in range(3)]
    before = tally_plays(earlier)
    news = find_news([make_play("oda 44", "wren 25", number=9, day=9)], before)
    assert [fact.text for fact in news] == [
        "Oda set a record in Menagerie: 44; it was 30.",
        "Oda won for the first time, in Menagerie.",
        "Oda finally finished ahead of Wren, after 3 plays behind.",
    ]
    assert before == tally_plays(earlier)


def test_records_are_never_taken_from_another_variant():
    before = tally_plays([make_play("oda 20", "wren 30", variant=Variant(brisk=True))])
    assert "best_score" not in kinds(find_news([make_play("oda 44", "wren 25", number=9, day=9)], before))


def test_own_best_round_numbers_streaks_and_new_games():
    before = tally_plays(
        [make_play("oda 20", "wren 30", number=n, day=n) for n in range(5)]
        + [make_play("wren 90", "pim 1", number=n, day=n) for n in range(10, 14)]
    )
    night = [
        make_play("oda 25", "wren 35", number=20, day=20),
        make_play("wren 2", "pim 1", number=21, day=20, game_name="Monarchs"),
    ]
    assert [fact.text for fact in find_news(night, before)] == [
        "Menagerie was played for the 10th time.",
        "Oda scored 25 in Menagerie, their best so far.",
        "Monarchs was played for the first time.",
        "Wren has won 11 in a row.",
    ]


def test_lowest_score_is_the_record_where_low_wins():
    before = tally_plays([make_play("oda 20", "wren 30", scoring=Scoring.LOW)])
    news = find_news([make_play("oda 12", "wren 44", scoring=Scoring.LOW, number=2, day=2)], before)
    assert news[0].text == "Oda set a record in Menagerie: 12; it was 20."


def test_stories_of_close_clear_and_long_games():
    stories = find_stories(
        [
            make_play("oda 30", "wren 29", number=1, minutes=20),
            make_play("oda 90", "wren 10", number=2, minutes=130, game_name="Monarchs"),
        ]
    )
    assert [fact.text for fact in stories] == [
        "The closest game: Menagerie, decided by 1 point. Oda won with 30, ahead of Wren (29).",
        "The clearest win: Oda in Monarchs, by 80 points.",
        "The longest game: Monarchs, 2 h 10 min.",
    ]


def test_margins():
    assert win_margin(make_play(make_player("oda 5", won=True), "wren 5")) == 0
    assert win_margin(make_play("oda 2", "wren 9", scoring=Scoring.LOW)) == 7
    assert win_margin(make_play("oda 2", "wren 2")) is None
    assert win_margin(make_play("oda 2", variant=Variant(solo=True))) is None


@pytest.mark.parametrize(
    ("minutes", "words"), [(1, "1 minute"), (45, "45 minutes"), (60, "1 hour"), (125, "2 h 5 min")]
)
def test_lengths(minutes, words):
    assert format_length(minutes) == words


def test_the_gazette_tells_a_season():
    plays = [make_play("oda 9", "wren 1", "pim 3", number=n, day=n, minutes=30) for n in range(4)]
    plays.append(make_play("oda 1", "wren 5", number=8, day=8, game_name="Monarchs"))
    plays.append(make_play("oda", "wren", number=9, day=9, game_name="Rescue", scoring=Scoring.COOPERATIVE))
    gazette = build_gazette("Spring 2026", plays, Tally())
    assert gazette.headline == "Oda leads Spring 2026 with 4 wins"
    assert gazette.lead == (
        "From 5 March 2026 to 14 March 2026, 3 people played 6 times on 6 nights: 3 games in all.",
        "The logged time at the table is 2 hours.",
        "Wren follows with 1 win.",
        "Playing together, the group won 0 of 1.",
    )
    assert [(line.name, line.plays, line.leader) for line in gazette.games] == [
        ("Menagerie", 4, "Oda, 4 wins of 4"),
        ("Monarchs", 1, "Wren, 1 win of 1"),
        ("Rescue", 1, ""),
    ]
    assert gazette.titles[0][1] == "Oda"
    assert gazette.rivalries[0] == "Oda and Wren, 5 plays: Oda ahead 4–1."
    assert gazette.last_play == "14 March 2026, Rescue: Oda and Wren lost together."


def test_an_empty_season_has_a_gazette_too():
    gazette = build_gazette("Spring 2026", [], Tally())
    assert gazette.headline == "Spring 2026: the tables are still empty"
    assert gazette.lead == ("No plays are logged for this season.",)


def test_large_season_names_any_number_of_people_in_whole_sentences():
    plays = make_season(300)
    gazette = build_gazette("2025", plays, Tally())
    sentences = [*gazette.lead, *(fact.text for fact in (*gazette.news, *gazette.stories)), *gazette.rivalries]
    assert all(re.match(r"[A-Z].*\.$", sentence) for sentence in sentences)
    assert len(gazette.news) <= 12
