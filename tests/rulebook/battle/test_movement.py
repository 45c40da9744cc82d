"""Moves, charges and who may stand where."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.actions import (
    can_charge,
    can_move,
    can_move_again,
    can_occupy,
    can_pass,
    ends_move,
    is_occupying,
    is_together,
    moves_allowed,
)
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, new_unit
from rulebook.data.battlefield import TERRAINS
from rulebook.data.units import UNITS

MICE, RATS, CAT = new_unit("field_mice"), new_unit("rat_riders"), new_unit("battle_cat")


@pytest.mark.parametrize("row", UNITS, ids=lambda row: row.key)
def test_units_move_four_inches_and_mounted_ones_eight(row) -> None:
    """MOVE-01, UNIT-15, UNIT-17"""
    far = 8 if row.key in ("rat_riders", "battle_cat") else 4
    unit = new_unit(row.key)
    assert unit.unit.move == far
    assert can_move(unit, far)
    assert not can_move(unit, far + 0.1)


def test_models_keep_within_a_base_of_each_other() -> None:
    """MOVE-02, UNIT-01"""
    assert is_together([0, 0.5, 1])
    assert not is_together([0, 1.2])
    with pytest.raises(Refusal, match="gap in bases is -1"):
        is_together([-1])


@pytest.mark.parametrize("row", TERRAINS, ids=lambda row: row.key)
def test_five_kinds_of_ground_end_a_move(row) -> None:
    """MOVE-03"""
    stops = row.key in ("tall_patch", "barrier", "bad_goings", "fortress", "building")
    assert bool(ends_move(row.key)) is stops
    crosses = row.key in ("clear", "mound")
    assert bool(can_move(MICE, 3, crossed=[row.key])) is crosses


def test_obstacles_and_impassable_ground_cannot_be_crossed() -> None:
    """TERRAIN-11, TERRAIN-13"""
    for key in ("obstacle", "impassable"):
        assert "cannot be crossed" in can_move(MICE, 2, crossed=[key]).reason


def test_a_charge_cannot_go_through_a_piece_that_stops_it() -> None:
    """MOVE-05, MOVE-03"""
    assert can_charge(MICE, 4)
    assert can_charge(RATS, 8)
    assert not can_charge(MICE, 4.5)
    assert not can_charge(RATS, 8, crossed=["barrier"])
    assert can_charge(RATS, 8, crossed=["mound", "clear"])
    assert "MOVE-05" in can_charge(RATS, 9).rules


def test_engaged_and_fleeing_units_cannot_choose_a_move() -> None:
    """ROUND-06, FLEE-02"""
    assert not can_move(MICE, 1, engaged=True)
    assert not can_charge(MICE, 1, engaged=True)
    assert not can_move(UnitInPlay("field_mice", 4, fleeing=True), 1)


@pytest.mark.parametrize(("roll", "moves"), [(1, False), (2, False), (3, True), (10, True)])
def test_in_mud_a_unit_needs_a_three_to_move_or_charge(roll: int, moves: bool) -> None:
    """EVENT-04, R-91"""
    assert bool(can_move(MICE, 2, event="mud", mud_roll=roll)) is moves
    assert bool(can_charge(MICE, 2, event="mud", mud_roll=roll)) is moves
    assert "Roll a d10" in can_move(MICE, 2, event="mud").reason


def test_a_speech_lets_the_first_unit_move_twice() -> None:
    """EVENT-07, R-90"""
    first = UnitInPlay("rat_riders", 3, first_activated=True)
    assert moves_allowed(first, "speech") == 2
    assert moves_allowed(RATS, "speech") == 1
    assert moves_allowed(first, "storm") == 1


def test_a_speech_gives_two_separate_moves() -> None:
    """EVENT-07, R-97"""
    first = UnitInPlay("field_mice", 4, first_activated=True)
    assert can_move_again(first, 1, "speech")
    assert not can_move_again(first, 2, "speech")
    assert not can_move_again(MICE, 1, "speech")
    # Each move has its own reach, and a barrier ends only the move that enters it: 3" to the hedge, then 4" on.
    assert not can_move(first, 5, event="speech")
    assert not can_move(first, 4, crossed=["barrier"], event="speech")
    assert can_move(first, 3, event="speech")
    assert can_charge(first, 4, event="speech"), "the second move may be a charge"


def test_units_can_cross_friends_and_stay_a_base_away_from_enemies() -> None:
    """MOVE-04"""
    assert can_pass("friend", 0)
    assert can_pass("enemy", 1)
    assert not can_pass("enemy", 0.9)
    assert can_pass("enemy", 0, charging=True)
    with pytest.raises(Refusal, match="friend or enemy"):
        can_pass("stranger", 0)


# --- ground -----------------------------------------------------------------------------------------------------


def test_unit_is_inside_when_one_model_is_wholly_inside() -> None:
    """TERRAIN-02, TERRAIN-03"""
    assert is_occupying(1)
    assert not is_occupying(0)
    with pytest.raises(Refusal, match="models wholly inside is -1"):
        is_occupying(-1)


def test_each_piece_holds_one_unit() -> None:
    """TERRAIN-04, TERRAIN-01"""
    hedge = Place("barrier")
    assert can_occupy(MICE, hedge)
    assert not can_occupy(MICE, hedge, occupied=True)
    # The next hedge of the same chain is another piece.
    assert can_occupy(MICE, Place("barrier"), occupied=False)


def test_courtyard_is_not_a_piece_and_holds_several_units() -> None:
    """SIEGE-08, TERRAIN-04"""
    assert can_occupy(RATS, Place("clear", "courtyard"), occupied=True)


@pytest.mark.parametrize("piece", ["tower", "battlement", "gatehouse"])
def test_mounted_units_cannot_climb_walls_but_may_stand_in_a_walled_area(piece: str) -> None:
    """TERRAIN-14"""
    wall = Place("fortress", piece)
    for rider in (RATS, CAT):
        assert not can_occupy(rider, wall)
        assert "TERRAIN-14" in can_occupy(rider, wall).rules
        assert can_occupy(rider, Place("fortress"))
    assert can_occupy(MICE, wall)


@pytest.mark.parametrize(
    ("terrain", "rule"),
    [
        ("clear", "TERRAIN-05"),
        ("mound", "TERRAIN-06"),
        ("tall_patch", "TERRAIN-07"),
        ("barrier", "TERRAIN-08"),
    ],
)
def test_open_ground_mounds_patches_and_barriers_can_be_entered(terrain: str, rule: str) -> None:
    """TERRAIN-05..08"""
    assert rule in can_occupy(MICE, Place(terrain)).rules
    assert can_occupy(MICE, Place(terrain))


@pytest.mark.parametrize(
    ("terrain", "rule"),
    [("bad_goings", "TERRAIN-09"), ("fortress", "TERRAIN-10"), ("building", "TERRAIN-12")],
)
def test_bad_goings_fortresses_and_buildings_can_be_entered(terrain: str, rule: str) -> None:
    """TERRAIN-09, TERRAIN-10, TERRAIN-12"""
    assert rule in can_occupy(MICE, Place(terrain)).rules
    assert can_occupy(MICE, Place(terrain))


def test_fords_and_rubble_are_bad_goings_and_a_bridge_is_clear() -> None:
    """TERRAIN-15"""
    by_key = {row.key: row for row in TERRAINS}
    assert "bridges" in by_key["clear"].examples
    assert "fords" in by_key["bad_goings"].examples
    assert "rubble" in by_key["bad_goings"].examples
    assert OPEN.ground is by_key["clear"]
