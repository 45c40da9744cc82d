"""Who may be shot at and who may be struck."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.actions import can_battle_back, can_see, can_shoot, is_in_melee
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, new_unit

BOWS, BALLISTA = new_unit("bow_mice"), new_unit("ballista")
HILL, KEEP = Place("mound"), Place("fortress")

SIGHT = [
    # between, from the level, from a mound or fortress
    ((), True, True),
    (("clear",), True, True),
    (("mound",), False, False),
    (("tall_patch",), False, False),
    (("barrier",), True, True),
    (("bad_goings",), True, True),
    (("fortress",), False, False),
    (("obstacle",), False, False),
    (("building",), False, False),
    (("impassable",), True, True),
    (("unit",), False, True),
    (("barrier", "unit"), False, True),
    (("unit", "mound"), False, False),
]


@pytest.mark.parametrize(("between", "level", "above"), SIGHT)
def test_sight_is_blocked_by_terrain_and_units_and_high_places_see_over_units(
    between: tuple[str, ...], level: bool, above: bool
) -> None:
    """SHOOT-04, R-52"""
    assert bool(can_see(OPEN, between)) is level
    assert bool(can_see(HILL, between)) is above
    assert bool(can_see(KEEP, between)) is above


def test_mounds_and_fortresses_see_over_units_and_barriers() -> None:
    """TERRAIN-06, TERRAIN-10"""
    for place in (HILL, KEEP):
        assert can_see(place, ["unit", "barrier", "unit"])
    assert not can_see(Place("building"), ["unit"])


def test_unknown_obstacle_in_the_line_of_sight_is_refused() -> None:
    with pytest.raises(Refusal, match="no terrain “fog”"):
        can_see(OPEN, ["fog"])


def test_only_units_with_a_shooting_attack_and_out_of_melee_shoot() -> None:
    """SHOOT-01"""
    assert can_shoot(BOWS)
    assert can_shoot(new_unit("hoppers"))
    assert can_shoot(new_unit("king", "ranger"))
    assert not can_shoot(new_unit("king"))
    assert not can_shoot(UnitInPlay("king", 1, "ranger"))
    assert not can_shoot(BOWS, engaged=True)
    assert not can_shoot(UnitInPlay("bow_mice", 4, fleeing=True))


def test_any_visible_target_can_be_shot_at_any_distance_and_direction() -> None:
    """SHOOT-02: nothing asks for a distance or a facing."""
    assert can_shoot(BOWS, between=["barrier", "bad_goings"])
    assert not can_shoot(BOWS, between=["tall_patch"])
    assert can_shoot(BOWS, at=HILL, between=["unit"])


def test_nobody_shoots_into_a_melee() -> None:
    """SHOOT-03"""
    answer = can_shoot(BOWS, target_engaged=True)
    assert not answer
    assert answer.rules == ("SHOOT-03",)
    with pytest.raises(Refusal, match="in melee and cannot be shot at"):
        answer.require("target")


def test_unit_in_a_building_cannot_be_targeted_but_can_shoot() -> None:
    """SHOOT-08, TERRAIN-12"""
    assert not can_shoot(BOWS, target_at=Place("building"))
    assert can_shoot(BOWS, at=Place("building"))


def test_a_machine_that_moved_or_is_in_melee_does_not_shoot() -> None:
    """UNIT-25, UNIT-26"""
    assert can_shoot(BALLISTA)
    assert not can_shoot(BALLISTA, moved=True)
    assert not can_shoot(BALLISTA, engaged=True)
    assert can_shoot(BOWS, moved=True)
    assert not can_shoot(new_unit("cat_non"))


def test_contact_means_melee_until_one_side_is_gone_or_flees() -> None:
    """MELEE-01, MELEE-02, MELEE-03"""
    assert is_in_melee(in_contact=True)
    assert not is_in_melee(in_contact=False)
    assert not is_in_melee(in_contact=True, fleeing=True)


def test_target_that_stands_battles_back_without_a_reply() -> None:
    """MELEE-06, MELEE-07, MORALE-08"""
    assert can_battle_back(BOWS)
    assert not can_battle_back(None)
    assert not can_battle_back(UnitInPlay("bow_mice", 1, fleeing=True))
    assert not can_battle_back(BOWS, to_battle_back=True)
