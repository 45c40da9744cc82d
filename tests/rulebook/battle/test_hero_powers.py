"""Powers heroes lend to others: blessing, kiss, standard, Ladybug."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refusal import Refusal
from rulebook.battle.actions import can_use_power
from rulebook.battle.hero_powers import (
    attach_ladybug,
    can_bless,
    can_kiss,
    count_bearers_near,
    give_blessing,
    give_kiss,
    ladybug_destinations,
)
from rulebook.battle.unit_in_play import UnitInPlay, new_unit

CLERIC = new_unit("mice_at_arms", "cleric")
PRINCESS = new_unit("mice_at_arms", "princess")
BEARER = new_unit("mice_at_arms", "standard_bearer")


def test_hero_uses_his_power_first_in_the_activation() -> None:
    """HERO-06"""
    assert can_use_power(has_acted=False)
    assert not can_use_power(has_acted=True)


@pytest.mark.parametrize(("distance", "may"), [(0, True), (8, True), (8.0, True), (8.1, False)])
def test_a_cleric_blesses_one_unit_within_eight_inches_his_own_included(distance: float, may: bool) -> None:
    """HERO-09"""
    assert bool(can_bless(CLERIC, distance)) is may


def test_a_cleric_blesses_once_a_round_and_not_in_flight() -> None:
    """HERO-09, R-36"""
    assert not can_bless(CLERIC, 3, used=True)
    assert not can_bless(replace(CLERIC, fleeing=True), 3)
    assert not can_bless(UnitInPlay("king", 1, "cleric"), 3)
    assert give_blessing(new_unit("hoppers")).blessed


KISSES = [
    # target, role, may
    (new_unit("bow_mice"), "plain", True),
    (new_unit("bow_mice"), "leader", True),
    (new_unit("battle_cat"), "cat", True),
    (new_unit("ballista"), "crew", True),
    (new_unit("king"), "guard", True),
    (new_unit("king"), "king", False),
    (new_unit("mice_at_arms", "champion"), "hero", False),
    (new_unit("mice_at_arms", "champion"), "plain", True),
    (UnitInPlay("king", 1), "guard", False),
]


@pytest.mark.parametrize(("target", "role", "may"), KISSES)
def test_a_princess_kisses_a_model_that_is_neither_king_nor_hero(target: UnitInPlay, role: str, may: bool) -> None:
    """HERO-11, R-35"""
    assert bool(can_kiss(PRINCESS, target, role, 8)) is may  # type: ignore[arg-type]


def test_a_kiss_reaches_eight_inches_once_a_round_and_friends_only() -> None:
    """HERO-11, R-35"""
    foe = new_unit("bow_mice")
    assert not can_kiss(PRINCESS, foe, "plain", 8.1)
    assert not can_kiss(PRINCESS, foe, "plain", 3, used=True)
    assert not can_kiss(PRINCESS, foe, "plain", 3, friend=False)
    assert not can_kiss(CLERIC, foe, "plain", 3)
    assert give_kiss(foe).kissed == 1
    with pytest.raises(Refusal, match="no model left"):
        give_kiss(UnitInPlay("king", 1))


def test_standards_count_within_eight_inches_unless_the_bearers_unit_flees() -> None:
    """HERO-12, HERO-13, R-37"""
    musician = new_unit("mice_at_arms", "musician")
    assert count_bearers_near([(BEARER, 8), (musician, 3)]) == 2
    assert count_bearers_near([(BEARER, 8.1)]) == 0
    assert count_bearers_near([(replace(BEARER, fleeing=True), 2)]) == 0
    assert count_bearers_near([(UnitInPlay("king", 1, "standard_bearer"), 2)]) == 0
    assert count_bearers_near([(CLERIC, 2)]) == 0


def test_a_ladybug_flies_to_a_friend_within_eight_inches_or_is_lost() -> None:
    """HERO-07, R-41"""
    assert ladybug_destinations({"King": 8, "Hoppers": 8.1, "Ballista": 2.5}) == ("King", "Ballista")
    assert ladybug_destinations({"Hoppers": 9}) == ()
    assert ladybug_destinations({}) == ()
    assert attach_ladybug(CLERIC) == new_unit("mice_at_arms", "cleric", ladybug=True)
    assert attach_ladybug(new_unit("hoppers")).ladybug
