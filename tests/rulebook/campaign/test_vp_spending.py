"""Victory points spent, and loyalty won and lost."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.battle.attack_situations import Melee
from rulebook.battle.combat import attack_in_melee
from rulebook.battle.dice import DiceRequest, run_script
from rulebook.battle.unit_in_play import UnitInPlay, new_unit
from rulebook.campaign.vp_spending import (
    PRICES,
    VP_RULES,
    available_vp,
    buy_house_back,
    buy_loyalty,
    buy_rebel_roll,
    buy_reroll,
    loyalty_after,
    price_of,
    spend_vp,
)
from rulebook.data.house_rules import Options
from tests.rulebook.all_dice_outcomes import resume_script

RULE = {rule.key: rule for rule in VP_RULES}


def test_the_four_prices_are_the_printed_ones() -> None:
    """VP-04"""
    assert [(price.vp, price.key) for price in PRICES] == [
        (1, "reroll"),
        (2, "regain"),
        (3, "loyalty"),
        (5, "rebel_roll"),
    ]
    assert all(price.text for price in PRICES)


@pytest.mark.parametrize("price", PRICES, ids=lambda price: price.key)
def test_spending_reduces_the_balance_and_overspending_is_refused(price) -> None:
    """VP-04, VP-09"""
    assert spend_vp(price.vp, price.key).vp_left == 0
    assert spend_vp(price.vp + 4, price.key).vp_left == 4
    with pytest.raises(Refusal, match=f"costs {price.vp} VP; you have {price.vp - 1}"):
        spend_vp(price.vp - 1, price.key)
    with pytest.raises(Refusal, match="costs"):
        spend_vp(0, price.key)


@given(st.integers(0, 40), st.sampled_from([price.key for price in PRICES]), st.integers(1, 5))
def test_the_balance_never_falls_below_zero(vp: int, key: str, times: int) -> None:
    """VP-09, R-58"""
    try:
        spent = spend_vp(vp, key, times)
    except Refusal:
        assert price_of(key).vp * times > vp
    else:
        assert spent.vp_left == vp - price_of(key).vp * times >= 0


def test_points_just_earned_can_be_spent_in_the_same_battle() -> None:
    """VP-05"""
    assert available_vp(before=0, earned=2, spent=1) == 1
    with pytest.raises(Refusal, match="5 VP were spent, but there were only 4"):
        available_vp(before=1, earned=3, spent=5)
    with pytest.raises(Refusal, match="VP earned is -1"):
        available_vp(0, -1, 0)


def test_one_vp_re_rolls_one_die_and_either_roll_counts() -> None:
    """R-57"""
    again = buy_reroll(2, first=3, second=1, keep="first")
    assert (again.kept, again.spent.vp_left) == (3, 1)
    assert buy_reroll(1, 3, 9, "second").kept == 9
    # A re-roll of a re-roll is another VP.
    assert buy_reroll(again.spent.vp_left, again.kept, 8, "second").kept == 8
    with pytest.raises(Refusal, match="first throw is 0"):
        buy_reroll(2, 0, 5, "first")
    with pytest.raises(Refusal, match="Choose one of first and second"):
        buy_reroll(2, 1, 5, "best")  # type: ignore[arg-type]


def test_only_your_own_dice_can_be_re_rolled_unless_agreed() -> None:
    """R-57"""
    with pytest.raises(Refusal, match="That is an enemy die"):
        buy_reroll(2, 9, 2, "second", own_die=False)
    assert buy_reroll(2, 9, 2, "second", own_die=False, options=Options(reroll_enemy_dice=True)).kept == 2


def test_two_vp_win_back_a_lost_house_and_only_a_lost_one() -> None:
    """VP-04, R-01"""
    assert buy_house_back(3, 2, lost=(2, 4)).vp_left == 1
    with pytest.raises(Refusal, match=r"House 1 is loyal\. There is nothing to win back"):
        buy_house_back(3, 1, lost=(2, 4))
    with pytest.raises(Refusal, match="There is no house 5"):
        buy_house_back(3, 5, lost=(2, 4))


def test_three_vp_buy_one_loyalty_and_six_buy_two() -> None:
    """VP-04, R-07"""
    assert buy_loyalty(6, -1, times=2).after == 1
    with pytest.raises(Refusal, match="costs 3 VP; you have 2"):
        buy_loyalty(2, 0)
    with pytest.raises(Refusal, match="Loyalty would be 4; this campaign's limit is 3"):
        buy_loyalty(3, 3, options=Options(loyalty_cap=3))
    assert buy_loyalty(3, 2, options=Options(loyalty_cap=3)).after == 3


def test_rebel_rolls_are_for_the_attacker_of_a_siege_before_the_battle() -> None:
    """VP-06, REBEL-01"""
    assert buy_rebel_roll(7, siege_side="attacker").vp_left == 2
    with pytest.raises(Refusal, match="costs 5 VP; you have 4"):
        buy_rebel_roll(4, siege_side="attacker")
    with pytest.raises(Refusal, match="Only the attacker of a siege can buy rebels"):
        buy_rebel_roll(9, siege_side="defender")
    with pytest.raises(Refusal, match="only join in a siege"):
        buy_rebel_roll(9, siege_side=None)
    with pytest.raises(Refusal, match="The battle has started"):
        buy_rebel_roll(9, siege_side="attacker", before_battle=False)


def test_the_loser_keeps_what_he_earned() -> None:
    """VP-08"""
    assert RULE["loser"].text == "The loser keeps the VP it earned."


@pytest.mark.parametrize(("result", "after"), [("won", 1), ("lost", -1), ("drawn", 0)])
def test_a_victory_adds_one_to_loyalty_and_a_defeat_takes_one(result, after: int) -> None:
    """MUSTER-04, R-56"""
    assert loyalty_after(0, result).after == after
    assert loyalty_after(-20, result).change == after
    assert loyalty_after(0, result, in_campaign=False).change == 0


@pytest.mark.parametrize(
    ("before", "result", "after"),
    [(3, "won", 3), (2, "won", 3), (-3, "lost", -3), (3, "lost", 2), (5, "won", 5), (5, "lost", 3)],
)
def test_loyalty_limit_never_turns_a_victory_into_a_loss(before: int, result, after: int) -> None:
    """R-07"""
    change = loyalty_after(before, result, options=Options(loyalty_cap=3))
    assert change.after == after
    if after == before:
        assert "this campaign's limit" in change.text


def test_unknown_prices_and_results_are_refused() -> None:
    with pytest.raises(Refusal, match="There is no price “castle”"):
        spend_vp(100, "castle")
    with pytest.raises(Refusal, match="number bought is 0"):
        spend_vp(100, "loyalty", 0)
    with pytest.raises(Refusal, match="Choose one of won, lost and drawn"):
        loyalty_after(0, "fled")  # type: ignore[arg-type]


def test_a_die_the_king_re_rolled_may_be_re_rolled_once_more() -> None:
    """R-99, UNIT-23, R-57"""
    king = Melee(UnitInPlay("king", 1), new_unit("hoppers"))
    ask = resume_script(attack_in_melee(king), [1])
    assert isinstance(ask, DiceRequest)
    assert ask.what == "re-roll"
    bought = buy_reroll(1, 2, 9, "second")
    assert run_script(attack_in_melee(king), [1, bought.kept, 10]).hits == 1
