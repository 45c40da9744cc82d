"""Each scenario's result form against examples calculated by hand from the book (SCEN-01 to SCEN-12, R-53 to R-65)."""

from __future__ import annotations

import pytest

from battles.result.core.report import (
    MultiArmyReport,
    UnitReport,
    default_units,
    scoring_report_to_json,
    units_from_army,
)
from battles.result.core.story import StoryContext, write_story
from campaign.chronicle.codec import read_report
from refusal import Refusal
from rulebook.campaign.battle_scoring import score_report
from rulebook.data.house_rules import Options
from rulebook.data.scenarios import SCENARIOS, endings_of, find_ending
from rulebook.muster.army import Army, Slot as ArmySlot, mustered_unit

FIVE = {"A": default_units("A"), "B": default_units("B")}  # the King's unit and one of each of four houses
SEVEN = {"A": default_units("A", siege=True), "B": default_units("B", siege=True)}


def a_report(scenario: str, ending: str, **more) -> UnitReport:
    return UnitReport(scenario, ending, SEVEN if scenario == "siege" else FIVE, **more)


# The example, who wins, VP of A and of B. The sums are in the comments.
EXAMPLES = [
    # Two of A and three of B removed, B yields: A 3 kills + 2 win, B 2 kills; the yielded units pay nothing.
    (
        a_report(
            "pitched_battle", "yielded-B", removed={"A": ("house-1", "house-2"), "B": ("house-1", "house-2", "king")}
        ),
        "A",
        5,
        2,
    ),
    # Nobody decides it: one of each removed, no win, no more.
    (a_report("pitched_battle", "draw", removed={"A": ("house-1",), "B": ("house-2",)}), None, 1, 1),
    # A holds out with one unit left: A 2 kills + 2 win; B 4 kills.
    (
        a_report(
            "last_stand",
            "held_out",
            removed={"A": ("king", "house-1", "house-2", "house-3"), "B": ("house-1", "house-4")},
        ),
        "A",
        4,
        4,
    ),
    # A overrun: all five removed: B 5 kills + 2 win, A 1 kill.
    (a_report("last_stand", "destroyed-A", removed={"B": ("house-1",)}), "B", 1, 7),
    # Crossings 2 to 1: A 1 kill + 2 crossings + 2 win; B 2 kills + 1 crossing.
    (
        a_report(
            "secure_the_crossing",
            "counted",
            removed={"A": ("house-1", "house-2"), "B": ("house-3",)},
            crossings={"A": 2, "B": 1},
        ),
        "A",
        5,
        3,
    ),
    # One each: a draw; A 1 kill + 1 crossing, B 0 kills + 1 crossing.
    (a_report("secure_the_crossing", "counted", removed={"B": ("house-3",)}, crossings={"A": 1, "B": 1}), None, 2, 1),
    # Two of A escape, three are removed: A 2; B 3; no line pays the win.
    (a_report("break_free", "over", escaped=("king", "house-1")), "A", 2, 3),
    # Nobody escapes: B 5 kills, and still no line for the win.
    (a_report("break_free", "over"), "B", 0, 5),
    # B yields with three of A on the table: they count as escaped: A 1 + 3, B 1 kill.
    (a_report("break_free", "yielded-B", escaped=("king",), removed={"A": ("house-4",)}), "A", 4, 1),
    # The ring closes: A routed with two removed; B 2 kills + 2 win; A 3 kills; who flees is no kill.
    (
        a_report(
            "surrounded", "routed-A", removed={"A": ("house-1", "house-2"), "B": ("house-1", "house-2", "house-3")}
        ),
        "B",
        3,
        4,
    ),
    # B removes three and holds the fortress: B 3 kills + 3 win (SCEN-06); A 1 kill.
    (
        a_report(
            "take_the_fortress", "fortress-B", removed={"A": ("house-1", "house-2", "house-3"), "B": ("house-1",)}
        ),
        "B",
        1,
        6,
    ),
    # The marchers are gone: B 5 + 2, A 2.
    (a_report("ambush", "destroyed-A", removed={"B": ("house-1", "house-2")}), "B", 2, 7),
    # A yields after four losses: B 4 + 2, A 1.
    (
        a_report("aftermath", "yielded-A", removed={"A": ("king", "house-1", "house-2", "house-3"), "B": ("house-1",)}),
        "B",
        1,
        6,
    ),
    # Four rounds of mounds, 0-0, 2-1, 2-1, 3-0: A 7, B 2; kills and the win pay nothing.
    (a_report("hold_the_hills", "destroyed-B", mounds=((0, 0), (2, 1), (2, 1), (3, 0))), "A", 7, 2),
    # All four ablaze: A 4 buildings + 2 win, no kills for A; B 1 kill (SCEN-10).
    (a_report("chevauchee", "ablaze", removed={"A": ("house-1",), "B": ("house-1", "house-2")}), "A", 6, 1),
    # Two ablaze, the raiders routed with two removed: A 2; B 2 kills + 2 win.
    (a_report("chevauchee", "routed-A", removed={"A": ("house-1", "house-2")}, ablaze=2), "B", 2, 4),
    # The siege of seven against seven: the defender yields after four losses: A 4 + 2; B 3 kills.
    (
        a_report(
            "siege",
            "yielded-B",
            removed={"A": ("train-1", "house-1", "house-2"), "B": ("garrison-1", "garrison-2", "house-1", "house-3")},
        ),
        "A",
        6,
        3,
    ),
    # Beaten off: all seven of A removed: B 7 + 2, A 0.
    (a_report("siege", "destroyed-A"), "B", 0, 9),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0].scenario}-{example[0].ending}")
