"""The series of a war, and the page that draws them."""

from __future__ import annotations

from django.urls import reverse

from campaign.chronicle.battles_from_entries import count_by_scenario, count_head_to_head, list_battles
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import build_series
from campaign.chronicle.seasons.cut_into_seasons import split_seasons
from tests.campaign.chronicle.sample_wars import War, joining
from tests.campaign.test_services import Table


def test_series_has_one_step_per_battle_and_counts_spending_to_the_previous_one():
    war = War(2)
    war.result("k1", "k2.border_1", points={"k1": 5})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    war.result("k1", "k2.border_2", "defender")
    war.do("kingdom_joins", joining("Thistledown"))
    oakhold, fenwick, thistledown = build_series(effective_entries(war.lines))
    assert oakhold.values_of("vp") == ((0, 0), (1, 2), (2, 2))
    assert oakhold.values_of("loyalty") == ((0, 0), (1, 2), (2, 1))
    assert fenwick.values_of("holds") == ((0, 4), (1, 3), (2, 3))
    assert thistledown.values_of("holds") == ((2, 4),)


def test_season_series_starts_from_the_state_before_it():
    war = War(2)
    war.result("k1", "k2.border_1")
    war.do("season_opened", {"name": "Spring"})
    war.result("k1", "k2.border_2")
    season = split_seasons(effective_entries(war.lines))[0]
    assert build_series(season.entries[1:], season.before)[0].values_of("holds") == ((0, 5), (1, 6))


def test_battles_between_kingdoms_and_scenarios_are_counted():
    war = War(3)
    war.result("k1", "k2.border_1", scenario="ambush")
    war.result("k2", "k2.border_1", "draw", scenario="ambush")
    war.result("k3", "k2.border_2", "defender")
    fought = list_battles(effective_entries(war.lines))
    met = count_head_to_head(fought)
    assert dict(met.won) == {("k1", "k2"): 1, ("k2", "k3"): 1}
    assert dict(met.drawn) == {("k2", "k1"): 1}
    assert count_by_scenario(fought) == {"ambush": {"attacker": 1, "draw": 1}, None: {"defender": 1}}


def test_page_draws_every_chart(master, player):
    table = Table(master, player)
    address = reverse("campaign:charts", args=[table.campaign.code])
    assert "No battle has been fought yet" in master.client.get(address).content.decode()
    table.result("k1", "k2.border_1", points={"k1": 4}, scenario="ambush")
    table.result("k1", "k2.border_2", points={"k1": 2})
    page = master.client.get(address).content.decode()
    assert page.count("chart-lines") == 3
    assert "Oakhold holds the most land, 6." in page
    assert "The attacker won two of two battles." in page
    assert "met most often: two battles." in page
    assert master.client.get(f"{address}?season=1").status_code == 200
    assert master.client.get(f"{address}?season=7").status_code == 404
