"""Units: the nine rows, leaders, strength and war machines."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.dice import melee_pools, shooting_pools
from rulebook.battle.unit_in_play import UnitInPlay, casualty_order, new_unit, take_wounds, total_wounds
from rulebook.data.units import (
    UNIT,
    UNIT_RULES,
    UNITS,
    brings_hero,
    shooting_quality,
    unit_of,
    weapon_for_roll,
)

RULE = {rule.key: rule for rule in UNIT_RULES}


def melee_dice(key: str, models: int) -> int:
    return sum(pool.dice for pool in melee_pools(UnitInPlay(key, models)))


def shooting_dice(key: str, models: int) -> int:
    return sum(pool.dice for pool in shooting_pools(UnitInPlay(key, models)))


# fmt: off
PRINTED = [
    # key             Q   SQ    AC Str wounds melee shoot move mounted hero   base
    ("hoppers",      -1,  0,    6, 3,  3,     1,    3,    4,   False,  None, "25 mm"),
    ("field_mice",    0,  None, 6, 4,  4,     1,    0,    4,   False,  10,   "20 mm"),
    ("bow_mice",      1,  2,    7, 4,  4,     1,    4,    4,   False,  8,    "20 mm"),
    ("mice_at_arms",  2,  None, 8, 5,  5,     1,    0,    4,   False,  1,    "20 mm"),
    ("rat_riders",    2,  None, 9, 3,  3,     2,    0,    8,   True,   8,    "25 mm"),
    ("battle_cat",    2,  2,    9, 1,  4,     4,    1,    8,   True,   None, "40 mm"),
    ("king",          3,  None, 8, 3,  4,     1,    0,    4,   False,  8,    "20 mm"),
    ("ballista",      1,  3,    7, 2,  2,     1,    2,    4,   False,  None, "40 mm"),
    ("cat_non",       1,  3,    7, 4,  4,     1,    2,    4,   False,  None, "20 mm"),
]
# fmt: on


@pytest.mark.parametrize(
    ("key", "q", "sq", "ac", "models", "wounds", "melee", "shoot", "move", "mounted", "hero", "base"), PRINTED
)
def test_each_unit_has_the_figures_of_its_printed_row(
    key, q, sq, ac, models, wounds, melee, shoot, move, mounted, hero, base
) -> None:
    """UNIT-11"""
    unit = UNIT[key]
    assert (unit.q, unit.sq, unit.ac, unit.models) == (q, sq, ac, models)
    assert unit.total_wounds == wounds
    assert len(unit.wounds) == models
    assert unit.melee_dice == melee
    assert shooting_dice(key, models) == shoot
    assert (unit.move, unit.mounted, unit.hero_on) == (move, mounted, hero)
    assert base in unit.base


def test_units_are_in_the_order_of_the_table() -> None:
    assert [unit.key for unit in UNITS] == [row[0] for row in PRINTED]
    assert all(unit.text and unit.points for unit in UNITS)


def test_a_unit_is_models_that_stay_within_a_base_of_each_other() -> None:
    """UNIT-01"""
    assert "a base apart" in RULE["unit"].text
    assert RULE["unit"].rules == ("UNIT-01",)


@pytest.mark.parametrize("key", [unit.key for unit in UNITS if unit.key not in ("king", "battle_cat")])
def test_each_unit_has_one_leader_and_a_hero_may_be_that_model(key: str) -> None:
    """UNIT-02"""
    assert [model.role for model in casualty_order(key)].count("leader") == 1
    if not UNIT[key].never_hero:
        led = [model.role for model in casualty_order(key, "champion")]
        assert led.count("hero") == 1
        assert "leader" not in led


def test_moves_and_sight_are_taken_from_the_leaders_base() -> None:
    """UNIT-03"""
    assert "Measure moves and sight from the leader's base" in RULE["leader"].text


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.key)
def test_the_leader_is_the_last_model_lost(unit) -> None:
    """UNIT-04"""
    last = casualty_order(unit.key)[-1]
    assert last.role in ("leader", "king", "cat")
    if not unit.never_hero:
        assert casualty_order(unit.key, "wizard")[-1].role == ("king" if unit.key == "king" else "hero")


def test_quality_is_added_to_attack_save_and_morale_dice() -> None:
    """UNIT-05"""
    assert RULE["q"].text == "Added to every d10 the unit rolls to hit, to save and for morale."


@pytest.mark.parametrize(("key", "quality"), [("bow_mice", 2), ("hoppers", 0), ("ballista", 3), ("mice_at_arms", 2)])
def test_shooting_uses_sq_or_else_q(key: str, quality: int) -> None:
    """UNIT-06"""
    assert shooting_quality(UNIT[key]) == quality


def test_hoppers_shoot_better_than_they_fight() -> None:
    """UNIT-06: SQ +0 beside Q -1."""
    assert (UNIT["hoppers"].q, shooting_quality(UNIT["hoppers"])) == (-1, 0)


def test_armour_class_is_the_total_to_reach() -> None:
    """UNIT-07"""
    assert "Equal hits" in RULE["ac"].text


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.key)
def test_strength_is_the_number_of_models_and_of_dice_at_full_strength(unit) -> None:
    """UNIT-08"""
    assert len(casualty_order(unit.key)) == unit.models
    extra = {"rat_riders": 2, "battle_cat": 4}.get(unit.key, 1)
    assert melee_dice(unit.key, unit.models) == unit.models * extra


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.key)
def test_a_unit_without_models_is_gone(unit) -> None:
    """UNIT-09"""
    full, wounds = new_unit(unit.key), total_wounds(unit.key)
    assert take_wounds(full, wounds).after is None
    assert take_wounds(full, wounds - 1).after.models == 1
    assert take_wounds(full, wounds + 3).surplus == 3


@pytest.mark.parametrize(
    ("key", "hero", "wounds"),
    [
        ("battle_cat", None, [4]),
        ("king", None, [1, 1, 2]),
        ("king", "champion", [1, 1, 2]),
        ("king", "snake_slayer", [1, 2, 2]),
        ("mice_at_arms", "snake_slayer", [1, 1, 1, 1, 2]),
        ("mice_at_arms", "cleric", [1, 1, 1, 1, 1]),
        ("mice_at_arms", "ladybug", [1, 1, 1, 1, 1]),
    ],
)
def test_cat_king_and_snake_slayer_take_several_wounds_everyone_else_one(key, hero, wounds) -> None:
    """UNIT-10"""
    assert [model.wounds for model in casualty_order(key, hero)] == wounds
    assert total_wounds(key, hero) == sum(wounds)


def test_a_hopper_base_with_three_figures_is_one_model() -> None:
    """UNIT-12"""
    assert UNIT["hoppers"].models == 3
    assert "three figures" in UNIT["hoppers"].base


@pytest.mark.parametrize("key", ["hoppers", "battle_cat", "ballista", "cat_non"])
def test_hoppers_cats_and_war_machines_never_have_a_hero(key: str) -> None:
    """UNIT-13, R-08"""
    assert UNIT[key].never_hero
    with pytest.raises(Refusal, match=r"never ha(s|ve) a hero"):
        brings_hero(UNIT[key], 10)
    with pytest.raises(Refusal, match="cannot have a Champion"):
        casualty_order(key, "champion")
    # A Ladybug may still fly to them when its own unit is gone.
    assert casualty_order(key, "ladybug") == casualty_order(key)


def test_field_mice_take_one_off_every_morale_roll() -> None:
    """UNIT-14"""
    assert {unit.key: unit.morale_bonus for unit in UNITS if unit.morale_bonus} == {"field_mice": -1}


def test_rat_riders_ride_eight_inches_and_strike_twice() -> None:
    """UNIT-15"""
    rats = UNIT["rat_riders"]
    assert (rats.move, rats.mounted, melee_dice("rat_riders", 3), melee_dice("rat_riders", 1)) == (8, True, 6, 2)


@pytest.mark.parametrize(("roll", "weapon"), [(1, None), (7, None), (8, "spears"), (10, "spears")])
def test_rat_riders_have_spears_on_eight_or_more(roll: int, weapon: str | None) -> None:
    """UNIT-16"""
    assert weapon_for_roll(UNIT["rat_riders"], roll) == weapon


def test_battle_cat_rolls_four_dice_or_shoots_with_one_until_its_fourth_wound() -> None:
    """UNIT-17"""
    cat = UNIT["battle_cat"]
    assert (cat.move, cat.mounted) == (8, True)
    for wounds in range(4):
        left = take_wounds(new_unit("battle_cat"), wounds).after
        assert [sum(pool.dice for pool in pools(left)) for pools in (melee_pools, shooting_pools)] == [4, 1]
    assert take_wounds(new_unit("battle_cat"), 4).after is None


def test_only_the_battle_cat_never_tests_morale() -> None:
    """UNIT-18"""
    assert [unit.key for unit in UNITS if not unit.tests_morale] == ["battle_cat"]


@pytest.mark.parametrize(
    ("roll", "weapon"), [(1, None), (7, None), (8, "spear"), (9, "spear"), (10, "spear_and_shield")]
)
def test_a_cats_rider_has_a_spear_on_eight_and_a_shield_as_well_on_ten(roll: int, weapon: str | None) -> None:
    """UNIT-19, UNIT-20"""
    assert weapon_for_roll(UNIT["battle_cat"], roll) == weapon


def test_nobody_else_rolls_for_a_weapon() -> None:
    for unit in UNITS:
        if unit.key not in ("rat_riders", "battle_cat"):
            with pytest.raises(Refusal, match="Only Rat Riders and a Battle Cat have one"):
                weapon_for_roll(unit, 10)


def test_the_king_steadies_units_within_eight_inches() -> None:
    """UNIT-22"""
    assert any('morale for units within 8"' in point for point in UNIT["king"].points)


def test_king_re_rolls_a_miss_and_his_guards_do_not() -> None:
    """UNIT-23"""
    assert any("re-rolls a missed attack die" in point and "guards do not" in point for point in UNIT["king"].points)


@pytest.mark.parametrize(
    ("key", "crew", "dice"),
    [
        ("ballista", 2, 2),
        ("ballista", 1, 2),
        ("cat_non", 4, 2),
        ("cat_non", 2, 2),
        ("cat_non", 1, 0),
    ],
)
def test_a_ballista_shoots_with_one_of_its_crew_and_a_cat_non_with_two(key: str, crew: int, dice: int) -> None:
    """UNIT-24"""
    assert shooting_dice(key, crew) == dice
    assert melee_dice(key, crew) == crew


@pytest.mark.parametrize("key", ["ballista", "cat_non"])
def test_war_machines_move_or_shoot_but_not_while_their_crew_fights(key: str) -> None:
    """UNIT-25"""
    assert UNIT[key].war_machine
    assert any("Moves or shoots, never both" in point and "in melee" in point for point in UNIT[key].points)


def test_a_cat_non_comes_to_sieges_only() -> None:
    """UNIT-26"""
    assert [unit.key for unit in UNITS if unit.siege_only] == ["cat_non"]


def test_machine_is_not_a_model() -> None:
    """UNIT-27"""
    assert [UNIT[key].models for key in ("ballista", "cat_non")] == [2, 4]
    assert [model.role for model in casualty_order("ballista")] == ["crew", "leader"]


def test_unknown_unit_is_refused_with_the_nine_known_ones() -> None:
    with pytest.raises(Refusal, match=r"There is no unit “dragon”\. Choose one of hoppers, field_mice"):
        unit_of("dragon")