def test_a_report_scores_as_calculated_by_hand(example):
    what, winner, vp_a, vp_b = example
    found = score_report(what.to_scoring_report())
    assert (found.winner, found.vp("A"), found.vp("B")) == (winner, vp_a, vp_b), found.reason


def test_every_scenario_has_an_example():
    assert {what.scenario for what, *_ in EXAMPLES} == {row.key for row in SCENARIOS}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0].scenario}-{example[0].ending}")
def test_a_stored_report_reads_back_unchanged(example):
    what = example[0]
    assert UnitReport.from_json(what.to_json()) == UnitReport.from_json(UnitReport.from_json(what.to_json()).to_json())
    stored = scoring_report_to_json(what.to_scoring_report())
    assert "removed" in stored["a"]
    assert "removed" in stored["b"]
    assert scoring_report_to_json(read_report(stored)) == stored


@pytest.mark.parametrize("row", SCENARIOS, ids=lambda row: row.key)
def test_every_ending_of_a_scenario_is_another(row):
    keys = [ending.key for ending in endings_of(row.key)]
    assert len(set(keys)) == len(keys)
    assert {"yielded-A", "yielded-B", "destroyed-B", "draw"} <= set(keys)


def test_sole_occupancy_wins_a_siege_only_with_the_house_rule():
    """R-81, option siege_win."""
    alone = Options.from_differences({"siege_win": "sole_occupant"})
    assert find_ending("siege", "castle") is None
    assert find_ending("siege", "castle", alone) is not None
    assert score_report(a_report("siege", "castle").to_scoring_report(alone), alone).winner == "A"


