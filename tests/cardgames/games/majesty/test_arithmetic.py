"""Your Majesty without a table: salon, levels, prestige, and set-up by number of players."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardgames.games import house_deck
from cardgames.games.majesty.deck_definition import (
    Adjustment,
    adjustment_for,
    cards_of_group,
    count_box,
    drop_every,
    randomizer_spread,
)
from cardgames.games.majesty.salon_arithmetic import (
    Salon,
    can_host,
    level_is_open,
    sophia_of,
    wealth_of,
)
from cardgames.games.majesty.scoring import (
    BY_WEALTH,
    NEEDS_REFORM,
    CourtCount,
    can_win,
    highest,
    prestige_lines,
    prestige_of,
    target_of,
    winners_at_once,
)
from refusal import Refusal


def test_sophia_counts_two_for_the_muse_and_one_for_others():
    """Y60: the book's example: two of politics and two others give 6."""
    assert sophia_of(["politics", "politics", "science", "music"], "politics") == 6
    assert sophia_of(["music"], "politics", tours=1) == 3


def test_sophia_must_be_greater_than_level_and_card():
    """Y61, Y62, YE-1"""
    assert Salon(6, 3).against + 2 == 5
    assert Salon(6, 3).succeeds_on(2)
    assert not Salon(5, 3).succeeds_on(2)


def test_each_scandal_adds_one_to_the_difficulty():
    """Y25, Y63"""
    assert not Salon(6, 3, scandals=1).succeeds_on(2)
    assert Salon(6, 3, scandals=3).against + 2 == 8


def test_faux_pas_fails_on_the_printed_six():
    """Y90, YR-22"""
    assert Salon(99, 1).succeeds_on(6)
    assert not Salon(99, 1, faux_pas=True).succeeds_on(6)
    # A 5 with a scandal makes 6 in all, but the card shows a 5.
    assert Salon(99, 1, 1, faux_pas=True).succeeds_on(5)


def test_chance_is_exact_for_the_deck():
    spread = randomizer_spread(house_deck("majesty"))
    assert spread == dict.fromkeys(range(1, 7), 13)
    assert Salon(7, 3).chance(spread) == Fraction(1, 2)
    assert Salon(7, 3).wins_on == (1, 2, 3)
    assert Salon(7, 3).chance({}) == 0
    assert Salon(20, 1, faux_pas=True).chance(spread) == Fraction(5, 6)


def test_wealth_is_the_coins_of_all_colonies():
    """Y41"""
    assert wealth_of([3, 2, 1]) == 6
    assert wealth_of([], booms=2) == 0
    assert wealth_of([0], booms=1) == 2


def test_hosting_needs_two_chairs_and_two_who_could_come():
    """YR-7, YR-24, YE-3"""
    assert not can_host(1, 5, 5)
    assert can_host(2, 1, 1)
    assert not can_host(5, 1, 0)


def test_levels_open_one_after_another():
    """Y45"""
    held = [(1,), (), ()]
    assert level_is_open(1, (), held)
    assert level_is_open(3, (1,), held)
    assert not level_is_open(5, (1,), held)
    assert not level_is_open(2, (1,), held)


@pytest.mark.parametrize(("holders", "players", "is_open"), [(1, 2, True), (1, 3, False), (2, 4, True), (2, 5, False)])
def test_half_of_the_table_opens_the_next_level(holders, players, is_open):
    """Y46, YR-14, YE-5: the asker counts among the players; a level 5 is no level 3."""
    held = [(3,)] * holders + [(5,)] * (players - holders)
    assert level_is_open(5, (), held) is is_open


def test_prestige_counts_philosophes_reforms_and_slave_colonies():
    """Y70, Y71, Y72, Y74"""
    assert prestige_of(CourtCount((2, 1, 1), (1, 3), 2)) == 6
    assert prestige_of(CourtCount((), (), 3)) == -3


def test_abolition_ends_the_cost_of_slavery():
    """Y73, YI-8"""
    court = CourtCount((2,), (5,), 3, 4)
    assert prestige_of(court, abolished=True) == 7
    for abolished in (False, True):
        for paycheck in ("none", BY_WEALTH):
            lines = prestige_lines(court, abolished=abolished, paycheck=paycheck)
            assert sum(line.points for line in lines) == prestige_of(court, abolished=abolished, paycheck=paycheck)


def test_highest_of_several_wins_and_ties_share():
    """Y76, Y77"""
    assert winners_at_once([21, 20, 3], [(), (), ()]) == (0,)
    assert winners_at_once([20, 3, 20], [(), (), ()]) == (0, 2)
    assert winners_at_once([19, 3], [(), ()]) == ()
    assert highest([-2, -1, -1]) == (1, 2)


def test_paycheck_by_reform_needs_a_high_one():
    """Y91"""
    assert not can_win(25, (1, 1), NEEDS_REFORM)
    assert can_win(20, (3,), NEEDS_REFORM)
    assert winners_at_once([30, 20], [(1,), (5,)], NEEDS_REFORM) == (1,)


def test_paycheck_by_wealth_counts_the_best():
    """Y92, YR-16, YE-17"""
    court = CourtCount((1, 2, 1, 2), (3,), 0, 2)
    assert prestige_of(court, paycheck=BY_WEALTH) == 7
    assert prestige_of(CourtCount((2, 2), (), 0, 0), paycheck=BY_WEALTH) == 0
    assert target_of(BY_WEALTH) == 16


@pytest.mark.parametrize(
    ("players", "change", "colonies", "philosophes"),
    [
        (6, Adjustment(0, 0), 24, 40),
        (5, Adjustment(5, 1), 20, 35),
        (4, Adjustment(4, 2), 18, 30),
        (3, Adjustment(3, 3), 16, 25),
        (2, Adjustment(2, 4), 12, 20),
    ],
)
def test_box_by_number_of_players(players, change, colonies, philosophes):
    """Y05, Y06, YR-1"""
    assert adjustment_for(players) == change
    muses = {}
    for face in cards_of_group(house_deck("majesty"), "philosophe"):
        muses[face.muse] = muses.get(face.muse, 0) + 1
    box = count_box(players, 24, muses)
    assert (box.colonies_left, box.philosophes_left) == (colonies, philosophes)


def test_two_players_can_agree_on_other_cards():
    assert adjustment_for(2, "as_three") == adjustment_for(3)
    assert adjustment_for(2, "full") == Adjustment(0, 0)
    for wrong in (1, 7, True, "4"):
        with pytest.raises(Refusal, match="2 to 6"):
            adjustment_for(wrong)


def test_every_nth_goes_and_odd_decks_are_floored():
    """YR-2, YE-24"""
    assert drop_every("abcdefg", 3) == (["a", "b", "d", "e", "g"], ["c", "f"])
    box = count_box(4, 23, {"arts": 1, "music": 9})
    assert (box.colonies_out, box.colonies_left) == (5, 18)
    assert box.muses == {"arts": (1, 0), "music": (2, 7)}
