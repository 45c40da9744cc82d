"""Dice asked for step by step, and all at once."""

from __future__ import annotations

from typing import get_args

import pytest

from refusal import Refusal
from rulebook.battle.attack_situations import Melee
from rulebook.battle.combat import AttackResult, attack_in_melee, fight_exchange
from rulebook.battle.dice import STEPS, DiceRequest, StepKind, run_script
from rulebook.battle.unit_in_play import UnitInPlay, new_unit
from tests.rulebook.all_dice_outcomes import resume_script

CHARGE = Melee(new_unit("king"), new_unit("bow_mice"), charged=True)


def asked(dice: list[int]) -> DiceRequest | AttackResult:
    return resume_script(attack_in_melee(CHARGE), dice)


def test_a_phone_is_asked_for_one_roll_after_another() -> None:
    first = asked([])
    assert isinstance(first, DiceRequest)
    assert (first.what, first.side, first.count) == ("hit", "attacker", 3)
    assert [(die.whose, die.needed) for die in first.dice] == [("unit", 3), ("unit", 3), ("king", 3)]
    assert first.text == "Roll 3 dice to hit."

    second = asked([2, 9, 2])
    assert isinstance(second, DiceRequest)
    assert (second.what, second.count, second.text) == (
        "re-roll",
        1,
        "Re-roll the misses: 1 die. The second roll counts.",
    )

    third = asked([2, 9, 2, 8])
    assert isinstance(third, DiceRequest)
    assert (third.what, third.side, third.count, third.dice[0].needed) == ("save", "target", 2, 8)

    fourth = asked([2, 9, 2, 8, 7, 9])
    assert isinstance(fourth, DiceRequest)
    assert (fourth.what, fourth.count, fourth.dice[0].needed) == ("morale", 1, 8)

    done = asked([2, 9, 2, 8, 7, 9, 6])
    assert isinstance(done, AttackResult)
    assert (done.hits, done.saved, done.models_lost, done.outcome) == (2, 1, 1, "flee")


def test_same_dice_given_at_once_give_the_same_result() -> None:
    dice = [2, 9, 2, 8, 7, 9, 6]
    assert run_script(attack_in_melee(CHARGE), iter([*dice, 1, 1, 1])) == asked(dice)


def test_result_has_sentences() -> None:
    done = run_script(attack_in_melee(CHARGE), [2, 9, 2, 8, 7, 9, 6])
    assert done.story() == (
        "King to hit: 2, 9 and 2; 1 hit.",
        "King, misses re-rolled: 8; 1 hit.",
        "Bow-Mice to save: 7 and 9; 1 save.",
        "Bow-Mice: a mouse falls.",
        "Bow-Mice, morale: 6; the unit flees.",
    )
    assert all(step.rules for step in done.steps)


def test_every_step_has_its_sentence_and_its_rules() -> None:
    assert STEPS.keys() == set(get_args(StepKind))
    assert all(step.text and step.rules for step in STEPS.values())


def test_dice_left_over_stay_in_the_supply() -> None:
    supply = iter([1, 1, 1, 1, 5, 6])
    run_script(attack_in_melee(CHARGE), supply)
    assert list(supply) == [5, 6]


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ([2, 9], "Roll 3 dice to hit. You entered 2"),
        ([2, 9, 11], "hit roll is 11. A d10 shows 1 to 10"),
        ([2, 9, 0], "hit roll is 0"),
        ([2, 9, True], "hit roll is True"),
        ([2, 9, "3"], "hit roll is “3”"),
        ([1, 1, 1, 1, 5], "You entered 1 die too many"),
    ],
)
def test_wrong_dice_are_refused_by_name(dice: list[int], sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        asked(dice)


def test_running_out_of_dice_is_refused() -> None:
    with pytest.raises(Refusal, match=r"There are no dice left\. Roll 2 dice to save"):
        run_script(attack_in_melee(CHARGE), [9, 1, 9, 4])


def test_a_script_without_dice_is_over_at_once() -> None:
    runs = UnitInPlay("bow_mice", 4, fleeing=True)
    done = resume_script(fight_exchange(Melee(new_unit("king"), runs, charged=True)), [])
    assert not isinstance(done, DiceRequest)
    assert done.attack.outcome == "destroyed"
