"""The Wizard's spells in play."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.attack_situations import Casting
from rulebook.battle.dice import DiceRequest, run_script
from rulebook.battle.hero_powers import can_cast, cast_spell, does_phantasm_work
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from tests.rulebook.all_dice_outcomes import resume_script

WIZARDS = new_unit("mice_at_arms", "wizard")
FOE = new_unit("field_mice")


@pytest.mark.parametrize(
    ("roll", "spell"),
    [(1, "magic_missile"), (5, "magic_missile"), (6, "phantasm"), (8, "phantasm"), (9, "fireball"), (10, "fireball")],
)
def test_target_is_chosen_before_a_d10_decides_the_spell(roll: int, spell: str) -> None:
    """HERO-17"""
    asked = resume_script(cast_spell(Casting(WIZARDS, FOE)), [roll])
    assert isinstance(asked, DiceRequest)
    dice = [1] * asked.count
    done = resume_script(cast_spell(Casting(WIZARDS, FOE)), [roll, *dice])
    assert not isinstance(done, DiceRequest)
    assert done.spell.key == spell


@pytest.mark.parametrize(("roll", "dice"), [(3, 1), (9, 2)])
def test_a_missile_is_one_die_and_a_fireball_two_at_plus_one(roll: int, dice: int) -> None:
    """HERO-18"""
    asked = resume_script(cast_spell(Casting(WIZARDS, FOE)), [roll])
    assert isinstance(asked, DiceRequest)
    assert (asked.what, asked.count, asked.dice[0].needed) == ("hit", dice, 5)


def test_saves_and_morale_follow_a_spell() -> None:
    """HERO-18, MORALE-01"""
    done = run_script(cast_spell(Casting(WIZARDS, FOE, event="storm")), [9, 5, 5, 1, 9, 2])
    assert done.attack is not None
    assert [step.what for step in done.steps] == ["spell", "hit", "save", "losses", "morale"]
    assert (done.attack.hits, done.attack.models_lost, done.attack.outcome) == (2, 1, "scatter")
    assert done.attack.kind == "spell"


@pytest.mark.parametrize(("roll", "works"), [(1, False), (5, False), (6, True), (10, True)])
def test_a_phantasm_needs_a_further_six(roll: int, works: bool) -> None:
    """HERO-19"""
    assert does_phantasm_work(roll) is works
    assert run_script(cast_spell(Casting(WIZARDS, FOE)), [7, roll]).loses_activation is works


def test_a_phantasm_is_wasted_on_a_unit_that_has_acted() -> None:
    """R-39"""
    done = run_script(cast_spell(Casting(WIZARDS, FOE, target_activated=True)), [7])
    assert not done.works
    assert done.works.rules == ("R-39",)
    assert not done.loses_activation


@pytest.mark.parametrize(
    ("casting", "why"),
    [
        (Casting(WIZARDS, FOE, engaged=True), "Wizard is in melee"),
        (Casting(WIZARDS, FOE, target_engaged=True), "target is in melee"),
        (Casting(WIZARDS, FOE, target_at=Place("building")), "in a building"),
    ],
)
def test_missile_and_fireball_are_shooting_attacks_and_phantasm_is_not(casting: Casting, why: str) -> None:
    """R-38"""
    for roll in (1, 10):
        done = run_script(cast_spell(casting), [roll])
        assert done.attack is None
        assert why in done.works.reason
    assert run_script(cast_spell(casting), [6, 6]).loses_activation


def test_a_wizard_who_flees_or_has_fallen_casts_nothing() -> None:
    """R-38"""
    with pytest.raises(Refusal, match="fleeing Wizard cannot cast"):
        Casting(UnitInPlay("mice_at_arms", 5, "wizard", fleeing=True), FOE)
    with pytest.raises(Refusal, match="no Wizard"):
        Casting(UnitInPlay("king", 1, "wizard"), FOE)
    with pytest.raises(Refusal, match="no Wizard"):
        Casting(new_unit("mice_at_arms", "cleric"), FOE)
    with pytest.raises(Refusal, match="contact with the target, so it is in melee"):
        Casting(WIZARDS, FOE, target_at=Place(flanked=1))
    assert Casting(WIZARDS, FOE, target_at=Place(flanked=1), target_engaged=True)


def test_a_wizard_needs_sight_and_casts_once() -> None:
    """HERO-17"""
    assert can_cast(WIZARDS, in_sight=True)
    assert not can_cast(WIZARDS, in_sight=False)
    assert not can_cast(WIZARDS, in_sight=True, used=True)
    assert not can_cast(UnitInPlay("mice_at_arms", 5, "wizard", fleeing=True), in_sight=True)
    assert not can_cast(FOE, in_sight=True)
