"""Burning buildings in Chevauchee: AC 5, no save, two wounds, and the odds of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from refusal import Refusal
from rulebook.burning import Building, Torching, ablaze_odds, all_ablaze, may_torch, torch, torching_throws, village
from rulebook.inplay import Place, UnitInPlay, fresh
from rulebook.options import Options
from rulebook.script import play

HOUSE = Building("Mill")


def test_a_building_has_ac_5_no_save_and_two_wounds() -> None:
    """SCEN-10"""
    # Field Mice have Q +0: a 5 hits, a 4 does not.
    done = play(torch(Torching(fresh("field_mice"), HOUSE)), [5, 4, 4, 4])
    assert (done.hits, done.building.wounds, done.ablaze) == (1, 1, False)
    assert play(torch(Torching(fresh("field_mice"), HOUSE)), [5, 5, 9, 4]).ablaze
    assert [step.what for step in done.steps] == ["hit"]


def test_wounds_add_up_between_units_and_rounds() -> None:
    """SCEN-10, R-65"""
    smoking = play(torch(Torching(fresh("field_mice"), HOUSE)), [5, 1, 1, 1]).building
    lit = play(torch(Torching(UnitInPlay("hoppers", 2), smoking)), [6, 1])
    assert lit.ablaze
    with pytest.raises(Refusal, match="Mill is ablaze already"):
        play(torch(Torching(fresh("hoppers"), lit.building)), [9, 9, 9])


@pytest.mark.parametrize(
    ("torching", "dice", "needed"),
    [
        (Torching(fresh("rat_riders", spear=True), HOUSE), [6], [3]),
        (Torching(fresh("battle_cat", spear=True), HOUSE), [4], [3]),
        (Torching(fresh("hoppers"), HOUSE), [3], [6]),
        (Torching(fresh("mice_at_arms", "champion"), HOUSE), [4, 1], [3, 2]),
        (Torching(fresh("mice_at_arms", "barbarian"), HOUSE), [4, 2], [3, 3]),
        (Torching(fresh("field_mice", "ladybug"), HOUSE), [4], [4]),
        (Torching(fresh("field_mice"), HOUSE, at=Place("bad_goings")), [4], [6]),
        (Torching(fresh("field_mice"), HOUSE, at=Place("mound")), [4], [5]),
        (Torching(fresh("field_mice"), HOUSE, event="storm"), [4], [6]),
        (Torching(fresh("ballista"), HOUSE), [2], [4]),
    ],
    ids=["riders", "cat", "hoppers", "champion", "barbarian", "ladybug", "bad goings", "mound", "storm", "crew"],
)  # fmt: skip
def test_normal_melee_dice_without_charge_or_riding(torching: Torching, dice: list[int], needed: list[int]) -> None:
    """R-65"""
    throws = torching_throws(torching)
    assert [throw.dice for throw in throws] == dice
    assert [throw.tally.needed for throw in throws] == needed


def test_the_king_throws_a_miss_again() -> None:
    """R-65, UNIT-23"""
    done = play(torch(Torching(UnitInPlay("king", 1), HOUSE)), [1, 2])
    assert done.hits == 1
    assert [step.what for step in done.steps] == ["hit", "re-roll"]


def test_four_buildings_ablaze_are_what_side_a_wants() -> None:
    """SCEN-10"""
    houses = village()
    assert len(houses) == 4
    assert not all_ablaze(houses)
    assert not all_ablaze((*(Building(h.name, 2) for h in houses[:3]), houses[3]))
    assert all_ablaze(Building(h.name, 2) for h in houses)


@pytest.mark.parametrize(
    "torching",
    [
        Torching(fresh("hoppers"), HOUSE),
        Torching(UnitInPlay("field_mice", 3), Building("Mill", 1)),
        Torching(UnitInPlay("king", 2), HOUSE),
        Torching(UnitInPlay("mice_at_arms", 2, "champion"), HOUSE, event="storm"),
    ],
    ids=["hoppers", "second wound", "king and guard", "champion"],
)
def test_the_odds_of_a_fire_agree_with_every_die_there_is(torching: Torching) -> None:
    """SCEN-10, R-65"""
    dice = sum(throw.dice * (2 if throw.rerolls else 1) for throw in torching_throws(torching))
    lit = sum(play(torch(torching), faces).ablaze for faces in product(range(1, 11), repeat=dice))
    assert ablaze_odds(torching) == Fraction(lit, 10**dice)


def test_by_house_rule_every_flanker_hampers() -> None:
    """R-24 with flank_stacks on"""
    pressed = Torching(fresh("field_mice", "ladybug"), HOUSE, at=Place(flanked=2))
    assert torching_throws(pressed)[0].tally.needed == 5
    assert torching_throws(pressed, Options(flank_stacks=True))[0].tally.needed == 6


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: Building("Mill", 3), "is 3"),
        (lambda: play(torch(Torching(fresh("hoppers"), HOUSE, adjacent=False)), [9, 9, 9]), "come up to the building"),
        (lambda: ablaze_odds(Torching(UnitInPlay("hoppers", 3, fleeing=True), HOUSE)), "fleeing"),
        (lambda: Torching(fresh("hoppers"), HOUSE, event="plague"), "plague"),
        (lambda: play(torch(Torching(fresh("hoppers"), HOUSE)), [0, 1, 1]), "is 0"),
    ],
)
def test_what_cannot_be_is_refused_by_name(act: object, says: str) -> None:
    assert may_torch(Torching(fresh("hoppers"), HOUSE))
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]
