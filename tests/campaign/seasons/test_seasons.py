"""Seasons: standings, titles and stories computed from the entries, and the page saved when a season closes."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import random

import pytest
from django.urls import reverse

from campaign.chronicle.battles_from_entries import list_battles
from campaign.chronicle.corrections import preview_strike
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.export_and_import import validate_chronicle
from campaign.chronicle.scores import build_series
from campaign.chronicle.seasons import story as closing_record
from campaign.chronicle.seasons.cut_into_seasons import find_changes_since_closing, find_season_as_closed, split_seasons
from campaign.chronicle.seasons.standings import list_wars, rank_careers, rank_kingdoms
from campaign.chronicle.seasons.story import MAX_EVENTS, write_story
from campaign.chronicle.seasons.titles import award_titles
from campaign.models import Campaign, SeasonPage
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import War
from tests.campaign.random_acts import any_act
from tests.campaign.test_services import Table


def sample_season() -> War:
    war = War(3)
    war.do("season_opened", {"name": "The Wet Spring"}, "2026-03-01")
    war.result("k1", "k2.border_1", points={"k1": 4, "k2": 1}, day="2026-03-02")
    war.result("k1", "k2.border_2", points={"k1": 5}, houses_lost={"k2": [1]}, day="2026-03-05")
    war.result("k2", "k2.border_1", points={"k2": 6}, day="2026-04-05")
    war.result("k1", "k2.border_1", points={"k1": 6, "k2": 3}, scenario="ambush", day="2026-04-05")
    war.do("vp_spent", {"kingdom": "k2", "what": "regain", "house": 1}, "2026-04-06")
    war.result("k1", "k2.lands", day="2026-04-07")
    war.result("k1", "k3.border_1", "defender", day="2026-04-08")
    war.do("season_closed", {}, "2026-05-01")
    return war


def seasons_of(war: War):
    return split_seasons(effective_entries(war.lines))


def story_of(season) -> str:
    return " ".join(sentence.text for paragraph in write_story(season) for sentence in paragraph)


def titles_of(season) -> dict[str, str]:
    return {title.key: title.said for title in award_titles(season)}


def test_season_has_a_start_and_an_end():
    war = sample_season()
    war.do("note", {"text": "between the seasons"}, "2026-05-02")
    war.do("season_opened", {"name": "Summer"}, "2026-06-01")
    first, second = seasons_of(war)
    assert (first.number, first.name, first.closed.played_on, first.before.count_holdings("k1")) == (
        1,
        "The Wet Spring",
        "2026-05-01",
        4,
    )
    assert first.after.count_holdings("k1") == 7
    assert second.is_open
    assert second.before.count_holdings("k1") == 7
    assert [entry.act for entry in second.entries] == ["season_opened"]


def test_standings_sort_by_land_points_and_loyalty_and_ties_share_a_place():
    war = sample_season()
    ranks = rank_kingdoms(seasons_of(war)[0].after, seasons_of(war)[0].entries)
    assert [(rank.place, rank.name, rank.holds) for rank in ranks] == [
        (1, "Oakhold", 7),
        (2, "Thistledown", 4),
        (3, "Fenwick", 1),
    ]
    record = ranks[0].record
    assert (record.fought, record.won, record.lost, record.earned, record.taken) == (6, 4, 2, 15, 4)
    assert ranks[2].record.spent == 2
    level = War(2)
    assert [rank.place for rank in rank_kingdoms(level.state, level.lines)] == [1, 1]


def test_titles_are_computed_from_entries_with_figures():
    titles = titles_of(seasons_of(sample_season())[0])
    assert titles["wins"] == "Oakhold: 4 battles won."
    assert titles["points"] == "Oakhold: 15 VP earned in battle."
    assert titles["border"] == "border_2 of Fenwick by Oakhold: held for 57 days."
    assert titles["retaking"] == "Fenwick won back border_1 of Fenwick from Oakhold after 34 days."
    assert titles["fickle"] == "Fenwick Ash of Fenwick changed sides twice."
    assert titles["spender"] == "Fenwick: 2 VP spent."
    assert titles["battle"] == "Oakhold against Fenwick for border_1 of Fenwick: 6 VP to 3."
    assert "removed" not in titles, "no battle was reported by units"
    assert "wall" not in titles, "one attack beaten off is no title"


def test_removed_units_count_for_the_kingdom_that_removed_them():
    war = War()
    war.do("season_opened", {"name": "Spring"})
    report = {"scenario": "pitched_battle", "a": {"fielded": 5, "removed": 1}, "b": {"fielded": 5, "removed": 5}}
    war.result("k1", "k2.border_1", report=report)
    assert titles_of(seasons_of(war)[0])["removed"] == "Oakhold: 5 units removed."


def test_season_without_battles_has_a_story_but_no_titles():
    war = War()
    war.do("season_opened", {"name": "The Quiet Winter"})
    war.do("season_closed", {})
    season = seasons_of(war)[0]
    assert award_titles(season) == ()
    assert "No battles were fought before the season closed" in story_of(season)


def test_story_follows_the_entries():
    story = story_of(seasons_of(sample_season())[0])
    for sentence in (
        "Season 1, The Wet Spring, opened on 1 March 2026.",
        "Three kingdoms faced each other: Oakhold, Fenwick and Thistledown.",
        "On 2 March Oakhold beat Fenwick and took border_1 of Fenwick, 4 VP to 1. Oakhold now held the most land.",
        "Fenwick Ash sent nobody, and Fenwick lost its fealty.",
        "Fenwick beat Oakhold and won back border_1 of Fenwick, 6 VP to 0. "
        "It changed hands for the second time this season.",
        "Oakhold beat Fenwick in Ambush and took border_1 of Fenwick, 6 VP to 3.",
        "Thistledown held off Oakhold at border_1 of Thistledown.",
        "Six battles were fought before the season closed on 1 May 2026.",
        "Oakhold held seven territories, Thistledown four and Fenwick one at the end.",
        "Oakhold had the most VP, 15.",
    ):
        assert sentence in story


def test_story_mentions_a_third_win_in_a_row_and_its_end():
    war = War(2)
    war.do("season_opened", {"name": "Spring"})
    for target in ("k2.border_1", "k2.border_2", "k2.lands"):
        war.result("k1", target)
    war.result("k1", "k2.castle", "defender")
    story = story_of(seasons_of(war)[0])
    assert "It was the third win in a row for Oakhold." in story
    assert "Oakhold had won three times in a row before that." in story


def test_story_of_a_long_season_tells_turning_points_and_counts_the_rest():
    war = War(2)
    war.do("season_opened", {"name": "Spring"})
    for _ in range(MAX_EVENTS + 20):
        war.result("k1", "k2.border_1", "draw")
    war.result("k1", "k2.border_1")
    season = seasons_of(war)[0]
    story = story_of(season)
    assert "Oakhold beat Fenwick and took border_1 of Fenwick" in story
    assert "The chronicle has 21 more battles of this season." in story
    assert "81 battles have been fought so far." in story


def test_new_war_starts_fresh_and_the_old_one_is_in_the_hall_of_fame():
    war = War(2)
    war.do("season_opened", {"name": "Spring"}, "2026-03-01")
    for target in ("k2.border_1", "k2.border_2", "k2.lands", "k2.castle"):
        war.result("k1", target, day="2026-03-02")
    war.do("season_closed", {}, "2026-03-03")
    war.do("season_opened", {"name": "Summer", "new_war": True}, "2026-04-01")
    war.result("k2", "k1.border_1", day="2026-04-02")
    order = effective_entries(war.lines)
    first, second = list_wars(order)
    assert (first.winner, first.battles, first.seasons, first.won_on) == ("k1", 4, (1,), "2026-03-02")
    assert (second.winner, second.battles, second.seasons) == ("", 1, (2,))
    assert "A new war began, and every kingdom held its own land again." in story_of(seasons_of(war)[1])
    best = rank_careers(order, seasons_of(war), war.state)[0]
    assert (best.name, best.wars, best.seasons_led, best.record.fought, best.places) == ("Oakhold", 1, 1, 5, {1: 1})


def test_season_page_is_plain_json_without_people():
    war = sample_season()
    page = closing_record.build_season_page(seasons_of(war)[0])
    assert json.loads(json.dumps(page)) == page
    war.do("ruler_changed", {"kingdom": "k1", "person": 77}, "2026-05-01")
    assert "77" not in json.dumps(closing_record.build_season_page(seasons_of(sample_season())[0])["story"])


def test_corrections_to_a_closed_season_are_found():
    war = sample_season()
    closed = war.lines[-1].number
    assert find_changes_since_closing(war.lines, closed) == ()
    war.do("note", {"text": "afterwards"}, "2026-05-02")
    strike = war.confirm(preview_strike(war.lines, 6)).number
    assert find_changes_since_closing(war.lines, closed) == (strike,)
    war.restore(strike)
    assert find_changes_since_closing(war.lines, closed) == (strike, strike + 1)
    assert find_season_as_closed(war.lines, closed) == seasons_of(sample_season())[0]


@pytest.mark.parametrize("seed", range(12))
def test_any_campaign_can_be_narrated_counted_and_validated(seed):
    chance = random.Random(seed)
    war = War(3)
    for _ in range(50):
        with contextlib.suppress(Refusal):
            if chance.random() < 0.12:
                war.confirm(preview_strike(war.lines, chance.randrange(2, war.next())))
            else:
                act, body = any_act(war.state, chance.randrange, [1, 2, 3])
                war.do(act, body)
    order = effective_entries(war.lines)
    for season in split_seasons(order):
        page = closing_record.build_season_page(season)
        assert json.loads(json.dumps(page)) == page
        assert sum(rank["holds"] for rank in page["ranks"]) <= len(season.after.holders)
    rows = rank_careers(order, split_seasons(order), war.state)
    fights = list_battles(order)
    assert sum(row.record.won for row in rows) <= len(fights)
    assert sum(each.battles for each in list_wars(order)) == len(fights)
    build_series(order)
    state, _ = validate_chronicle(war.lines, today=dt.date(2026, 3, 2))
    assert state == war.state


# --- kept and drawn ---------------------------------------------------------------------------------------------------


@pytest.fixture
def table(master, player):
    return Table(master, player)


def test_closing_writes_a_permanent_page_that_is_marked_when_corrected(table, master):
    first = table.result("k1", "k2.border_1", points={"k1": 4})["entry"]
    key = "close-it-once"
    client = master.client
    address = reverse("campaign:open_or_close_season", args=[table.campaign.code])
    answer = client.post(address, {"turn": "close", "key": key})
    assert answer.status_code == 302
    assert client.post(address, {"turn": "close", "key": key}).headers["location"] == answer.headers["location"]
    kept = SeasonPage.objects.get()
    page = client.get(answer.headers["location"])
    assert "Oakhold beat Fenwick" in page.content.decode()
    assert "Corrected since" not in page.content.decode()
    table.correct("strike", first)
    corrected = client.get(answer.headers["location"]).content.decode()
    assert "Oakhold beat Fenwick" in corrected
    assert "Corrected since" in corrected
    assert SeasonPage.objects.get().content == kept.content


def test_striking_the_closing_entry_reopens_the_season(table, master):
    closed = table.do("season_closed", {})["entry"]
    table.correct("strike", closed)
    page = master.client.get(reverse("campaign:season_page", args=[table.campaign.code, 1])).content.decode()
    assert "This season is open." in page


def test_season_with_an_open_battle_cannot_be_closed(table, master):
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    address = reverse("campaign:open_or_close_season", args=[table.campaign.code])
    answer = master.client.post(address, {"turn": "close", "key": "close-it-once"})
    assert answer.status_code == 422
    assert "Finish or call off each" in answer.content.decode()
    assert not SeasonPage.objects.exists()


def test_seasons_page_lists_every_season(table, master, django_assert_max_num_queries):
    for target in ("k2.border_1", "k2.border_2", "k2.lands", "k2.castle"):
        table.result("k1", target)
    table.do("season_closed", {})
    table.do("season_opened", {"name": "Summer", "new_war": True})
    with django_assert_max_num_queries(14):
        page = master.client.get(reverse("campaign:seasons", args=[table.campaign.code])).content.decode()
    assert "Season 1, " in page
    assert "won war 1" in page
    assert "Season 2, " in page
    assert Campaign.objects.get().name in page
