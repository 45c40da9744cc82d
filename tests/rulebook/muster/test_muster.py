"""Mustering the troops: the table, four houses, heroes, weapons, siege extras and rebels."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import (
    MUSTER_RULES,
    MUSTER_TABLE,
    MusterCall,
    effective_loyalty,
    lesser_units,
    muster_row,
    rebel_bonus,
    rebel_unit,
)
from rulebook.data.units import UNIT, UNITS
from rulebook.muster.army import KING_SLOT, Army, MusteredUnit, Slot
from rulebook.muster.questions import MusterAnswer
from rulebook.muster.roll_muster import (
    Muster,
    answer_question,
    begin_muster,
    muster_army,
    replay_muster,
    reroll_last_die,
)

RULE = {rule.key: rule for rule in MUSTER_RULES}

faces = st.integers(1, 10)
calls = st.builds(
    MusterCall,
    loyalty=st.integers(-6, 6),
    lost=st.sets(st.sampled_from([1, 2, 3, 4])).map(lambda houses: tuple(sorted(houses))),
    siege=st.sampled_from([None, "attacker", "defender"]),
    vp=st.integers(0, 12),
    options=st.builds(
        Options,
        fealty_regain=st.sampled_from(["next_muster", "roll_at_once"]),
        lesser_unit=st.sampled_from(["any_lower", "next_lower"]),
        loyalty_cap=st.sampled_from([None, 2]),
        unique_heroes=st.sampled_from(["choice", "forced"]),
        rebel_zero=st.sampled_from(["hoppers", "none"]),
        rebel_loyalty=st.booleans(),
    ),
)


def run(call: MusterCall, *answers: int | str) -> Muster:
    """A muster with these answers given in order."""
    muster = begin_muster(call)
    for value in answers:
        muster = answer_question(muster, value)
    return muster


def unit_names(army: Army) -> list[str]:
    return [unit.name for unit in army.units]


# --- the table -----------------------------------------------------------------------------------------------

# fmt: off
PRINTED = [
    # total  unit
    (-9,     None), (-1, None), (0, None),
    (1,      "hoppers"),
    (2,      "field_mice"),
    (3,      "bow_mice"),     (4, "bow_mice"),
    (5,      "mice_at_arms"), (6, "mice_at_arms"), (7, "mice_at_arms"),
    (8,      "rat_riders"),
    (9,      "battle_cat"),
    (10,     "ballista"),
    (11,     "ballista"),     (22, "ballista"),
]
# fmt: on


@pytest.mark.parametrize(("total", "unit"), PRINTED)
def test_each_total_gives_the_unit_of_its_row(total: int, unit: str | None) -> None:
    """MUSTER-02, MUSTER-08, R-03"""
    assert muster_row(total).unit == unit


def test_every_total_has_exactly_one_row() -> None:
    for total in range(-20, 31):
        fitting = [r for r in MUSTER_TABLE if (r.low is None or r.low <= total) and (r.high is None or total <= r.high)]
        assert fitting == [muster_row(total)]


def test_natural_one_and_ten_mean_nothing_on_a_table() -> None:
    """R-04"""
    low = run(MusterCall(loyalty=4), 1, 1)
    assert low.steps[-1].total == 5
    assert low.question is not None
    assert low.question.default == "mice_at_arms"
    high = run(MusterCall(loyalty=-4), 1, 10)
    assert high.question is not None
    assert high.question.default == "mice_at_arms"


# --- the army ------------------------------------------------------------------------------------------------


def test_an_army_is_the_kings_unit_and_one_roll_for_each_of_four_houses() -> None:
    """MUSTER-01, UNIT-21, R-10"""
    army = muster_army(MusterCall(), [7, 1, 1, 2, 9, 10])
    assert [unit.slot.key for unit in army.units] == ["king", "house-1", "house-2", "house-3", "house-4"]
    assert unit_names(army) == ["King", "Hoppers", "Hoppers", "Field Mice", "Ballista"]
    assert army.dice == (7, 1, 1, 2, 9, 10)


def test_the_king_is_rolled_first_and_then_the_houses_in_order() -> None:
    """R-10"""
    muster = begin_muster()
    order = []
    while muster.question:
        if muster.question.slot.key not in order:
            order.append(muster.question.slot.key)
        muster = answer_question(muster, 5 if muster.question.die else muster.question.default or "")
    assert order == ["king", "house-1", "house-2", "house-3", "house-4"]


def test_every_battle_is_mustered_afresh() -> None:
    """R-06"""
    assert "Rolled afresh for every battle" in RULE["army"].text
    assert begin_muster(MusterCall(loyalty=2)).units == ()


@pytest.mark.parametrize(("loyalty", "unit"), [(-3, "hoppers"), (0, "bow_mice"), (1, "mice_at_arms"), (6, "ballista")])
def test_loyalty_is_added_to_each_houses_die(loyalty: int, unit: str) -> None:
    """MUSTER-02"""
    army = muster_army(MusterCall(loyalty=loyalty), iter([1, *[4, 2, 1, 1] * 10]))
    assert army.units[1].unit == unit


def test_a_single_battle_has_no_loyalty() -> None:
    """MUSTER-03"""
    assert MusterCall().loyalty == 0
    assert "Outside a campaign there is no loyalty" in RULE["loyalty"].text


@pytest.mark.parametrize("loyalty", [-40, -10, 12, 40])
def test_loyalty_has_no_limit_unless_one_is_agreed(loyalty: int) -> None:
    """R-07"""
    assert effective_loyalty(loyalty) == loyalty
    assert effective_loyalty(loyalty, Options(loyalty_cap=3)) == (3 if loyalty > 0 else -3)
    assert effective_loyalty(2, Options(loyalty_cap=3)) == 2


def test_loyalty_minus_ten_leaves_the_king_alone() -> None:
    """MUSTER-05"""
    army = muster_army(MusterCall(loyalty=-10), [1, 10, 10, 10, 10])
    assert unit_names(army) == ["King"]
    assert army.lost == (1, 2, 3, 4)
    assert army.problems() == ("The King is alone. An army of one unit is legal.",)


def test_loyalty_plus_twelve_brings_four_ballistae() -> None:
    """MUSTER-08"""
    army = muster_army(MusterCall(loyalty=12), [1, 1, 1, 1, 1])
    assert unit_names(army) == ["King"] + ["Ballista"] * 4


def test_a_total_below_one_costs_that_houses_fealty_and_no_loyalty() -> None:
    """MUSTER-05, R-01"""
    army = muster_army(MusterCall(loyalty=-1), [1, 1, 2, 2, 2])
    assert army.lost == (1,)
    assert unit_names(army) == ["King", "Hoppers", "Hoppers", "Hoppers"]
    assert army.loyalty == -1


def test_a_lost_house_is_skipped_and_does_not_roll() -> None:
    """MUSTER-06, R-01"""
    muster = run(MusterCall(lost=(1, 3)), 1)
    assert muster.question is not None
    assert muster.question.slot.key == "house-2"
    army = muster_army(MusterCall(lost=(1, 2, 3, 4)), [1])
    assert unit_names(army) == ["King"]
    assert (army.silent, army.lost, army.dice) == ((1, 2, 3, 4), (), (1,))


def test_a_house_bought_back_counts_from_the_next_muster() -> None:
    """R-02"""
    muster = run(MusterCall(lost=(1, 2, 3), vp=9), 1, 1)
    assert muster.army is not None
    assert muster.army.silent == (1, 2, 3)
    assert muster.vp_left == 9


def test_with_the_house_rule_a_house_bought_back_rolls_at_once() -> None:
    """R-02"""
    call = MusterCall(lost=(1, 2), vp=3, options=Options(fealty_regain="roll_at_once"))
    muster = run(call, 1)
    assert muster.question is not None
    assert muster.question.kind == "regain"
    assert [choice.key for choice in muster.question.choices] == ["leave", "regain"]
    muster = answer_question(muster, "regain")
    assert muster.vp_left == 1
    # House 2 has only 1 VP to hope for, so it is not asked.
    army = run(call, 1, "regain", 1, 1, 1).army
    assert army is not None
    assert (army.regained, army.silent, army.vp_spent) == ((1,), (2,), 2)
    assert unit_names(army) == ["King", "Hoppers", "Hoppers", "Hoppers"]


def test_a_house_lost_and_bought_back_within_the_same_muster_rolls_again() -> None:
    """R-02"""
    call = MusterCall(loyalty=-1, vp=4, options=Options(fealty_regain="roll_at_once"))
    army = run(call, 1, 1, "regain", 2, 2, 2, 2).army
    assert army is not None
    assert (army.lost, army.regained, army.vp_spent) == ((), (), 2)
    again = run(MusterCall(-1, (1,), None, 4, call.options), 1, "regain", 1, "leave", 2, 2, 2).army
    assert again is not None
    assert (again.lost, again.regained, again.silent) == ((1,), (), ())


# --- the lesser unit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rolled", "any_lower"),
    [
        ("ballista", ["battle_cat", "rat_riders", "mice_at_arms", "bow_mice", "field_mice", "hoppers"]),
        ("mice_at_arms", ["bow_mice", "field_mice", "hoppers"]),
        ("field_mice", ["hoppers"]),
        ("hoppers", []),
    ],
)
def test_any_unit_of_a_lower_row_may_be_taken_instead(rolled: str, any_lower: list[str]) -> None:
    """MUSTER-07, R-05"""
    assert list(lesser_units(rolled)) == any_lower
    assert list(lesser_units(rolled, Options(lesser_unit="next_lower"))) == any_lower[:1]


def test_from_thirteen_any_unit_can_be_chosen() -> None:
    """R-03, R-05"""
    muster = run(MusterCall(loyalty=3), 1, 10)
    assert muster.question is not None
    assert [choice.key for choice in muster.question.choices] == [
        "ballista",
        "battle_cat",
        "rat_riders",
        "mice_at_arms",
        "bow_mice",
        "field_mice",
        "hoppers",
    ]
    with pytest.raises(Refusal, match=r"“nobody” is not a choice\. Choose ballista, battle_cat"):
        answer_question(muster, "nobody")
    with pytest.raises(Refusal, match="“king” is not a choice"):
        answer_question(muster, "king")


def test_with_the_house_rule_only_the_next_row_is_offered() -> None:
    """R-05"""
    muster = run(MusterCall(options=Options(lesser_unit="next_lower")), 1, 9)
    assert muster.question is not None
    assert [choice.key for choice in muster.question.choices] == ["battle_cat", "rat_riders"]


def test_hero_and_weapon_rolls_follow_the_unit_actually_taken() -> None:
    """MUSTER-09, R-05"""
    muster = run(MusterCall(), 1, 9, "rat_riders")
    assert muster.question is not None
    assert (muster.question.kind, muster.question.faces[0].low) == ("hero_chance", 8)
    muster = answer_question(muster, 7)
    assert muster.question is not None
    assert muster.question.kind == "weapon"
    assert answer_question(muster, 8).units[-1].weapon == "spears"
    # Taking Hoppers from Mice-at-Arms gives up the hero.
    assert run(MusterCall(), 1, 6, "hoppers").units[-1].name == "Hoppers"


def test_hoppers_and_nobody_offer_no_choice() -> None:
    """R-05"""
    for first, loyalty in ((1, 0), (1, -1)):
        muster = run(MusterCall(loyalty=loyalty), 1, first)
        assert muster.question is not None
        assert muster.question.slot.key == "house-2"


def test_loyalty_does_not_affect_hero_and_weapon_dice() -> None:
    """R-08"""
    muster = run(MusterCall(loyalty=5), 1, 3, "rat_riders")
    assert muster.question is not None
    assert muster.question.bonus == 0
    assert answer_question(answer_question(muster, 7), 7).units[-1].name == "Rat Riders"


def test_no_hero_is_rolled_for_a_battle_cat() -> None:
    """R-08"""
    muster = run(MusterCall(), 1, 9, "battle_cat")
    assert muster.question is not None
    assert muster.question.kind == "weapon"
    assert answer_question(muster, 10).units[-1].name == "Battle Cat with spear and shield"


# --- heroes at the muster ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "kind"), [(7, "muster"), (8, "hero")])
def test_the_kings_unit_has_a_hero_on_eight_or_more(roll: int, kind: str) -> None:
    """HERO-05"""
    muster = run(MusterCall(), roll)
    assert muster.question is not None
    assert muster.question.kind == kind


def test_repeated_hero_can_be_kept_or_re_rolled() -> None:
    """HERO-04, R-09, R-10"""
    # The King's own Wizard counts in the comparison.
    asked = run(MusterCall(), 8, 10, 5, "mice_at_arms", 10)
    assert asked.question is not None
    assert [choice.key for choice in asked.question.choices] == ["keep", "roll_again"]
    assert answer_question(asked, "keep").units[-1].hero == "wizard"
    again = answer_question(answer_question(asked, "roll_again"), 10)
    assert again.question is not None
    assert again.question.kind == "repeat"
    assert answer_question(answer_question(again, "roll_again"), 7).units[-1].hero == "barbarian"


def test_re_rolled_hero_is_final() -> None:
    """R-09"""
    muster = run(MusterCall(), 8, 10, 5, "mice_at_arms", 10, "roll_again", 2)
    assert muster.question is not None
    assert muster.question.slot.key == "house-2"


def test_a_standard_bearer_and_a_musician_are_the_same_result() -> None:
    """HERO-13, R-09"""
    muster = run(MusterCall(), 8, 6, 9, 5, "mice_at_arms", 6)
    assert muster.units[0].hero == "musician"
    assert muster.question is not None
    assert muster.question.kind == "repeat"
    assert answer_question(answer_question(muster, "keep"), 8).units[-1].hero == "standard_bearer"


def test_with_the_house_rule_a_repeat_is_re_rolled_without_asking() -> None:
    """R-09"""
    forced = Options(unique_heroes="forced")
    muster = run(MusterCall(options=forced), 8, 10, 5, "mice_at_arms", 10)
    assert muster.question is not None
    assert muster.question.kind == "hero"
    army = muster_army(MusterCall(options=forced), [8, 10, 5, 10, 10, 3, 5, 3, 1, 1, 1])
    assert army.heroes == ("wizard", "cleric", "ladybug")


@given(st.lists(faces, min_size=200, max_size=200))
def test_with_the_house_rule_no_hero_comes_twice(dice: list[int]) -> None:
    """R-09"""
    # Dice that all show one face would roll for ever, so every tenth die is a different hero.
    cup = [face for index, die in enumerate(dice) for face in (die, index % 10 + 1)]
    army = muster_army(MusterCall(options=Options(unique_heroes="forced")), cup)
    results = ["standard_bearer" if hero == "musician" else hero for hero in army.heroes]
    assert len(set(results)) == len(results)


@pytest.mark.parametrize(("roll", "hero"), [(8, "standard_bearer"), (9, "musician")])
def test_a_standard_bearer_rolls_at_once_whether_he_is_a_musician(roll: int, hero: str) -> None:
    """HERO-12, HERO-13"""
    assert run(MusterCall(), 10, 6, roll).units[0].hero == hero


# --- re-rolls for VP -----------------------------------------------------------------------------------------


def test_muster_die_can_be_re_rolled_for_a_vp_and_either_roll_kept() -> None:
    """R-12"""
    muster = run(MusterCall(vp=2), 1, 2)
    assert muster.can_reroll
    better = reroll_last_die(muster, 6)
    assert better.question is not None
    assert better.question.default == "mice_at_arms"
    assert (better.vp_spent, better.vp_left) == (1, 1)
    same = reroll_last_die(better, 1, keep="old")
    assert same.question is not None
    assert same.question.default == "mice_at_arms"
    assert same.answers[-1] == MusterAnswer(6, (2, 6, 1))
    assert same.steps[-1].text.endswith("Rolls: 2, 6 and 1; 2 VP spent, keeps 6.")
    assert not same.can_reroll
    with pytest.raises(Refusal, match="A re-roll costs 1 VP; you have 0"):
        reroll_last_die(same, 9)


def test_hero_die_can_be_re_rolled_for_a_vp() -> None:
    """R-12"""
    muster = reroll_last_die(run(MusterCall(vp=1), 7), 8)
    assert muster.question is not None
    assert muster.question.kind == "hero"


def test_last_die_of_a_muster_can_be_re_rolled() -> None:
    """R-12"""
    over = run(MusterCall(vp=1), 1, 1, 1, 1, 1)
    assert over.done
    changed = reroll_last_die(over, 2)
    assert not changed.done
    assert changed.question is not None
    assert changed.question.kind == "lesser"


def test_choice_cannot_be_re_rolled() -> None:
    with pytest.raises(Refusal, match="The last answer was a choice"):
        reroll_last_die(run(MusterCall(vp=5), 1, 2, "field_mice"), 9)
    with pytest.raises(Refusal, match="no die to re-roll"):
        reroll_last_die(begin_muster(MusterCall(vp=5)), 9)


def test_a_lost_house_is_saved_by_a_better_die() -> None:
    """R-12"""
    muster = reroll_last_die(run(MusterCall(loyalty=-2, vp=1), 1, 2), 9)
    assert muster.question is not None
    assert muster.question.default == "mice_at_arms"
    army = run(MusterCall(loyalty=-2, vp=0), 1, 2, 3, 3, 3).army
    assert army is not None
    assert army.lost == (1,)


# --- size ----------------------------------------------------------------------------------------------------


def test_five_units_are_seven_models_at_least_and_twenty_three_at_most() -> None:
    """MUSTER-10"""
    smallest = muster_army(MusterCall(), iter([1] + [9, 1] * 4))
    largest = muster_army(MusterCall(), iter([1] + [5, 2] * 4))
    assert (smallest.models, largest.models) == (7, 23)


@given(st.lists(faces, min_size=60, max_size=60), st.integers(0, 6))
def test_an_army_of_five_units_always_has_seven_to_twenty_three_models(dice: list[int], loyalty: int) -> None:
    """MUSTER-10"""
    army = muster_army(MusterCall(loyalty=loyalty), dice)
    assert len(army.units) == 5
    assert 7 <= army.models <= 23


# --- sieges and rebels ---------------------------------------------------------------------------------------


def test_defender_of_a_siege_has_two_extra_ballistae() -> None:
    """SIEGE-13"""
    army = muster_army(MusterCall(siege="defender", vp=20), [1, 1, 1, 1, 1])
    assert unit_names(army)[-2:] == ["Ballista", "Ballista"]
    assert [unit.slot.origin for unit in army.units][-2:] == ["garrison", "garrison"]


def test_attacker_of_a_siege_has_two_extra_cat_non() -> None:
    """SIEGE-14"""
    army = muster_army(MusterCall(siege="attacker"), [1, 1, 1, 1, 1])
    assert unit_names(army)[-2:] == ["Cat-non", "Cat-non"]
    assert army.problems() == ()


def test_the_attacker_may_buy_rebel_rolls_at_five_vp_each() -> None:
    """REBEL-01"""
    kings = MusterCall(siege="attacker", vp=11)
    muster = run(kings, 1, 1, 1, 1, 1)
    assert muster.question is not None
    assert muster.question.kind == "rebel"
    muster = answer_question(muster, "buy")
    assert muster.vp_left == 6
    muster = answer_question(answer_question(answer_question(muster, 8), "mice_at_arms"), 2)
    assert muster.units[-1].name == "Mice-at-Arms led by a Champion"
    assert muster.question is not None
    assert muster.question.kind == "rebel"
    over = answer_question(answer_question(muster, "buy"), 1)
    assert over.army is not None
    assert over.army.vp_spent == 10
    assert over.units[-1].name == "Hoppers"


@pytest.mark.parametrize(
    "call", [MusterCall(siege="attacker", vp=4), MusterCall(siege="defender", vp=50), MusterCall(vp=50)]
)
def test_only_a_siege_attacker_with_enough_vp_is_offered_rebels(call: MusterCall) -> None:
    """REBEL-01"""
    assert run(call, 1, 1, 1, 1, 1).done


def test_the_first_rebel_roll_is_at_minus_two_and_every_later_one_at_minus_three() -> None:
    """REBEL-02, R-83"""
    assert [rebel_bonus(number) for number in range(1, 6)] == [-2, -3, -3, -3, -3]
    assert rebel_bonus(1, loyalty=4) == -2
    assert rebel_bonus(2, loyalty=4, options=Options(rebel_loyalty=True)) == 1


@pytest.mark.parametrize(
    ("roll", "bonus", "unit", "unit_by_house_rule"),
    [
        (1, -2, "hoppers", "hoppers"),
        (2, -2, "hoppers", None),
        (3, -2, "hoppers", "hoppers"),
        (4, -2, "field_mice", "field_mice"),
        (3, -3, "hoppers", None),
        (2, -3, "hoppers", "hoppers"),
        (10, -3, "mice_at_arms", "mice_at_arms"),
        (10, -2, "rat_riders", "rat_riders"),
    ],
)
def test_a_rebel_total_below_one_is_hoppers(roll: int, bonus: int, unit: str, unit_by_house_rule: str | None) -> None:
    """REBEL-03, R-83"""
    assert rebel_unit(roll, bonus) == unit
    assert rebel_unit(roll, bonus, Options(rebel_zero="none")) == unit_by_house_rule


def test_rebel_rolls_never_cost_fealty() -> None:
    """R-83"""
    army = run(MusterCall(loyalty=-5, siege="attacker", vp=5), 1, 1, 1, 1, 1, "buy", 1).army
    assert army is not None
    assert army.lost == (1, 2, 3, 4)
    assert army.units[-1].slot == Slot("rebel", 1)


# --- both ways agree -----------------------------------------------------------------------------------------


@given(calls, st.lists(faces, min_size=150, max_size=150), st.randoms(use_true_random=False))
def test_answers_one_by_one_or_all_at_once_give_the_same_army(call: MusterCall, dice: list[int], random) -> None:
    rolls, picks = iter(dice), []
    muster = begin_muster(call)
    while muster.question and len(muster.answers) < 300:
        question = muster.question
        if question.die:
            muster = answer_question(muster, next(rolls))
        else:
            picks.append(random.choice(question.choices).key)
            muster = answer_question(muster, picks[-1])
    if not muster.done:
        return
    chosen = iter(picks)
    assert muster_army(call, dice, choose=lambda question: next(chosen)) == muster.army
    assert replay_muster(call, [given.plain() for given in muster.answers]) == muster


@given(calls, st.lists(faces, min_size=150, max_size=150))
def test_the_quick_army_is_the_army_of_all_defaults(call: MusterCall, dice: list[int]) -> None:
    try:
        quick = muster_army(call, dice)
    except Refusal:
        return  # a forced re-roll that used up the dice
    slow = muster_army(call, dice, choose=lambda question: question.default or "")
    assert quick == slow


@given(calls, st.lists(faces, min_size=150, max_size=150))
def test_mustered_armies_have_no_problem_except_repeats_or_a_lone_king(call: MusterCall, dice: list[int]) -> None:
    try:
        army = muster_army(call, dice)
    except Refusal:
        return
    for problem in army.problems():
        assert "appears twice" in problem or "is alone" in problem


# --- questions carry what the answer would mean -------------------------------------------------------------


@given(calls, st.lists(faces, min_size=150, max_size=150))
def test_the_faces_of_every_die_cover_one_to_ten_once(call: MusterCall, dice: list[int]) -> None:
    rolls = iter(dice)
    muster = begin_muster(call)
    while muster.question and len(muster.answers) < 60:
        question = muster.question
        assert question.title
        assert question.text.endswith(".")
        assert (question.die is None) == bool(question.choices)
        if question.die:
            shown = sorted(face for group in question.faces for face in range(group.low, group.high + 1))
            assert shown == list(range(1, 11))
            muster = answer_question(muster, next(rolls))
        else:
            assert all(choice.title and choice.text for choice in question.choices)
            muster = answer_question(muster, question.default or "")
        assert muster.steps[-1].text.startswith(question.slot.name)


def test_question_shows_what_each_face_gives_including_loyalty() -> None:
    muster = run(MusterCall(loyalty=-2), 1)
    assert muster.question is not None
    assert [(face.low, face.high, face.title) for face in muster.question.faces] == [
        (1, 2, "Nobody"),
        (3, 3, "Hoppers"),
        (4, 4, "Field Mice"),
        (5, 6, "Bow-Mice"),
        (7, 9, "Mice-at-Arms"),
        (10, 10, "Rat Riders"),
    ]
    assert muster.question.text == "−2 on the roll for loyalty."
    assert answer_question(muster, 2).steps[-1].text == "House 1: 2 − 2 = 0, nobody; its fealty is lost."


def test_higher_loyalty_never_gives_a_lower_row() -> None:
    order = [row.key for row in MUSTER_TABLE]
    for loyalty in range(-12, 12):
        for face in range(1, 11):
            lower, higher = muster_row(face + loyalty), muster_row(face + loyalty + 1)
            assert order.index(higher.key) >= order.index(lower.key)


# --- bad input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"loyalty": 1.5}, "The loyalty is 1.5"),
        ({"loyalty": True}, "The loyalty is True"),
        ({"lost": (5,)}, "There is no house 5. Choose 1, 2, 3 or 4."),
        ({"lost": (True,)}, "There is no house True"),
        ({"lost": (2, 2)}, "listed twice"),
        ({"siege": "besieger"}, "Choose one of attacker and defender"),
        ({"vp": -1}, "The VP in hand is -1"),
    ],
)
def test_an_impossible_call_is_refused(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        MusterCall(**fields)  # type: ignore[arg-type]
    assert sentence in refused.value.sentence


@pytest.mark.parametrize("value", [0, 11, "seven", None, True])
def test_a_wrong_die_is_refused_by_the_name_of_its_roll(value: object) -> None:
    with pytest.raises(Refusal, match="The hero chance roll is"):
        answer_question(begin_muster(), value)  # type: ignore[arg-type]


def test_an_army_from_too_few_dice_is_refused() -> None:
    with pytest.raises(Refusal, match="needs more than 2 dice"):
        muster_army(MusterCall(), [1, 1])
    with pytest.raises(Refusal, match="The die is 11"):
        muster_army(MusterCall(), lambda: 11)


def test_running_out_of_dice_is_not_the_end_of_the_muster() -> None:
    left = iter([1, 1])
    with pytest.raises(StopIteration):
        muster_army(MusterCall(), lambda: next(left))


def test_finished_muster_refuses_further_answers() -> None:
    over = run(MusterCall(), 1, 1, 1, 1, 1)
    with pytest.raises(Refusal, match="The muster is over"):
        answer_question(over, 5)
    with pytest.raises(Refusal, match="The muster ended after 5 answers, but 6"):
        replay_muster(MusterCall(), [1, 1, 1, 1, 1, 1])


@pytest.mark.parametrize(
    ("plain", "sentence"),
    [
        ({"kept": 3, "thrown": [4, 5]}, "3 was kept, but the rolls were 4 and 5."),
        ({"kept": 3}, "the list of its faces"),
        ({"kept": 3, "thrown": "33"}, "the list of its faces"),
        (2.5, "Give a d10 or the key of a choice"),
        (12, "The die is 12"),
    ],
)
def test_impossible_stored_answer_is_refused(plain: object, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        replay_muster(MusterCall(vp=3), [plain])
    assert sentence in refused.value.sentence


def test_stored_re_rolls_cannot_cost_more_vp_than_available() -> None:
    with pytest.raises(Refusal, match="cost more than your 1 VP"):
        replay_muster(MusterCall(vp=1), [{"kept": 9, "thrown": [1, 2, 9]}])


# --- problems -----------------------------------------------------------------------------------------------

KING = MusteredUnit(KING_SLOT, "king")
HOUSE = Slot("house", 1)


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        ((), "The King's unit is missing. Every army has one."),
        ((KING, KING), "There are 2 Kings. An army has one."),
        ((KING, MusteredUnit(HOUSE, "cat_non")), "House 1: a Cat-non comes only with the attacker of a siege."),
        (
            (KING, MusteredUnit(HOUSE, "mice_at_arms")),
            "House 1: Mice-at-Arms always have a hero, but this unit has none.",
        ),
        ((KING, MusteredUnit(HOUSE, "hoppers", "wizard")), "House 1: Hoppers never have a hero."),
        ((KING, MusteredUnit(HOUSE, "bow_mice", None, "spears")), "House 1: Bow-Mice cannot have spears."),
        (
            (KING, MusteredUnit(HOUSE, "battle_cat", None, "spears")),
            "House 1: a Battle Cat cannot have spears.",
        ),
        (
            (KING, MusteredUnit(HOUSE, "hoppers"), MusteredUnit(HOUSE, "hoppers")),
            "House 1 sends 2 units instead of one.",
        ),
        ((KING, MusteredUnit(Slot("rebel", 1), "hoppers")), "Rebels 1: rebels join only the attacker of a siege."),
    ],
)
def test_army_outside_the_rules_lists_its_problems(units: tuple[MusteredUnit, ...], sentence: str) -> None:
    assert sentence in Army(units).problems()


def test_an_army_of_unknown_units_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no unit “dragon”"):
        Army((MusteredUnit(HOUSE, "dragon"),)).problems()
    with pytest.raises(Refusal, match="There is no hero “bard”"):
        Army((MusteredUnit(HOUSE, "hoppers", "bard"),)).problems()


def test_the_ranks_of_a_mustered_unit_end_with_its_leader_or_king() -> None:
    """UNIT-04, R-11"""
    for unit in UNITS:
        hero = None if unit.never_hero else "assassin"
        last = MusteredUnit(HOUSE, unit.key, hero).ranks[-1]
        assert last.role == {"king": "king", "battle_cat": "cat"}.get(unit.key, "hero" if hero else "leader")
    assert MusteredUnit(KING_SLOT, "king", "snake_slayer").wounds == 5
    assert UNIT["king"].total_wounds == 4


@given(calls, st.lists(faces, min_size=150, max_size=150))
def test_every_mustered_unit_can_be_put_in_play(call: MusterCall, dice: list[int]) -> None:
    try:
        army = muster_army(call, dice)
    except Refusal:
        return
    for unit in army.units:
        fielded = unit.in_play()
        assert (fielded.models, fielded.wounds_left) == (unit.models, unit.wounds)
        assert fielded.ladybug == (unit.hero == "ladybug")
        assert fielded.spear == bool(unit.weapon)
        assert fielded.shield == (unit.weapon == "spear_and_shield")


@pytest.mark.parametrize(
    ("zero", "text"),
    [("hoppers", "−2 on the roll. Below 1 it is Hoppers."), ("none", "−2 on the roll. Nobody on 0, Hoppers below it.")],
)
def test_the_rebel_question_says_what_zero_gives(zero: str, text: str) -> None:
    """R-83, REBEL-03"""
    call = MusterCall(siege="attacker", vp=5, options=Options.from_differences({"rebel_zero": zero}))
    muster = begin_muster(call)
    while muster.question is not None and not (muster.question.slot.origin == "rebel" and muster.question.die):
        muster = answer_question(muster, 1 if muster.question.die else muster.question.choices[-1].key)
    assert muster.question is not None
    assert muster.question.text == text


def test_rebels_roll_for_heroes_like_other_units() -> None:
    """R-104"""
    call = MusterCall(siege="attacker", vp=10)
    muster, asked = begin_muster(call), []
    while muster.question is not None:
        if muster.question.slot.origin == "rebel":
            asked.append((muster.question.slot.number, muster.question.kind))
        # The second rebels come from a 1: Hoppers, who never have a hero.
        low = muster.question.slot == Slot("rebel", 2)
        choice = next((row.key for row in muster.question.choices if row.key == "buy"), muster.question.default)
        muster = answer_question(muster, (1 if low else 6) if muster.question.die else choice or "")
    assert (1, "hero_chance") in asked or (1, "hero") in asked
    assert not [kind for number, kind in asked if number == 2 and kind.startswith("hero")]
