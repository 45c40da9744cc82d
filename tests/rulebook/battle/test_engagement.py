"""Who may be shot at and who may be struck."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.engagement import can_see, in_melee, may_battle_back, may_shoot
from rulebook.inplay import OPEN, Place, UnitInPlay, fresh

BOWS, BALLISTA = fresh("bow_mice"), fresh("ballista")
HILL, KEEP = Place("mound"), Place("fortress")

# fmt: off
SIGHT = [
    # between         from the level   from a mound or fortress
    ((),              True,            True),
    (("clear",),      True,            True),
    (("mound",),      False,           False),
    (("tall_patch",), False,           False),
    (("barrier",),    True,            True),
    (("bad_goings",), True,            True),
    (("fortress",),   False,           False),
    (("obstacle",),   False,           False),
    (("building",),   False,           False),
    (("impassable",), True,            True),
    (("unit",),       False,           True),
    (("barrier", "unit"), False,       True),
    (("unit", "mound"), False,         False),
]
# fmt: on


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


def test_what_stands_in_the_way_must_be_known() -> None:
    with pytest.raises(Refusal, match="no terrain “fog”"):
        can_see(OPEN, ["fog"])


def test_only_units_with_a_shooting_attack_and_out_of_melee_shoot() -> None:
    """SHOOT-01"""
    assert may_shoot(BOWS)
    assert may_shoot(fresh("hoppers"))
    assert may_shoot(fresh("king", "ranger"))
    assert not may_shoot(fresh("king"))
    assert not may_shoot(UnitInPlay("king", 1, "ranger"))
    assert not may_shoot(BOWS, engaged=True)
    assert not may_shoot(UnitInPlay("bow_mice", 4, fleeing=True))


def test_any_target_in_sight_at_any_distance_and_all_round() -> None:
    """SHOOT-02: nothing asks for a distance or a facing."""
    assert may_shoot(BOWS, between=["barrier", "bad_goings"])
    assert not may_shoot(BOWS, between=["tall_patch"])
    assert may_shoot(BOWS, at=HILL, between=["unit"])


def test_nobody_shoots_into_a_melee() -> None:
    """SHOOT-03"""
    answer = may_shoot(BOWS, target_engaged=True)
    assert not answer
    assert answer.rules == ("SHOOT-03",)
    with pytest.raises(Refusal, match="into a melee"):
        answer.insist("target")


def test_who_is_in_a_building_cannot_be_chosen_but_may_shoot() -> None:
    """SHOOT-08, TERRAIN-12"""
    assert not may_shoot(BOWS, target_at=Place("building"))
    assert may_shoot(BOWS, at=Place("building"))


def test_a_machine_that_moved_or_is_in_melee_does_not_shoot() -> None:
    """UNIT-25, UNIT-26"""
    assert may_shoot(BALLISTA)
    assert not may_shoot(BALLISTA, moved=True)
    assert not may_shoot(BALLISTA, engaged=True)
    assert may_shoot(BOWS, moved=True)
    assert not may_shoot(fresh("cat_non"))


def test_contact_is_melee_until_one_is_gone_or_flees() -> None:
    """MELEE-01, MELEE-02, MELEE-03"""
    assert in_melee(in_contact=True)
    assert not in_melee(in_contact=False)
    assert not in_melee(in_contact=True, fleeing=True)


def test_who_stands_battles_back_and_nobody_answers_that() -> None:
    """MELEE-06, MELEE-07, MORALE-08"""
    assert may_battle_back(BOWS)
    assert not may_battle_back(None)
    assert not may_battle_back(UnitInPlay("bow_mice", 1, fleeing=True))
    assert not may_battle_back(BOWS, to_battle_back=True)
