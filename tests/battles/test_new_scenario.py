"""The recipe "Add a scenario": a row with tracks is all that score, tracker, report, slip and story need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.result.core.report import UnitReport, default_units
from battles.result.core.story import StoryContext, write_story
from battles.slip.display import blank_slip
from battles.tracker.core import live_score
from printing.sheets.battle_sheets import score_boxes
from printing.sheets.rules_sheets import scenario_row, score_line
from refusal import Refusal
from rulebook.battle.morale import fate_off_table
from rulebook.campaign.battle_scoring import score_report
from rulebook.data import scenarios
from rulebook.data.scenario_goals import HeldAtEnd, HeldEachRound, HoldsAfterKills, SetAblaze, Track
from rulebook.data.scenarios import KILL, SCENARIO, WIN, Scenario, VpAward, endings_of
from tests.battles.battle_rows import Seat, make_battle
from tests.battles.tracker.core.memory_tracker import Play

FIVE = {"A": default_units("A"), "B": default_units("B")}


def a_scenario(track: Track, rounds: int | None = None) -> Scenario:
    """A row for rulebook/data/scenarios.py."""
    pays = (VpAward(track.key, track.side, 1, f"for each of the {track.noun}"),) if track.key else ()
    return replace(
        SCENARIO["pitched_battle"],
        roll=None,
        key="foraging",
        name="Foraging",
        rounds=rounds,
        vp=(KILL, WIN, *pays),
        tracks=(track,),
        in_story="",
        many_armies=False,
    )


GRANARIES = a_scenario(HeldAtEnd("granary", "granaries", 2), rounds=4)
WELLS = a_scenario(HeldEachRound("well", "wells", 2, "deep wells"))
BEACONS = a_scenario(SetAblaze("beacon", "beacons", 6))
MILL = a_scenario(HoldsAfterKills(place="mill", kills=2))


@pytest.fixture
def add(monkeypatch):
    endings_of.cache_clear()

    def put(scenario: Scenario) -> Scenario:
        monkeypatch.setitem(SCENARIO, scenario.key, scenario)
        monkeypatch.setattr(scenarios, "SCENARIOS", (*scenarios.SCENARIOS, scenario))
        return scenario

    yield put
    endings_of.cache_clear()


def endings() -> dict[str, str]:
    return {ending.key: ending.text for ending in endings_of("foraging")}


def test_objectives_held_at_the_end(add):
    add(GRANARIES)
    assert endings()["counted"] == "4 rounds played: the granaries decide"
    report = UnitReport("foraging", "counted", FIVE, {"B": ("king",)}, crossings={"A": 2})
    score = score_report(report.to_scoring_report())
    assert (score.winner, score.vp("A"), score.reason) == ("A", 1 + 2 + 2, "Side A holds 2 granaries against 0.")
    with pytest.raises(Refusal, match="There are only 2 granaries, not 3"):
        replace(report, crossings={"A": 2, "B": 1}).to_scoring_report()
    play = Play("foraging")
    play.begin()
    assert play.do("crossings", held={"A": 1}).sentences == ("Granaries held: Oakhold 1, Thistledown 0.",)
    for _ in range(4):
        play.do("round_over")
    assert live_score.battle_verdict(play.tracker, play.terms).winner == "A"


def test_objectives_held_each_round(add):
    add(WELLS)
    report = UnitReport("foraging", "destroyed-B", FIVE, mounds=((1, 1), (2, 0)))
    score = score_report(report.to_scoring_report())
    assert [line.text for line in score.lines if line.key == "well"] == [
        "Deep wells held at the end of rounds: 3.",
        "Deep wells held at the end of rounds: 1.",
    ]
    context = StoryContext({"A": "Oakhold", "B": "Fenwick"}, "foraging")
    story = " ".join(sentence for part in write_story(context, report, score) for sentence in part)
    assert "They fought “Foraging”." in story
    assert "Over two rounds Oakhold held three wells and Fenwick one." in story
    play = Play("foraging")
    play.begin()
    assert "Wells held in round 1: Oakhold 2, Thistledown 0." in play.do("round_over", held={"A": 2}).sentences
    assert live_score.vp_earned(play.tracker, play.terms, "A") == 2


def test_buildings_set_on_fire(add):
    add(BEACONS)
    report = UnitReport("foraging", "ablaze", FIVE)
    score = score_report(report.to_scoring_report())
    assert (score.winner, score.vp("A"), score.reason) == ("A", 6 + 2, "All 6 beacons are ablaze.")
    play = Play("foraging")
    play.begin()
    play.fight("A2", None, "torch", [10, 10, 1, 1, 1], building=6)
    assert live_score.building_wounds(play.tracker, play.terms)[-1] == (6, 2)


def test_a_place_held_after_kills(add):
    add(MILL)
    assert endings()["mill-B"] == "{b} holds the mill, 2 units removed"
    report = UnitReport("foraging", "mill-B", FIVE, {"A": ("king", "house-1")})
    assert score_report(report.to_scoring_report()).reason == "Side B removed 2 units and holds the mill."
    play = Play("foraging")
    play.begin()
    assert play.do("holder", side="B").sentences == ("Thistledown holds the mill.",)


def test_refusals_name_every_scenario_that_counts_in_this_way(add):
    add(BEACONS)
    with pytest.raises(Refusal, match="only in Chevauchee and Foraging"):
        score_report(UnitReport("ambush", "draw", FIVE, ablaze=1).to_scoring_report())


def test_slips_and_sheets_have_boxes_for_the_goal(add):
    row = add(GRANARIES)
    slip = blank_slip("foraging", address="", no_qr="", place_to_type="")
    assert score_boxes(slip, slip.sides[0], "granary") == 2
    assert score_line(row, row.vp[-1])["boxes"] == 2
    assert scenario_row(row)["vp"][-1] == ["granary", "", 1]


def test_where_units_flee_is_read_from_where_a_side_deploys(add):
    here, there = GRANARIES.zones
    add(replace(GRANARIES, zones=(replace(here, flees="far edge"), there)))
    assert [fate_off_table("foraging", side) for side in "AB"] == ["escaped", "removed"]


PAGES = [
    (GRANARIES, ["Granaries held by Thistledown"], ["Granaries occupied at the end"], ["Granaries at the end:"]),
    (WELLS, ["Wells held by Oakhold"], ["Deep wells held when each round ended"], ["Deep wells held when the round"]),
    (BEACONS, ["Building 6"], ["Beacons ablaze", 'value="6"'], ["Beacons ablaze:"]),
    (MILL, ["Mill held by"], ["Oakhold holds the mill, 2 units removed"], []),
]


@pytest.mark.parametrize(
    ("scenario", "tracker", "report", "slip"), PAGES, ids=["granaries", "wells", "beacons", "mill"]
)
def test_pages_ask_for_the_goal(add, player, scenario, tracker, report, slip):
    add(scenario)
    seat = Seat(player.client, make_battle(player, "foraging"))
    seat.begin()
    asked = f"/battles/{seat.battle.code}/report/"
    for page, texts in (
        (seat.page(), tracker),
        (player.client.get(asked).content.decode(), report),
        (player.client.get("/battles/slips/?scenario=foraging").content.decode(), slip),
    ):
        words = " ".join(page.split())
        assert all(text in words for text in texts), texts
