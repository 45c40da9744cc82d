"""Heroes: the table, who may have one, and who falls when."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.unit_in_play import casualty_order
from rulebook.data.heroes import (
    HERO,
    HERO_RULES,
    HEROES,
    SPELLS,
    bearer_for_roll,
    hero_for_roll,
    hero_of,
    is_same_hero,
    spell_for_roll,
)
from rulebook.data.units import UNIT, brings_hero

RULE = {rule.key: rule for rule in HERO_RULES}


CHANCES = [
    # unit, lowest face that brings a hero
    ("field_mice", 10),
    ("bow_mice", 8),
    ("rat_riders", 8),
    ("king", 8),
]


@pytest.mark.parametrize(("key", "lowest"), CHANCES)
def test_a_unit_that_may_hold_a_hero_rolls_its_chance(key: str, lowest: int) -> None:
    """HERO-01"""
    assert [face for face in range(1, 11) if brings_hero(UNIT[key], face)] == list(range(lowest, 11))


def test_mice_at_arms_need_no_roll() -> None:
    """HERO-01"""
    assert UNIT["mice_at_arms"].always_hero
    assert all(brings_hero(UNIT["mice_at_arms"], face) for face in range(1, 11))


def test_the_hero_replaces_the_leader() -> None:
    """HERO-02"""
    assert [model.role for model in casualty_order("bow_mice", "barbarian")] == ["plain", "plain", "plain", "hero"]
    assert "becomes the unit's leader" in RULE["place"].text


def test_d10_decides_which_hero_it_is() -> None:
    """HERO-03"""
    assert [hero_for_roll(face).name for face in range(1, 11)] == [
        "Ladybug",
        "Champion",
        "Cleric",
        "Ranger",
        "Princess",
        "Standard Bearer",
        "Barbarian",
        "Assassin",
        "Snake-Slayer",
        "Wizard",
    ]
    assert all(hero.text and hero.rules for hero in HEROES)


def test_in_the_kings_unit_the_hero_replaces_a_guard_and_falls_before_the_king() -> None:
    """HERO-05, R-11"""
    assert [model.name for model in casualty_order("king")] == ["Guard", "Guard", "King"]
    assert [model.name for model in casualty_order("king", "assassin")] == ["Guard", "Assassin", "King"]
    assert [model.name for model in casualty_order("king", "ladybug")] == ["Guard", "Guard", "King"]


def test_only_the_ladybug_does_not_replace_the_leader() -> None:
    assert [hero.key for hero in HERO.values() if not hero.takes_leaders_place] == ["ladybug"]


@pytest.mark.parametrize(
    ("roll", "key"), [(1, "standard_bearer"), (8, "standard_bearer"), (9, "musician"), (10, "musician")]
)
def test_on_nine_or_more_the_standard_bearer_is_a_musician(roll: int, key: str) -> None:
    """HERO-13"""
    assert bearer_for_roll(roll).key == key


def test_standard_bearer_and_musician_are_one_result() -> None:
    """R-09"""
    assert is_same_hero("musician", "standard_bearer")
    assert not is_same_hero("musician", "wizard")


def test_wizards_die_decides_his_spell() -> None:
    """HERO-17"""
    assert [spell_for_roll(face).key for face in range(1, 11)] == (
        ["magic_missile"] * 5 + ["phantasm"] * 3 + ["fireball"] * 2
    )
    assert [(spell.dice, spell.sq, spell.needs) for spell in SPELLS] == [(1, 1, None), (0, None, 6), (2, 1, None)]


def test_an_unknown_hero_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no hero “bard”"):
        hero_of("bard")
    with pytest.raises(Refusal, match="The hero roll is 0"):
        hero_for_roll(0)
