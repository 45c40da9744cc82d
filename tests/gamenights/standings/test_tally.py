"""Tallies: what counts as a win, nothing mixed, and parts that add up to the whole."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from itertools import groupby, pairwise

import pytest
from hypothesis import given, strategies as st

from gamenights.plays.values import Scoring, Variant
from gamenights.standings.core.leaderboard import award_titles, build_leaderboard
from gamenights.standings.core.summary import build_person_summary, find_nemesis, h_index, list_meetings
from gamenights.standings.core.tally import PersonTally, Slot, add_up, tally_plays
from gamenights.standings.core.tally_blocks import (
    SlotRows,
    blocks_with,
    cut_into_blocks,
    head_to_json,
    last_day_of,
    pairs_to_json,
    people_to_json,
    tally_from_json,
)
from tests.gamenights.plays.sample_plays import FIRST_DAY, make_play, make_player
from tests.gamenights.standings.sample_season import make_season

MENAGERIE = Slot("menagerie")


def test_wins_and_places_of_one_game():
    tally = tally_plays(
        [
            make_play("oda 12", "wren 9", "pim 3", number=1),
            make_play("oda 12", "wren 20", number=2, day=1),
            make_play("oda 40", "wren 20", "pim 1", number=3, day=2),
        ]
    )
    rows = build_leaderboard(tally, MENAGERIE)
    assert [(row.place, row.person, row.wins, row.contests) for row in rows] == [
        (1, "oda", 2, 3),
        (2, "wren", 1, 3),
        (3, "pim", 0, 2),
    ]
    assert (rows[0].best, rows[0].average) == (Decimal(40), Decimal("21.3"))
    assert round(rows[0].fair_wins, 3) == round(1 / 3 + 1 / 2 + 1 / 3, 3)


def test_equal_people_share_a_place():
    tally = tally_plays(
        [make_play("oda 1", "wren 2", "pim 0", number=1), make_play("oda 2", "wren 1", "pim 0", number=2)]
    )
    assert [row.place for row in build_leaderboard(tally)] == [1, 1, 3]


def test_variants_are_never_mixed():
    plays = [
        make_play("oda 10", "wren 1", number=1),
        make_play("oda 90", "wren 1", number=2, variant=Variant(brisk=True)),
        make_play("oda 50", "wren 1", number=3, variant=Variant(deck="Feast")),
    ]
    tally = tally_plays(plays)
    assert {slot.variant for slot in tally.slots} == {"", "brisk", "deck:Feast"}
    assert build_leaderboard(tally, MENAGERIE)[0].average == 10
    assert build_leaderboard(tally, Slot("menagerie", "brisk"))[0].best == 90
    # Over all games, only what can be counted is: no scores.
    assert build_leaderboard(tally)[0].wins == 3
    assert build_leaderboard(tally)[0].best is None


def test_solo_plays_are_records_and_not_wins():
    solo = Variant(solo=True)
    tally = tally_plays(
        [
            make_play(make_player("oda 30", won=True), number=1, variant=solo),
            make_play("oda 44", number=2, variant=solo),
        ]
    )
    (row,) = build_leaderboard(tally, Slot("menagerie", "solo"))
    assert (row.plays, row.contests, row.wins, row.best) == (2, 0, 0, 44)
    assert build_person_summary(tally, "oda").longest_streak == 0


def test_cooperative_plays_are_won_together():
    together = [make_player("oda", won=True), make_player("wren", won=True)]
    tally = tally_plays(
        [
            make_play(*together, number=1, scoring=Scoring.COOPERATIVE),
            make_play("oda", "wren", number=2, scoring=Scoring.COOPERATIVE),
        ]
    )
    record = build_person_summary(tally, "oda")
    assert (record.wins, record.contests, record.shared_wins, record.shared_plays) == (0, 0, 1, 2)
    assert record.meetings == ()


def test_lowest_score_is_the_best_where_low_wins():
    tally = tally_plays([make_play("oda 12", "wren 9", scoring=Scoring.LOW)])
    assert build_leaderboard(tally, MENAGERIE)[0].best == 9


def test_people_who_are_nobody_in_particular_and_bots_have_no_row():
    tally = tally_plays([make_play("oda 1", make_player(" 5"), make_player("clock 9", bot=True))])
    assert [row.person for row in build_leaderboard(tally)] == ["oda"]


def test_plays_that_do_not_count_are_passed_over():
    assert tally_plays([make_play("oda 1", "wren 2", counted=False)]).plays == 0


def test_head_to_head_counts_who_finished_ahead_and_leaves_teammates_out():
    plays = [make_play("oda 3", "wren 2", "pim 3", number=n, day=n) for n in range(4)]
    plays.append(
        make_play(
            make_player("oda 1", team="a"),
            make_player("wren 1", team="a"),
            make_player("pim 9", team="b"),
            number=9,
            day=9,
        )
    )
    tally = tally_plays(plays)
    meetings = {one.other: (one.ahead, one.behind, one.level) for one in list_meetings(tally.head_to_head(), "oda")}
    assert meetings == {"wren": (4, 0, 0), "pim": (0, 1, 4)}
    nemesis = find_nemesis(list_meetings(tally.head_to_head(), "wren"))
    assert (nemesis.other, nemesis.behind) == ("pim", 5)
    assert find_nemesis(list_meetings(tally.head_to_head(), "pim")) is None


def test_nobody_is_a_nemesis_after_two_plays():
    tally = tally_plays([make_play("oda 3", "wren 2", number=n, day=n) for n in range(2)])
    assert find_nemesis(list_meetings(tally.head_to_head(), "wren")) is None


def test_streaks_first_win_attendance_favourite_and_h_index():
    plays = [
        make_play("oda 1", "wren 2", number=1, day=0),
        make_play("oda 3", "wren 2", number=2, day=1),
        make_play("oda 3", "wren 2", number=3, day=1, game_name="Monarchs"),
        make_play("oda 3", "wren 2", number=4, day=2, game_name="Monarchs"),
        make_play("wren 2", "pim 3", number=5, day=3),
    ]
    record = build_person_summary(tally_plays(plays), "oda")
    assert (record.streak, record.longest_streak) == (3, 3)
    assert record.first_win == f"{FIRST_DAY + dt.timedelta(days=1)}"
    assert (record.nights, record.all_nights) == (3, 4)
    assert record.h_index == 2
    assert record.favourite == "Monarchs"
    assert build_person_summary(tally_plays(plays), "pim").first_win == f"{FIRST_DAY + dt.timedelta(days=3)}"


@pytest.mark.parametrize(("plays", "index"), [([], 0), ([1], 1), ([5, 4, 1], 2), ([3, 3, 3], 3), ([9], 1)])
def test_h_index(plays, index):
    assert h_index(plays) == index


@given(st.lists(st.booleans(), max_size=20), st.lists(st.booleans(), max_size=20))
def test_streaks_of_two_times_add_up(first, second):
    def whole(results):
        found = PersonTally()
        for won in results:
            found.count_contest(FIRST_DAY, won, 1)
        return found

    together = whole(first)
    together.add(whole(second))
    assert together == whole(first + second)
    runs = [len(list(group)) for won, group in groupby(first + second) if won]
    assert together.longest_run == max(runs, default=0)


def test_months_add_up_to_the_year():
    plays = make_season(400)
    months = [tally_plays(found) for _, found in groupby(plays, key=lambda play: (play.day.year, play.day.month))]
    assert len(months) == 12
    assert add_up(months) == tally_plays(plays)


def test_a_tally_comes_back_from_json():
    tally = tally_plays(make_season(200))
    head = json.loads(json.dumps(head_to_json(tally)))
    rows = {
        slot: SlotRows(json.loads(json.dumps(people_to_json(one.people))), pairs_to_json(one.pairs))
        for slot, one in tally.slots.items()
    }
    assert tally_from_json(head, rows) == tally
    without = tally_from_json(head, {})
    assert without.people == tally.people
    assert award_titles(without) == award_titles(tally)
    assert without.slots.keys() == tally.slots.keys()


@given(st.dates(dt.date(1990, 1, 1), dt.date(2040, 1, 1)), st.integers(0, 200))
def test_any_span_of_months_is_a_few_blocks(first, length):
    first = first.replace(day=1)
    number = first.year * 12 + first.month - 1 + length
    last = dt.date(number // 12, number % 12 + 1, 1)
    blocks = list(cut_into_blocks(first, last))
    assert blocks[0].start == first
    assert blocks[-1].end == last_day_of(last)
    for one, other in pairwise(blocks):
        assert one.end + dt.timedelta(days=1) == other.start
    assert len(blocks) <= 8 + length // 16
    assert all(block in blocks_with(block.start) for block in blocks)


def test_a_month_is_in_one_block_of_each_length():
    assert [block.months for block in blocks_with(dt.date(2026, 11, 1))] == [16, 8, 4, 2, 1]
    for block in blocks_with(dt.date(2026, 11, 1)):
        assert block.start <= dt.date(2026, 11, 1) <= block.end


def test_roles_and_start_players_have_win_rates():
    plays = [
        make_play(make_player("oda 3", role="Fox", started=True), make_player("wren 1", role="Hen"), number=1),
        make_play(make_player("oda 3", role="Hen"), make_player("wren 9", role="Fox", started=True), number=2),
    ]
    slot = tally_plays(plays).slots[MENAGERIE]
    assert slot.roles == {"Fox": (2, 2), "Hen": (2, 0)}
    assert slot.starters == (2, 2)


def test_titles_name_the_figure_that_earned_them():
    plays = [make_play("oda 9", "wren 1", number=n, day=n, game_name=f"Game {n % 3}") for n in range(4)]
    plays.append(make_play("wren 1", number=8, day=8, variant=Variant(solo=True)))
    titles = {title.key: title for title in award_titles(tally_plays(plays))}
    assert (titles["wins"].people, titles["wins"].reason) == (("oda",), "most wins, 4 of 4")
    assert (titles["nights"].people, titles["nights"].reason) == (("wren",), "5 nights of 5, 5 plays")
    assert titles["streak"].reason == "4 wins in a row"
    assert (titles["games"].people, titles["games"].reason) == (("wren",), "4 different games")
    assert "shared" not in titles


def test_title_shared_by_six_people_is_not_given():
    people = [f"p{number}" for number in range(6)]
    plays = [make_play(*(f"{one} {at}" for at, one in enumerate(people)), number=n, day=n) for n in range(3)]
    assert {title.key for title in award_titles(tally_plays(plays))} == {"wins", "streak"}


def test_no_plays_no_titles():
    assert award_titles(tally_plays([])) == []
