"""Morale, flight and rally."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.attack_situations import Morale, Rally
from rulebook.battle.dice import DiceRequest, run_script
from rulebook.battle.morale import (
    FLIGHT_DIRECTIONS,
    apply_morale_outcome,
    fate_off_table,
    flight_direction,
    must_test_morale,
    take_morale_test,
)
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.data.battlefield import morale_outcome, outcome_for_total
from rulebook.data.house_rules import Options
from tests.rulebook.all_dice_outcomes import rally_over_rounds, resume_script

BOWS = new_unit("bow_mice")
RUNS = UnitInPlay("bow_mice", 3, fleeing=True)
LEFT = UnitInPlay("bow_mice", 3)


@pytest.mark.parametrize(
    ("total", "outcome"),
    [(-1, "scatter"), (0, "scatter"), (5, "scatter"), (6, "flee"), (8, "flee"), (9, "stand"), (17, "stand")],
)
def test_five_scatters_six_to_eight_flees_nine_stands(total: int, outcome: str) -> None:
    """MORALE-02"""
    assert outcome_for_total(total) == outcome


@pytest.mark.parametrize(
    ("roll", "bonus", "outcome"),
    [(10, -2, "stand"), (10, -9, "stand"), (1, 7, "flee"), (1, 8, "flee"), (1, 4, "scatter"), (2, 7, "stand")],
)
def test_a_natural_ten_stands_and_a_natural_one_does_not(roll: int, bonus: int, outcome: str) -> None:
    """R-22, R-21"""
    assert morale_outcome(roll, bonus) == outcome
    if roll == 1:
        assert morale_outcome(roll, bonus, Options(natural_one_morale="scatter")) == "scatter"


@pytest.mark.parametrize(
    ("unit", "lost", "tests", "rule"),
    [
        (LEFT, 1, True, "MORALE-01"),
        (LEFT, 3, True, "R-47"),
        (LEFT, 0, False, "SAVE-04"),
        (new_unit("battle_cat"), 1, False, "MORALE-07"),
        (new_unit("mice_at_arms", "musician"), 2, False, "MORALE-07"),
    ],
)
def test_losses_require_one_test(unit: UnitInPlay, lost: int, tests: bool, rule: str) -> None:
    """MORALE-01, MORALE-07"""
    answer = must_test_morale(unit, lost)
    assert bool(answer) is tests
    assert rule in answer.rules


def test_morale_test_can_be_made_alone_as_after_sauce() -> None:
    """MORALE-01, MORALE-05"""
    done = run_script(take_morale_test(Morale(LEFT, BOWS, Place(king="near"))), [6])
    assert (done.outcome, done.runs, done.after) == ("flee", 4, RUNS)
    assert done.morale_roll.total == 7
    assert not done.acts_next_round


def test_standing_changes_nothing_and_the_unit_acts_this_round() -> None:
    """MORALE-06, R-49"""
    done = run_script(take_morale_test(Morale(LEFT, BOWS)), [9])
    assert (done.outcome, done.after, done.acts_next_round, done.runs) == ("stand", LEFT, False, 0)


def test_a_fleeing_unit_that_loses_models_and_stands_has_rallied() -> None:
    """R-51, R-49"""
    done = run_script(take_morale_test(Morale(RUNS, BOWS)), [9])
    assert (done.after, done.acts_next_round) == (LEFT, True)


@pytest.mark.parametrize(
    ("face", "outcome", "after", "runs", "next_round"),
    [
        (8, "stand", LEFT, 0, True),
        (10, "stand", LEFT, 0, True),
        (7, "flee", RUNS, 4, False),
        (5, "flee", RUNS, 4, False),
        (4, "scatter", None, 0, False),
        (1, "scatter", None, 0, False),
    ],
)
def test_fleeing_unit_rallies_keeps_fleeing_or_scatters(
    face: int, outcome: str, after: UnitInPlay | None, runs: int, next_round: bool
) -> None:
    """FLEE-02, FLEE-03, FLEE-04"""
    done = run_script(take_morale_test(Rally(RUNS)), [face])
    assert (done.outcome, done.after, done.runs, done.acts_next_round) == (outcome, after, runs, next_round)


def test_rally_ladder_goes_up_one_step_each_round() -> None:
    """FLEE-02, FLEE-03"""
    assert [rung.outcome for rung in run_script(rally_over_rounds(Rally(RUNS), 3), [6, 7, 8])] == [
        "flee",
        "flee",
        "stand",
    ]
    assert [rung.outcome for rung in run_script(rally_over_rounds(Rally(RUNS), 3), [6, 2])] == ["flee", "scatter"]
    assert len(run_script(rally_over_rounds(Rally(RUNS), 3), [6, 6, 6])) == 3


def test_blessing_helps_only_the_first_step() -> None:
    """R-36"""
    blessed = UnitInPlay("bow_mice", 3, fleeing=True, blessed=True)
    second = resume_script(rally_over_rounds(Rally(blessed), 2), [6, 9, 6])
    assert not isinstance(second, DiceRequest)
    assert [step.what for rung in second for step in rung.steps] == ["rally", "blessed morale", "rally"]


def test_a_musician_rallies_his_unit_without_a_die() -> None:
    """HERO-13, MORALE-07"""
    done = run_script(take_morale_test(Rally(UnitInPlay("mice_at_arms", 2, "musician", fleeing=True))), [])
    assert (done.outcome, done.morale_roll.total) == ("stand", None)


def test_the_token_is_put_on_and_taken_off() -> None:
    """FLEE-01"""
    assert apply_morale_outcome(LEFT, "flee") == RUNS
    assert apply_morale_outcome(RUNS, "flee") is RUNS
    assert apply_morale_outcome(RUNS, "stand") == LEFT
    assert apply_morale_outcome(LEFT, "scatter") is None


WAYS_OF = [
    # scenario, side, way, over the edge
    ("pitched_battle", "A", "own_edge", "removed"),
    ("pitched_battle", "B", "own_edge", "removed"),
    ("last_stand", "A", "nearest_edge", "removed"),
    ("last_stand", "B", "own_edge", "removed"),
    ("break_free", "A", "far_edge", "escaped"),
    ("break_free", "B", "own_edge", "removed"),
    ("surrounded", "A", "nearest_edge", "removed"),
    ("ambush", "A", "nearest_edge", "removed"),
    ("siege", "B", "nearest_edge", "removed"),
    ("siege", "A", "own_edge", "removed"),
]


@pytest.mark.parametrize(("scenario", "side", "way", "edge"), WAYS_OF)
def test_where_fleeing_units_run_and_what_the_edge_does(scenario: str, side: str, way: str, edge: str) -> None:
    """FLEE-05, FLEE-07, FLEE-08, R-50"""
    assert flight_direction(scenario, side).key == way
    assert fate_off_table(scenario, side) == edge


def test_every_flight_direction_has_a_text() -> None:
    """FLEE-05"""
    assert all(way.text.endswith(".") and way.rules for way in FLIGHT_DIRECTIONS)
    with pytest.raises(Refusal, match="side is “c”"):
        flight_direction("siege", "c")


def test_ambushers_have_no_edge_of_their_own() -> None:
    """R-50, R-102, SCEN-07"""
    way = flight_direction("ambush", "B")
    assert way.key == "nearest_edge"
    assert "further from every enemy" in way.text
    assert "R-102" in flight_direction("last_stand", "B").rules, "along several edges: the one it came from"
