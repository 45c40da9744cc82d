"""Who throws which dice, in melee and when shooting."""

from __future__ import annotations

import pytest

from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.dice import (
    THROWER_NAMES,
    DicePool,
    melee_attack_dice,
    melee_pools,
    shooting_attack_dice,
    shooting_pools,
)
from rulebook.battle.unit_in_play import UnitInPlay, new_unit
from rulebook.data.house_rules import BY_THE_BOOK, Options

FOE = new_unit("mice_at_arms", "cleric")


def hands(found: tuple[DicePool, ...]) -> str:
    return " ".join(f"{hand.whose}:{hand.dice}@{hand.quality:+d}{'r' if hand.rerolls else ''}" for hand in found)


MELEE = [
    (new_unit("hoppers"), "unit:3@-1"),
    (new_unit("field_mice"), "unit:4@+0"),
    (new_unit("bow_mice"), "unit:4@+1"),
    (new_unit("mice_at_arms", "wizard"), "unit:5@+2"),
    (UnitInPlay("mice_at_arms", 2, "wizard"), "unit:2@+2"),
    (new_unit("rat_riders"), "unit:6@+2"),
    (UnitInPlay("rat_riders", 1), "unit:2@+2"),
    (new_unit("king"), "unit:2@+3 king:1@+3r"),
    (UnitInPlay("king", 1), "king:1@+3r"),
    (new_unit("ballista"), "unit:2@+1"),
    (new_unit("cat_non"), "unit:4@+1"),
    (UnitInPlay("cat_non", 1), "unit:1@+1"),
]


@pytest.mark.parametrize(("unit", "described"), MELEE)
def test_each_model_throws_its_melee_dice(unit: UnitInPlay, described: str) -> None:
    """MELEE-04, R-44: riders two, crews one each at their Q."""
    assert hands(melee_pools(unit)) == described


@pytest.mark.parametrize("wounds", range(4))
def test_the_cat_throws_four_dice_however_hurt(wounds: int) -> None:
    """R-43, UNIT-17"""
    cat = UnitInPlay("battle_cat", 1, wounds=wounds)
    assert hands(melee_pools(cat)) == "unit:4@+2"
    assert hands(shooting_pools(cat)) == "unit:1@+2"


SHOOTING = [
    (new_unit("hoppers"), "unit:3@+0"),
    (UnitInPlay("bow_mice", 3), "unit:3@+2"),
    (new_unit("ballista"), "machine:2@+3"),
    (UnitInPlay("ballista", 1), "machine:2@+3"),
    (new_unit("cat_non"), "machine:2@+3"),
    (UnitInPlay("cat_non", 2), "machine:2@+3"),
    (UnitInPlay("cat_non", 1), ""),
    (new_unit("field_mice"), ""),
    (new_unit("mice_at_arms", "champion"), ""),
    (new_unit("king"), ""),
]


@pytest.mark.parametrize(("unit", "described"), SHOOTING)
def test_shooters_throw_one_die_each_and_machines_two(unit: UnitInPlay, described: str) -> None:
    """SHOOT-05, UNIT-24"""
    assert hands(shooting_pools(unit)) == described


@pytest.mark.parametrize(
    ("unit", "described"),
    [
        (new_unit("mice_at_arms", "ranger"), "ranger:1@+3"),
        (new_unit("rat_riders", "ranger"), "ranger:1@+3"),
        (new_unit("king", "ranger"), "ranger:1@+3"),
        (UnitInPlay("king", 1, "ranger"), ""),
        (new_unit("bow_mice", "ranger"), "unit:3@+2 ranger:1@+3"),
        (UnitInPlay("bow_mice", 1, "ranger"), "ranger:1@+3"),
    ],
)
def test_the_rangers_shot_is_one_die_at_plus_three_and_the_units_attack(unit: UnitInPlay, described: str) -> None:
    """HERO-10, R-40"""
    assert hands(shooting_pools(unit)) == described


@pytest.mark.parametrize(
    ("unit", "described"),
    [
        (new_unit("mice_at_arms", "champion"), "unit:4@+2 champion:1@+3"),
        (new_unit("field_mice", "champion"), "unit:3@+0 champion:1@+3"),
        (new_unit("rat_riders", "champion"), "unit:4@+2 champion:2@+3"),
        (new_unit("king", "champion"), "unit:1@+3 champion:1@+3 king:1@+3r"),
        (UnitInPlay("king", 1, "champion"), "king:1@+3r"),
        (UnitInPlay("mice_at_arms", 1, "champion"), "champion:1@+3"),
    ],
)
def test_the_champions_own_dice_have_quality_three(unit: UnitInPlay, described: str) -> None:
    """HERO-08, R-31"""
    assert hands(melee_pools(unit)) == described