WRONG = [
    (a_report("pitched_battle", ""), "Choose how it ended."),
    (a_report("pitched_battle", "ablaze"), "cannot end like this"),
    (a_report("pitched_battle", "draw", removed={"A": ("house-9",)}), "did not take the field"),
    (
        a_report("pitched_battle", "draw", removed={"A": ("a", "b", "c", "d", "e", "f")}),
        "had 5 units, but 6 are marked as removed",
    ),
    (a_report("pitched_battle", "draw", crossings={"A": 1}), "no crossings in Pitched Battle"),
    (a_report("pitched_battle", "draw", mounds=((1, 0),)), "no tall mounds"),
    (a_report("pitched_battle", "draw", ablaze=1), "No buildings burn"),
    (a_report("pitched_battle", "draw", escaped=("king",)), "Units escape only in Break Free"),
    (a_report("break_free", "over", escaped=("king",), removed={"A": ("king",)}), "both escaped and removed"),
    (a_report("hold_the_hills", "destroyed-B", mounds=((2, 2),)), "There are only 3 mounds"),
    (a_report("chevauchee", "routed-A", ablaze=5), "buildings ablaze"),
    (a_report("pitched_battle", "routed-A", removed={"A": tuple(u.key for u in FIVE["A"])}), "left to flee"),
    (a_report("take_the_fortress", "fortress-A", removed={"B": ("house-1",)}), "not decided"),
]


@pytest.mark.parametrize(("what", "sentence"), WRONG, ids=lambda one: one if isinstance(one, str) else one.scenario)
def test_impossible_reports_are_refused(what, sentence):
    with pytest.raises(Refusal, match=sentence):
        score_report(what.to_scoring_report())


def test_units_come_from_the_muster_if_there_is_one():
    army = Army(
        (mustered_unit(ArmySlot("king", 1), "king"), mustered_unit(ArmySlot("house", 2), "rat_riders", "wizard"))
    )
    units = units_from_army(army)
    assert [(unit.key, unit.unit, unit.hero) for unit in units] == [
        ("king", "king", None),
        ("house-2", "rat_riders", "wizard"),
    ]
    assert [unit.key for unit in default_units("A", silent=(2, 3))] == ["king", "house-1", "house-4"]


def test_more_than_two_armies_score_by_units_removed():
    """SCEN-01 with VP-01 and VP-03: three armies; B wins with two removed, A removed one, C none."""
    what = MultiArmyReport(("A", "B", "C"), "B", removed={"A": 1, "B": 2}, lost={"A": 1, "C": 2})
    assert [what.score().vp(side) for side in "ABC"] == [1, 4, 0]
    assert MultiArmyReport.from_json(what.to_json()) == what
    with pytest.raises(Refusal, match="The armies removed 3 units but lost only 1"):
        MultiArmyReport(("A", "B", "C"), "B", removed={"A": 3}, lost={"C": 1})
    with pytest.raises(Refusal, match="yielded, so it cannot have won"):
        MultiArmyReport(("A", "B", "C"), "B", yielded=("B",))


def test_the_story_matches_the_report():
    what = EXAMPLES[0][0]
    context = StoryContext(
        {"A": "Oakhold", "B": "Fenwick"},
        "pitched_battle",
        "2026-05-03",
        "A",
        "Reedmarch",
        True,
        houses={"A": {1: "House Acorn"}},
    )
    words = " ".join(
        sentence
        for paragraph in write_story(context, what, score_report(what.to_scoring_report()))
        for sentence in paragraph
    )
    assert "On 3 May 2026 Oakhold marched on Reedmarch, and Fenwick came to defend it." in words
    assert "Fenwick yielded. Oakhold won the day. Reedmarch has a new master." in words
    assert "Oakhold lost two of five units: the unit of House Acorn and the unit of House 2." in words
    assert "Fenwick lost three of five units: the King's unit" in words


def test_last_stand_can_end_after_six_rounds_if_a_rout_ends_nothing():
    """R-59, SCEN-02"""
    open_rout = Options(rout_ends_battle=False)
    assert find_ending("last_stand", "not_held") is None, "a rout says the same by the book"
    assert find_ending("last_stand", "not_held", open_rout) is not None
    found = a_report("last_stand", "not_held", removed={"A": ("king",)})
    score = score_report(found.to_scoring_report(open_rout), open_rout)
    assert (score.winner, score.how) == ("B", "goal")


@pytest.mark.parametrize("scenario", ["last_stand", "secure_the_crossing"])
def test_left_undecided_is_a_draw_in_scenarios_of_six_rounds(scenario):
    """R-94"""
    assert score_report(a_report(scenario, "draw").to_scoring_report()).winner is None
