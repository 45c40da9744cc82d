"""Powers heroes lend to others: blessing, kiss, standard, Ladybug."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refusal import Refusal
from rulebook.activation import may_use_power
from rulebook.inplay import UnitInPlay, fresh
from rulebook.powers import bearers_near, bless, kiss, ladybug_joins, ladybug_perches, may_bless, may_kiss

CLERIC = fresh("mice_at_arms", "cleric")
PRINCESS = fresh("mice_at_arms", "princess")
BEARER = fresh("mice_at_arms", "standard_bearer")


def test_a_heros_power_comes_first_in_the_activation() -> None:
    """HERO-06"""
    assert may_use_power(has_acted=False)
    assert not may_use_power(has_acted=True)


@pytest.mark.parametrize(("distance", "may"), [(0, True), (8, True), (8.0, True), (8.1, False)])
def test_a_cleric_blesses_one_unit_within_eight_inches_his_own_included(distance: float, may: bool) -> None:
    """HERO-09"""
    assert bool(may_bless(CLERIC, distance)) is may


def test_a_cleric_blesses_once_a_round_and_not_in_flight() -> None:
    """HERO-09, R-36"""
    assert not may_bless(CLERIC, 3, used=True)
    assert not may_bless(replace(CLERIC, fleeing=True), 3)
    assert not may_bless(UnitInPlay("king", 1, "cleric"), 3)
    assert bless(fresh("hoppers")).blessed


# fmt: off
KISSES = [
    # target                            role      may
    (fresh("bow_mice"),                 "plain",  True),
    (fresh("bow_mice"),                 "leader", True),
    (fresh("battle_cat"),               "cat",    True),
    (fresh("ballista"),                 "crew",   True),
    (fresh("king"),                     "guard",  True),
    (fresh("king"),                     "king",   False),
    (fresh("mice_at_arms", "champion"), "hero",   False),
    (fresh("mice_at_arms", "champion"), "plain",  True),
    (UnitInPlay("king", 1),             "guard",  False),
]
# fmt: on


@pytest.mark.parametrize(("target", "role", "may"), KISSES)
def test_a_princess_kisses_a_model_that_is_neither_king_nor_hero(target: UnitInPlay, role: str, may: bool) -> None:
    """HERO-11, R-35"""
    assert bool(may_kiss(PRINCESS, target, role, 8)) is may  # type: ignore[arg-type]


def test_a_kiss_reaches_eight_inches_once_a_round_and_friends_only() -> None:
    """HERO-11, R-35"""
    foe = fresh("bow_mice")
    assert not may_kiss(PRINCESS, foe, "plain", 8.1)
    assert not may_kiss(PRINCESS, foe, "plain", 3, used=True)
    assert not may_kiss(PRINCESS, foe, "plain", 3, friend=False)
    assert not may_kiss(CLERIC, foe, "plain", 3)
    assert kiss(foe).kissed == 1
    with pytest.raises(Refusal, match="No model is left"):
        kiss(UnitInPlay("king", 1))


def test_standards_count_within_eight_inches_unless_the_bearers_unit_flees() -> None:
    """HERO-12, HERO-13, R-37"""
    musician = fresh("mice_at_arms", "musician")
    assert bearers_near([(BEARER, 8), (musician, 3)]) == 2
    assert bearers_near([(BEARER, 8.1)]) == 0
    assert bearers_near([(replace(BEARER, fleeing=True), 2)]) == 0
    assert bearers_near([(UnitInPlay("king", 1, "standard_bearer"), 2)]) == 0
    assert bearers_near([(CLERIC, 2)]) == 0


def test_a_ladybug_flies_to_a_friend_within_eight_inches_or_is_lost() -> None:
    """HERO-07, R-41"""
    assert ladybug_perches({"King": 8, "Hoppers": 8.1, "Ballista": 2.5}) == ("King", "Ballista")
    assert ladybug_perches({"Hoppers": 9}) == ()
    assert ladybug_perches({}) == ()
    assert ladybug_joins(CLERIC) == fresh("mice_at_arms", "cleric", ladybug=True)
    assert ladybug_joins(fresh("hoppers")).ladybug