BARBARIANS = [
    # unit, one more, double, one more in melee only
    (
        new_unit("mice_at_arms", "barbarian"),
        "unit:4@+2 barbarian:2@+2",
        "unit:4@+2 barbarian:2@+2",
        "unit:4@+2 barbarian:2@+2",
    ),
    (
        new_unit("rat_riders", "barbarian"),
        "unit:4@+2 barbarian:3@+2",
        "unit:4@+2 barbarian:4@+2",
        "unit:4@+2 barbarian:3@+2",
    ),
    (
        new_unit("king", "barbarian"),
        "unit:1@+3 barbarian:2@+3 king:1@+3r",
        "unit:1@+3 barbarian:2@+3 king:1@+3r",
        "unit:1@+3 barbarian:2@+3 king:1@+3r",
    ),
    (UnitInPlay("king", 1, "barbarian"), "king:1@+3r", "king:1@+3r", "king:1@+3r"),
]


@pytest.mark.parametrize(("unit", "plus_one", "double", "melee_only"), BARBARIANS)
def test_barbarian_rolls_one_more_die(unit: UnitInPlay, plus_one: str, double: str, melee_only: str) -> None:
    """HERO-14, R-33"""
    assert hands(melee_pools(unit, Options(barbarian="plus_one"))) == plus_one
    assert hands(melee_pools(unit, Options(barbarian="double"))) == double
    assert hands(melee_pools(unit, Options(barbarian="melee_only"))) == melee_only


def test_a_barbarian_bow_mouse_shoots_twice_unless_a_house_rule_says_melee_only() -> None:
    """R-33"""
    unit = new_unit("bow_mice", "barbarian")
    assert hands(shooting_pools(unit)) == "unit:3@+2 barbarian:2@+2"
    assert hands(shooting_pools(unit, Options(barbarian="double"))) == "unit:3@+2 barbarian:2@+2"
    assert hands(shooting_pools(unit, Options(barbarian="melee_only"))) == "unit:4@+2"


@pytest.mark.parametrize(
    ("unit", "melee", "shots"),
    [
        (UnitInPlay("bow_mice", 4, kissed=1), "unit:3@+1 kissed:1@+1r", "unit:3@+2 kissed:1@+2r"),
        (UnitInPlay("rat_riders", 3, "princess", kissed=1), "unit:4@+2 kissed:2@+2r", ""),
        (UnitInPlay("battle_cat", 1, kissed=1), "kissed:4@+2r", "kissed:1@+2r"),
        (UnitInPlay("king", 3, kissed=1), "unit:1@+3 kissed:1@+3r king:1@+3r", ""),
        (UnitInPlay("ballista", 2, kissed=1), "unit:1@+1 kissed:1@+1r", "machine:2@+3"),
        (UnitInPlay("bow_mice", 4, "ranger", kissed=2), "unit:2@+1 kissed:2@+1r", "unit:1@+2 kissed:2@+2r ranger:1@+3"),
    ],
)
def test_a_kissed_model_re_rolls_all_its_dice_but_not_a_machines(unit: UnitInPlay, melee: str, shots: str) -> None:
    """HERO-11, R-35"""
    assert hands(melee_pools(unit)) == melee
    assert hands(shooting_pools(unit)) == shots


def test_only_the_king_re_rolls_not_his_guards() -> None:
    """UNIT-23"""
    assert [(hand.whose, hand.rerolls) for hand in melee_pools(new_unit("king"))] == [("unit", False), ("king", True)]


def test_every_throw_carries_its_own_tally() -> None:
    """MOD-06, R-32"""
    charge = Melee(new_unit("field_mice", "champion"), FOE, charged=True)
    assert [throw.tally.added for throw in melee_attack_dice(charge)] == [2, 5]
    only_he = melee_attack_dice(charge, Options(champion_scope="model"))
    assert [throw.tally.added for throw in only_he] == [1, 5]
    shot = Shooting(new_unit("bow_mice", "ranger"), FOE, 6)
    assert [(throw.whose, throw.tally.added) for throw in shooting_attack_dice(shot)] == [("unit", 3), ("ranger", 4)]


def test_every_thrower_has_a_name() -> None:
    names = {hand.whose for row in (*MELEE, *SHOOTING) for hand in melee_pools(row[0]) + shooting_pools(row[0])}
    assert names <= THROWER_NAMES.keys()


def test_the_dice_of_the_book_at_full_strength() -> None:
    """UNIT-08: a unit throws as many dice as it has models, cat and riders apart."""
    for key in ("hoppers", "field_mice", "bow_mice", "mice_at_arms", "king", "ballista", "cat_non"):
        unit = new_unit(key)
        assert sum(hand.dice for hand in melee_pools(unit, BY_THE_BOOK)) == unit.models
