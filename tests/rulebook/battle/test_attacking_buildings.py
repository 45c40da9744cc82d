"""Burning buildings in Chevauchee: AC 5, no save, two wounds, and the odds of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from refusal import Refusal
from rulebook.battle.combat import Building, BuildingAttack, attack_building, building_attack_dice, can_attack_building
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.campaign.battle_scoring import Report, SideReport, score_report
from rulebook.data.house_rules import Options
from rulebook.odds.rolls import ablaze_odds

HOUSE = Building("Mill")


def test_a_building_has_ac_5_no_save_and_two_wounds() -> None:
    """SCEN-10"""
    # Field Mice have Q +0: a 5 hits, a 4 does not.
    done = run_script(attack_building(BuildingAttack(new_unit("field_mice"), HOUSE)), [5, 4, 4, 4])
    assert (done.hits, done.building.wounds, done.ablaze) == (1, 1, False)
    assert run_script(attack_building(BuildingAttack(new_unit("field_mice"), HOUSE)), [5, 5, 9, 4]).ablaze
    assert [step.what for step in done.steps] == ["hit"]


def test_wounds_add_up_between_units_and_rounds() -> None:
    """SCEN-10, R-65"""
    smoking = run_script(attack_building(BuildingAttack(new_unit("field_mice"), HOUSE)), [5, 1, 1, 1]).building
    lit = run_script(attack_building(BuildingAttack(UnitInPlay("hoppers", 2), smoking)), [6, 1])
    assert lit.ablaze
    with pytest.raises(Refusal, match="Mill is already ablaze"):
        run_script(attack_building(BuildingAttack(new_unit("hoppers"), lit.building)), [9, 9, 9])


def test_a_unit_in_melee_fights_before_it_burns() -> None:
    """R-93, SCEN-10"""
    busy = BuildingAttack(new_unit("field_mice"), HOUSE, engaged=True)
    assert "fight its enemy first" in can_attack_building(busy).reason
    assert can_attack_building(busy, Options(torch_in_melee=True))


def test_a_house_with_an_enemy_inside_cannot_be_torched() -> None:
    """R-101"""
    held = BuildingAttack(new_unit("field_mice"), HOUSE, enemy_inside=True)
    assert "is inside" in can_attack_building(held).reason
    assert not can_attack_building(held, Options(torch_in_melee=True))


def test_the_king_throws_his_missed_torch_again() -> None:
    """R-101, UNIT-23"""
    done = run_script(attack_building(BuildingAttack(new_unit("king"), HOUSE)), [1, 1, 1, 10])
    assert (done.hits, [step.what for step in done.steps]) == (1, ["hit", "re-roll"])


@pytest.mark.parametrize(
    ("torching", "dice", "needed"),
    [
        (BuildingAttack(new_unit("rat_riders", spear=True), HOUSE), [6], [3]),
        (BuildingAttack(new_unit("battle_cat", spear=True), HOUSE), [4], [3]),
        (BuildingAttack(new_unit("hoppers"), HOUSE), [3], [6]),
        (BuildingAttack(new_unit("mice_at_arms", "champion"), HOUSE), [4, 1], [3, 2]),
        (BuildingAttack(new_unit("mice_at_arms", "barbarian"), HOUSE), [4, 2], [3, 3]),
        (BuildingAttack(new_unit("field_mice", "ladybug"), HOUSE), [4], [4]),
        (BuildingAttack(new_unit("field_mice"), HOUSE, at=Place("bad_goings")), [4], [6]),
        (BuildingAttack(new_unit("field_mice"), HOUSE, at=Place("mound")), [4], [5]),
        (BuildingAttack(new_unit("field_mice"), HOUSE, event="storm"), [4], [6]),
        (BuildingAttack(new_unit("ballista"), HOUSE), [2], [4]),
    ],
    ids=["riders", "cat", "hoppers", "champion", "barbarian", "ladybug", "bad goings", "mound", "storm", "crew"],
)
def test_normal_melee_dice_without_charge_or_riding(
    torching: BuildingAttack, dice: list[int], needed: list[int]
) -> None:
    """R-65"""
    throws = building_attack_dice(torching)
    assert [throw.dice for throw in throws] == dice
    assert [throw.tally.needed for throw in throws] == needed


def test_king_re_rolls_a_miss() -> None:
    """R-65, UNIT-23"""
    done = run_script(attack_building(BuildingAttack(UnitInPlay("king", 1), HOUSE)), [1, 2])
    assert done.hits == 1
    assert [step.what for step in done.steps] == ["hit", "re-roll"]


def test_side_a_wins_with_four_burning_buildings() -> None:
    """SCEN-10"""
    sides = SideReport(5), SideReport(5)
    won = score_report(Report("chevauchee", *sides, ablaze=4))
    assert (won.winner, won.reason) == ("A", "All 4 buildings are ablaze.")
    assert score_report(Report("chevauchee", *sides, ablaze=3, stopped=True)).winner is None


@pytest.mark.parametrize(
    "torching",
    [
        BuildingAttack(new_unit("hoppers"), HOUSE),
        BuildingAttack(UnitInPlay("field_mice", 3), Building("Mill", 1)),
        BuildingAttack(UnitInPlay("king", 2), HOUSE),
        BuildingAttack(UnitInPlay("mice_at_arms", 2, "champion"), HOUSE, event="storm"),
    ],
    ids=["hoppers", "second wound", "king and guard", "champion"],
)
def test_burning_odds_match_every_possible_roll(torching: BuildingAttack) -> None:
    """SCEN-10, R-65"""
    dice = sum(throw.dice * (2 if throw.rerolls else 1) for throw in building_attack_dice(torching))
    lit = sum(run_script(attack_building(torching), faces).ablaze for faces in product(range(1, 11), repeat=dice))
    assert ablaze_odds(torching) == Fraction(lit, 10**dice)


def test_by_house_rule_every_flanker_hampers() -> None:
    """R-24 with flank_stacks on"""
    pressed = BuildingAttack(new_unit("field_mice", "ladybug"), HOUSE, at=Place(flanked=2))
    assert building_attack_dice(pressed)[0].tally.needed == 5
    assert building_attack_dice(pressed, Options(flank_stacks=True))[0].tally.needed == 6


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: Building("Mill", 3), "is 3"),
        (
            lambda: run_script(attack_building(BuildingAttack(new_unit("hoppers"), HOUSE, adjacent=False)), [9, 9, 9]),
            "next to the building",
        ),
        (lambda: ablaze_odds(BuildingAttack(UnitInPlay("hoppers", 3, fleeing=True), HOUSE)), "fleeing"),
        (lambda: BuildingAttack(new_unit("hoppers"), HOUSE, event="plague"), "plague"),
        (lambda: run_script(attack_building(BuildingAttack(new_unit("hoppers"), HOUSE)), [0, 1, 1]), "is 0"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    assert can_attack_building(BuildingAttack(new_unit("hoppers"), HOUSE))
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]
