"""The course of a war as numbers, and the page that draws it."""

from __future__ import annotations

from django.urls import reverse

from campaign.annals.chapters import chapters
from campaign.annals.courses import by_scenario, courses, meetings
from campaign.annals.fought import battles
from campaign.annals.lines import effective
from tests.campaign.test_door import Table
from tests.campaign.wars import War, joining


def test_a_course_goes_battle_by_battle_and_what_is_spent_counts_to_the_battle_before():
    war = War(2)
    war.result("k1", "k2.border_1", points={"k1": 5})
    war.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    war.result("k1", "k2.border_2", "defender")
    war.do("kingdom_joins", joining("Thistledown"))
    oakhold, fenwick, thistledown = courses(effective(war.lines))
    assert oakhold.line("vp") == ((0, 0), (1, 2), (2, 2))
    assert oakhold.line("loyalty") == ((0, 0), (1, 2), (2, 1))
    assert fenwick.line("holds") == ((0, 4), (1, 3), (2, 3))
    assert thistledown.line("holds") == ((2, 4),)


def test_a_season_starts_with_what_there_was():
    war = War(2)
    war.result("k1", "k2.border_1")
    war.do("season_opened", {"name": "Spring"})
    war.result("k1", "k2.border_2")
    chapter = chapters(effective(war.lines))[0]
    assert courses(chapter.lines[1:], chapter.before)[0].line("holds") == ((0, 5), (1, 6))


def test_meetings_and_scenarios_are_counted():
    war = War(3)
    war.result("k1", "k2.border_1", scenario="ambush")
    war.result("k2", "k2.border_1", "draw", scenario="ambush")
    war.result("k3", "k2.border_2", "defender")
    fought = battles(effective(war.lines))
    met = meetings(fought)
    assert dict(met.won) == {("k1", "k2"): 1, ("k2", "k3"): 1}
    assert dict(met.drawn) == {("k2", "k1"): 1}
    assert by_scenario(fought) == {"ambush": {"attacker": 1, "draw": 1}, None: {"defender": 1}}


def test_the_page_draws_all_of_it(master, player):
    table = Table(master, player)
    address = reverse("campaign:charts", args=[table.campaign.code])
    assert "No battle has been fought yet" in master.client.get(address).content.decode()
    table.do("season_opened", {"name": "Spring"})
    table.result("k1", "k2.border_1", points={"k1": 4}, scenario="ambush")
    table.result("k1", "k2.border_2", points={"k1": 2})
    page = master.client.get(address).content.decode()
    assert page.count("chart-lines") == 3
    assert "Oakhold holds the most land, 6." in page
    assert "The attacker won two of two battles." in page
    assert "met most often: two battles." in page
    assert master.client.get(f"{address}?season=1").status_code == 200
    assert master.client.get(f"{address}?season=7").status_code == 404
