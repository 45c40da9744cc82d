"""Attacks die by die: hits, re-rolls, shield, saves, losses, Assassin, morale, battle back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.combat import AttackResult, attack_in_melee, fight_exchange, fight_to_the_end, shoot
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, new_unit
from rulebook.data.house_rules import Options

BOWS, FOE, MICE = new_unit("bow_mice"), new_unit("mice_at_arms", "wizard"), new_unit("field_mice")


def blow(attacker: UnitInPlay, target: UnitInPlay, dice: list[int], **more: object) -> AttackResult:
    """One side of a melee; every die given must be used."""
    supply = iter(dice)
    done = run_script(attack_in_melee(Melee(attacker, target, **more)), supply)  # type: ignore[arg-type]
    assert next(supply, None) is None, "dice left over"
    return done


def shot(attacker: UnitInPlay, target: UnitInPlay, dice: list[int], **more: object) -> AttackResult:
    supply = iter(dice)
    done = run_script(shoot(Shooting(attacker, target, 6, **more)), supply)  # type: ignore[arg-type]
    assert next(supply, None) is None, "dice left over"
    return done


def steps(done: AttackResult) -> list[str]:
    return [step.what for step in done.steps]


# --- shooting ---------------------------------------------------------------------------------------------------


def test_a_shot_is_dice_then_saves_then_morale_if_a_model_was_lost() -> None:
    """SHOOT-05, SHOOT-07"""
    done = shot(BOWS, FOE, [5, 4, 10, 1, 7, 6, 8])
    assert steps(done) == ["hit", "save", "losses", "morale"]
    assert (done.hits, done.saved, done.wounds, done.models_lost) == (2, 1, 1, 1)
    assert done.steps[0].faces == (5, 4, 10, 1)
    assert [die.needed for die in done.steps[0].dice] == [5, 5, 5, 5]
    assert done.outcome == "stand"
    assert done.target == UnitInPlay("mice_at_arms", 4, "wizard")


def test_without_a_lost_model_nobody_tests() -> None:
    """SHOOT-07, SAVE-04"""
    assert steps(shot(BOWS, FOE, [1, 2, 3, 4])) == ["hit"]
    saved = shot(BOWS, FOE, [10, 10, 1, 1, 7, 7])
    assert (steps(saved), saved.outcome) == (["hit", "save"], "unhurt")


def test_an_equal_total_hits() -> None:
    """UNIT-07"""
    assert blow(MICE, MICE, [5, 5, 5, 5]).hits == 0
    assert blow(MICE, MICE, [6, 5, 5, 5, 9]).hits == 1


# --- melee ------------------------------------------------------------------------------------------------------


def test_melee_attack_is_dice_then_saves_then_morale() -> None:
    """MELEE-04, MELEE-05"""
    done = blow(FOE, MICE, [3, 9, 2, 2, 1, 8, 8, 10], charged=True)
    assert steps(done) == ["hit", "save", "losses", "morale"]
    assert (done.hits, done.models_lost, done.outcome) == (2, 2, "stand")


def test_the_king_re_rolls_his_own_miss_and_keeps_the_second_die() -> None:
    """UNIT-23"""
    king = new_unit("king")
    done = blow(king, FOE, [1, 1, 1, 9, 9])
    assert steps(done) == ["hit", "re-roll", "save"]
    assert done.steps[1].dice[0].whose == "king"
    assert done.hits == 1
    # A second miss stands, even one worse than the first.
    assert blow(king, FOE, [1, 1, 4, 1]).hits == 0
    # A hit is not re-rolled.
    assert steps(blow(king, FOE, [1, 1, 10, 10])) == ["hit", "save"]


def test_the_king_re_rolls_when_battling_back_too() -> None:
    """UNIT-23, MELEE-06"""
    done = run_script(fight_exchange(Melee(MICE, new_unit("king"))), [1, 1, 1, 1, 2, 2, 2, 9, 9])
    assert done.battle_back is not None
    assert steps(done.battle_back) == ["hit", "re-roll", "save"]


def test_a_kissed_model_re_rolls_each_of_its_misses() -> None:
    """HERO-11, R-35"""
    done = blow(UnitInPlay("rat_riders", 1, kissed=1), FOE, [1, 2, 10, 3, 9])
    assert steps(done) == ["hit", "re-roll", "save"]
    assert [die.whose for die in done.steps[1].dice] == ["kissed", "kissed"]
    assert done.hits == 1


# --- shield and saves -------------------------------------------------------------------------------------------

SHIELDED = new_unit("battle_cat", spear=True, shield=True)


def test_the_shield_stops_the_first_hit_before_any_save() -> None:
    """UNIT-20, R-42"""
    one = blow(FOE, SHIELDED, [7, 1, 1, 1, 1])
    assert steps(one) == ["hit", "shield"]
    assert (one.hits, one.shielded, one.outcome) == (1, 1, "unhurt")
    assert one.target == replace(SHIELDED, shield=False)

    two = blow(FOE, SHIELDED, [7, 7, 1, 1, 1, 6])
    assert steps(two) == ["hit", "shield", "save", "losses"]
    assert (two.hits, two.shielded, two.wounds, two.outcome) == (2, 1, 1, "wounded")
    assert two.target == UnitInPlay("battle_cat", 1, wounds=1, spear=True)


def test_a_spent_shield_stops_nothing() -> None:
    """UNIT-20"""
    assert steps(blow(FOE, replace(SHIELDED, shield=False), [7, 1, 1, 1, 1, 7])) == ["hit", "save"]


def test_without_a_hit_the_shield_is_kept() -> None:
    """R-42"""
    assert blow(FOE, SHIELDED, [1, 1, 1, 1, 1]).target == SHIELDED


@pytest.mark.parametrize(
    ("target", "face", "saved"),
    [
        (new_unit("hoppers"), 9, False),
        (new_unit("hoppers"), 10, True),
        (MICE, 8, False),
        (MICE, 9, True),
        (new_unit("king"), 5, False),
        (new_unit("king"), 6, True),
    ],
)
def test_a_total_of_nine_saves(target: UnitInPlay, face: int, saved: bool) -> None:
    """SAVE-01, ROUND-08"""
    done = run_script(attack_in_melee(Melee(UnitInPlay("mice_at_arms", 1, "wizard"), target)), [10, face, 10])
    assert done.saved == saved


def test_wound_that_removes_no_model_requires_no_test() -> None:
    """SAVE-02, SAVE-04"""
    lone_king = UnitInPlay("king", 1)
    done = blow(UnitInPlay("field_mice", 1), lone_king, [10, 1])
    assert steps(done) == ["hit", "save", "losses"]
    assert (done.outcome, done.target) == ("wounded", UnitInPlay("king", 1, wounds=1))
    assert done.story()[-1] == "King: nobody falls, but one model is wounded."


def test_hits_beyond_the_last_model_change_nothing() -> None:
    """SAVE-06, R-45, MORALE-08"""
    done = blow(FOE, UnitInPlay("hoppers", 1), [10, 10, 10, 10, 10, 1, 1, 1, 1, 1])
    assert (done.wounds, done.models_lost, done.outcome, done.target) == (5, 1, "destroyed", None)
    assert "morale" not in steps(done)


def test_blessing_rescues_a_failed_save_on_a_ten() -> None:
    """HERO-09, R-36"""
    blessed = replace(MICE, blessed=True)
    done = blow(UnitInPlay("mice_at_arms", 3, "wizard"), blessed, [9, 9, 9, 1, 10, 2, 10, 9, 10])
    assert steps(done) == ["hit", "save", "blessed save", "losses", "morale"]
    assert done.steps[2].faces == (10, 9)
    assert (done.saved, done.models_lost) == (2, 1)


def test_blessing_rescues_failed_morale_on_a_ten_once() -> None:
    """HERO-09, R-36"""
    blessed = replace(FOE, blessed=True)
    dice = [9, 1, 1]  # hit, failed save, no help
    held = blow(UnitInPlay("field_mice", 1), blessed, [*dice, 1, 10])
    assert steps(held)[-2:] == ["morale", "blessed morale"]
    assert (held.outcome, held.morale_roll.blessed if held.morale_roll else None) == ("stand", True)
    ran = blow(UnitInPlay("field_mice", 1), blessed, [*dice, 5, 9])
    assert ran.outcome == "flee"
    firm = blow(UnitInPlay("field_mice", 1), blessed, [*dice, 10])
    assert steps(firm)[-1] == "morale"


# --- assassin ---------------------------------------------------------------------------------------------------

KILLERS = UnitInPlay("mice_at_arms", 2, "assassin")


def test_an_assassin_strikes_once_more_after_a_casualty_and_before_morale() -> None:
    """HERO-15, R-34, R-47"""
    done = blow(KILLERS, MICE, [9, 1, 1, 9, 1, 10])
    assert steps(done) == ["hit", "save", "losses", "extra", "save", "losses", "morale"]
    assert (done.hits, done.models_lost) == (2, 2)
    assert done.steps[3].dice[0].needed == done.steps[0].dice[0].needed


def test_an_assassin_strikes_at_most_once_more() -> None:
    """R-34"""
    done = blow(KILLERS, MICE, [9, 9, 1, 1, 9, 1, 10])
    assert steps(done).count("extra") == 1
    assert done.models_lost == 3


@pytest.mark.parametrize(
    ("target", "dice", "why"),
    [
        (MICE, [1, 1], "nobody fell"),
        (UnitInPlay("king", 1), [9, 1, 1], "a wound is no casualty"),
        (UnitInPlay("field_mice", 1), [9, 1, 1], "nobody is left"),
        (new_unit("battle_cat"), [9, 1, 1], "the cat only bleeds"),
    ],
)
def test_without_a_casualty_or_a_target_the_assassin_waits(target: UnitInPlay, dice: list[int], why: str) -> None:
    """HERO-15, R-34"""
    assert "extra" not in steps(blow(KILLERS, target, dice)), why


def test_an_assassin_shoots_once_more_too_but_not_once_he_has_fallen() -> None:
    """R-34, R-11"""
    done = shot(UnitInPlay("bow_mice", 2, "assassin"), MICE, [9, 1, 1, 1, 10])
    assert steps(done) == ["hit", "save", "losses", "extra", "morale"]
    fallen = UnitInPlay("king", 1, "assassin")
    assert steps(blow(fallen, MICE, [9, 1, 10])) == ["hit", "save", "losses", "morale"]


# --- morale -----------------------------------------------------------------------------------------------------


def test_any_number_of_losses_requires_one_test() -> None:
    """R-47, MORALE-01"""
    done = blow(FOE, FOE, [10, 10, 10, 1, 1, 1, 1, 1, 10])
    assert (done.models_lost, steps(done).count("morale")) == (3, 1)


def test_numbers_are_compared_after_the_losses() -> None:
    """R-23: five against four; once two have fallen they are three against four."""
    done = blow(UnitInPlay("mice_at_arms", 4, "wizard"), FOE, [10, 10, 1, 1, 1, 1, 9])
    assert done.morale_roll is not None
    assert done.morale_roll.tally is not None
    assert [entry.modifier.key for entry in done.morale_roll.tally.applied] == ["morale_outnumbered"]


def test_scattered_units_are_gone_and_fleeing_ones_carry_a_token() -> None:
    """MORALE-04, MORALE-05, MORALE-06"""
    dice = [9, 1]
    one = UnitInPlay("field_mice", 1)
    gone = blow(one, new_unit("bow_mice"), [*dice, 3])
    assert (gone.outcome, gone.target) == ("scatter", None)
    runs = blow(one, new_unit("bow_mice"), [*dice, 4])
    assert (runs.outcome, runs.target) == ("flee", UnitInPlay("bow_mice", 3, fleeing=True))
    stands = blow(one, new_unit("bow_mice"), [*dice, 7])
    assert (stands.outcome, stands.target) == ("stand", UnitInPlay("bow_mice", 3))


def test_a_musicians_unit_stands_without_a_die() -> None:
    """HERO-13, MORALE-07"""
    done = blow(UnitInPlay("field_mice", 1), new_unit("mice_at_arms", "musician"), [9, 1])
    assert (steps(done)[-1], done.outcome) == ("musician", "stand")
    # Beside the King he saves the unit's morale_roll only while he lives.
    lone = blow(UnitInPlay("field_mice", 1), UnitInPlay("king", 2, "musician"), [9, 1, 1])
    assert (steps(lone)[-1], lone.outcome) == ("morale", "scatter")


def test_the_cat_never_tests_nor_flees() -> None:
    """UNIT-18, MORALE-07"""
    done = blow(FOE, new_unit("battle_cat"), [10, 10, 10, 1, 1, 1, 1, 1])
    assert (done.outcome, done.target) == ("wounded", UnitInPlay("battle_cat", 1, wounds=3))


def test_a_fleeing_unit_that_is_shot_tests_again_and_may_rally() -> None:
    """R-51"""
    runs = UnitInPlay("bow_mice", 4, fleeing=True)
    rallied = shot(UnitInPlay("hoppers", 1), runs, [10, 1, 10])
    assert rallied.target == UnitInPlay("bow_mice", 3)
    assert rallied.rallied
    still = shot(UnitInPlay("hoppers", 1), runs, [10, 1, 4])
    assert still.target == UnitInPlay("bow_mice", 3, fleeing=True)
    assert not still.rallied


@pytest.mark.parametrize(("face", "outcome"), [(1, "flee"), (2, "stand")])
def test_a_natural_one_cannot_stand(face: int, outcome: str) -> None:
    """R-22"""
    # Q +3, three [A], two standards by house rule and a Messenger: +8, so that even a 1 would come to 9.
    unit = UnitInPlay("king", 3, "standard_bearer", ladybug=True, first_activated=True)
    situation = Melee(UnitInPlay("hoppers", 1), unit, target_at=Place(bearers=1), event="messenger")
    done = run_script(attack_in_melee(situation, Options(bearers_stack=True)), [10, 1, face])
    assert done.morale_roll is not None
    assert done.morale_roll.total == face + 8
    assert done.outcome == outcome


def test_a_natural_one_scatters_by_house_rule() -> None:
    """R-22"""
    ladybug = new_unit("king", ladybug=True)
    script = attack_in_melee(Melee(UnitInPlay("hoppers", 1), ladybug), Options(natural_one_morale="scatter"))
    assert run_script(script, [10, 1, 1]).outcome == "scatter"


# --- battle back ------------------------------------------------------------------------------------------------


def test_a_target_that_stands_battles_back_with_what_is_left_and_a_d() -> None:
    """MELEE-06"""
    done = run_script(fight_exchange(Melee(FOE, new_unit("bow_mice"), charged=True)), [9, 9, 1, 1, 1, 1, 1, 10, 7, 7])
    assert done.battle_back is not None
    assert done.battle_back.kind == "battle back"
    assert done.battle_back.throws[0].dice == 2
    assert [entry.modifier.key for entry in done.battle_back.throws[0].tally.applied] == ["melee_battling_back"]
    assert done.end == "goes on"


@pytest.mark.parametrize(
    ("dice", "end"),
    [
        ([9, 9, 9, 9, 9, 1, 1, 1, 1, 1], "target gone"),  # destroyed
        ([9, 1, 1, 1, 1, 1, 1], "target gone"),  # scattered
        ([9, 1, 1, 1, 1, 1, 6], "target flees"),
    ],
)
def test_destroyed_or_fleeing_target_does_not_battle_back(dice: list[int], end: str) -> None:
    """MELEE-06, MELEE-03"""
    done = run_script(fight_exchange(Melee(FOE, new_unit("bow_mice"))), dice)
    assert done.battle_back is None
    assert done.end == end
    assert done.attacker == FOE


def test_a_battle_back_is_not_answered() -> None:
    """MELEE-07"""
    supply = iter([1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9])
    done = run_script(fight_exchange(Melee(FOE, BOWS)), supply)
    assert len(list(supply)) == 3
    assert done.end == "goes on"


def test_the_attacker_may_fall_to_the_battle_back() -> None:
    """MELEE-06, MELEE-03"""
    lone = UnitInPlay("hoppers", 1)
    gone = run_script(fight_exchange(Melee(lone, BOWS)), [1, 9, 1, 1, 1, 1])
    assert (gone.end, gone.attacker, gone.target) == ("attacker gone", None, BOWS)
    pair = UnitInPlay("mice_at_arms", 2, "wizard")
    runs = run_script(fight_exchange(Melee(pair, BOWS)), [1, 1, 9, 1, 1, 1, 1, 6])
    assert (runs.end, runs.attacker) == ("attacker flees", UnitInPlay("mice_at_arms", 1, "wizard", fleeing=True))


def test_a_fleeing_unit_that_is_charged_is_destroyed_without_dice() -> None:
    """MELEE-09, FLEE-06"""
    runs = UnitInPlay("mice_at_arms", 5, "wizard", fleeing=True, ladybug=True)
    done = run_script(fight_exchange(Melee(new_unit("hoppers"), runs, charged=True)), [])
    assert (done.end, done.attack.outcome, done.attack.models_lost) == ("target gone", "destroyed", 5)
    assert done.attack.ladybug_flies
    assert done.attack.story() == ("Mice-at-Arms: caught in flight and destroyed.",)


def test_ladybug_of_a_removed_unit_looks_for_another_unit() -> None:
    """HERO-07"""
    last = UnitInPlay("hoppers", 1, ladybug=True)
    assert blow(UnitInPlay("king", 1), last, [10, 1]).ladybug_flies
    two = UnitInPlay("hoppers", 2, ladybug=True)
    assert blow(UnitInPlay("king", 1), two, [10, 1, 1]).ladybug_flies  # scattered
    assert not blow(UnitInPlay("king", 1), two, [10, 1, 10]).ladybug_flies


# --- a melee fought out -----------------------------------------------------------------------------------------


def test_melee_alternates_until_one_side_is_gone_or_flees() -> None:
    """MELEE-03, ROUND-06"""
    lone, other = UnitInPlay("field_mice", 1), UnitInPlay("hoppers", 1)
    misses = [1, 1]
    story = run_script(fight_to_the_end(Melee(lone, other, charged=True)), [*misses, *misses, *misses, 1, 10, 1])
    assert len(story) == 4
    assert [done.attack.attacker.key for done in story] == ["field_mice", "hoppers", "field_mice", "hoppers"]
    charged = [[entry.modifier.key for entry in done.attack.throws[0].tally.applied] for done in story]
    assert charged == [["melee_charged"], [], [], []]
    # Field Mice battle back in the fourth exchange and the Hoppers fall.
    assert story[-1].end == "attacker gone"


def test_effects_of_one_round_end_after_two_exchanges() -> None:
    """R-36, EVENT-03"""
    lone = UnitInPlay("field_mice", 1, blessed=True, first_activated=True)
    other = UnitInPlay("hoppers", 1)
    story = run_script(fight_to_the_end(Melee(lone, other, event="storm")), [1, 1, 1, 1, 1, 1, 10, 1])
    storms = [any(e.modifier.key == "melee_storm" for e in done.attack.throws[0].tally.applied) for done in story]
    assert storms == [True, True, False, False]
    assert story[2].attack.attacker.blessed is False


def test_ground_and_flanks_are_swapped_for_the_battle_back() -> None:
    """MELEE-08, MORALE-03"""
    hill = Place("mound", flanked=1)
    situation = Melee(FOE, BOWS, hill, OPEN)
    back = situation.battle_back(FOE, BOWS)
    assert (back.at, back.target_at, back.battling_back, back.charged) == (OPEN, hill, True, False)
