"""Units in play, the places they stand in, and the order in which models fall."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.battle.unit_in_play import Place, UnitInPlay, king_status_at, new_unit, take_wounds
from rulebook.data.heroes import HERO
from rulebook.data.units import UNITS


def test_a_ladybug_mustered_as_hero_is_attached_and_leads_nobody() -> None:
    """HERO-07"""
    unit = new_unit("mice_at_arms", "ladybug")
    assert (unit.hero, unit.ladybug, unit.models) == (None, True, 5)
    assert [model.role for model in unit.standing][-1] == "leader"


def test_a_ladybug_may_join_any_unit_even_one_with_a_hero() -> None:
    """R-41"""
    assert new_unit("mice_at_arms", "wizard", ladybug=True).hero == "wizard"
    assert new_unit("hoppers", ladybug=True).ladybug
    assert new_unit("battle_cat", ladybug=True).ladybug


IMPOSSIBLE = [
    (lambda: new_unit("mouse_guard"), "no unit “mouse_guard”. Choose one of hoppers"),
    (lambda: UnitInPlay("hoppers", 0), "number of models is 0. .* 1 to 3"),
    (lambda: UnitInPlay("hoppers", 4), "number of models is 4. .* 1 to 3"),
    (lambda: UnitInPlay("hoppers", True), "number of models is True"),
    (lambda: UnitInPlay("hoppers", 2, "champion"), "cannot have a Champion"),
    (lambda: UnitInPlay("battle_cat", 1, "wizard"), "no hero joins a Battle Cat"),
    (lambda: UnitInPlay("mice_at_arms", 2, "bard"), "no hero “bard”"),
    (lambda: UnitInPlay("mice_at_arms", 2, "ladybug"), "replaces no model"),
    (lambda: UnitInPlay("mice_at_arms", 2, "champion", wounds=1), "wounds marked on the Champion is 1. .* 0 to 0"),
    (
        lambda: UnitInPlay("mice_at_arms", 2, "snake_slayer", wounds=2),
        "wounds marked on the Snake-Slayer is 2. .* 0 to 1",
    ),
    (lambda: UnitInPlay("battle_cat", 1, wounds=4), "wounds marked on the Battle Cat is 4. .* 0 to 3"),
    (lambda: UnitInPlay("battle_cat", 1, wounds=-1), "wounds marked on the Battle Cat is -1"),
    (lambda: UnitInPlay("king", 3, "snake_slayer", hero_wounds=2), "wounds marked on the hero is 2. .* 0 to 1"),
    (lambda: UnitInPlay("king", 1, "snake_slayer", hero_wounds=1), "wounds marked on the hero is 1. .* 0 to 0"),
    (lambda: UnitInPlay("mice_at_arms", 5, "snake_slayer", hero_wounds=1), "wounds marked on the hero is 1"),
    (lambda: new_unit("bow_mice", spear=True), "Bow-Mice"),
    (lambda: new_unit("rat_riders", spear=True, shield=True), "Rat Riders"),
    (lambda: new_unit("battle_cat", shield=True), "also has a spear"),
    (lambda: UnitInPlay("battle_cat", 1, fleeing=True), "cannot be fleeing"),
    (lambda: UnitInPlay("bow_mice", 2, kissed=3), "kissed models is 3. .* 0 to 2"),
    (lambda: UnitInPlay("bow_mice", 2, kissed=-1), "kissed models is -1"),
    (lambda: UnitInPlay("king", 1, kissed=1), "kissed models is 1. .* 0 to 0"),
    (lambda: UnitInPlay("bow_mice", 4, fleeing=1), "fleeing is 1. Use true or false"),
    (lambda: Place("lava"), "no terrain “lava”"),
    (lambda: Place("obstacle"), "Units cannot enter obstacle"),
    (lambda: Place("impassable"), "Units cannot enter impassable"),
    (lambda: Place("clear", "tower"), "A tower is a fortress"),
    (lambda: Place("fortress", "courtyard"), "courtyard is clear ground"),
    (lambda: Place("fortress", "moat"), "piece is “moat”. Choose one of tower"),
    (lambda: Place("barrier", extra_tall=True), "Barrier cannot be extra tall"),
    (lambda: Place(flanked=-2), "flanking units is -2"),
    (lambda: Place(bearers=-1), "Standard Bearers near is -1"),
    (lambda: Place(king="asleep"), "King is “asleep”. Choose one of near, far, fleeing and gone"),
    (lambda: king_status_at(None), "distance to the King"),
    (lambda: king_status_at(-3), "distance to the King is -3"),
]


@pytest.mark.parametrize(("build", "sentence"), IMPOSSIBLE)
def test_impossible_values_are_refused_by_name(build, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        build()


@pytest.mark.parametrize(
    ("distance", "fleeing", "gone", "word"),
    [
        (0, False, False, "near"),
        (8, False, False, "near"),
        (8.1, False, False, "far"),
        (3, True, False, "fleeing"),
        (None, False, True, "gone"),
    ],
)
def test_the_king_is_near_within_eight_inches(distance: float | None, fleeing: bool, gone: bool, word: str) -> None:
    """UNIT-22, R-25"""
    assert king_status_at(distance, fleeing=fleeing, gone=gone) == word


# --- who falls --------------------------------------------------------------------------------------------------


def fallen(unit: UnitInPlay, wounds: int) -> str:
    losses = take_wounds(unit, wounds)
    left = losses.after
    marks = f"{left.models} left" if left else "gone"
    if left and (left.wounds or left.hero_wounds):
        marks += f", {left.wounds or left.hero_wounds} marked"
    return f"{' '.join(model.role for model in losses.fallen) or '-'}: {marks}"


@pytest.mark.parametrize(
    ("wounds", "described"),
    [
        (0, "-: 3 left"),
        (1, "guard: 2 left"),
        (2, "guard guard: 1 left"),
        (3, "guard guard: 1 left, 1 marked"),
        (4, "guard guard king: gone"),
    ],
)
def test_the_kings_unit_loses_guards_first_and_the_king_last(wounds: int, described: str) -> None:
    """R-11, R-46, UNIT-10"""
    assert fallen(new_unit("king"), wounds) == described


@pytest.mark.parametrize(
    ("wounds", "described"),
    [
        (1, "guard: 2 left"),
        (2, "guard: 2 left, 1 marked"),
        (3, "guard hero: 1 left"),
        (4, "guard hero: 1 left, 1 marked"),
        (5, "guard hero king: gone"),
        (7, "guard hero king: gone"),
    ],
)
def test_a_hero_beside_the_king_falls_after_the_guard_and_before_the_king(wounds: int, described: str) -> None:
    """R-11, HERO-16"""
    assert fallen(new_unit("king", "snake_slayer"), wounds) == described


@pytest.mark.parametrize(
    ("unit", "wounds", "described"),
    [
        (new_unit("mice_at_arms", "champion"), 4, "plain plain plain plain: 1 left"),
        (new_unit("mice_at_arms", "champion"), 5, "plain plain plain plain hero: gone"),
        (new_unit("bow_mice"), 3, "plain plain plain: 1 left"),
        (new_unit("ballista"), 1, "crew: 1 left"),
        (new_unit("ballista"), 2, "crew leader: gone"),
        (new_unit("cat_non"), 3, "crew crew crew: 1 left"),
        (new_unit("hoppers"), 1, "plain: 2 left"),
    ],
)
def test_plain_models_fall_first_and_the_leader_last(unit: UnitInPlay, wounds: int, described: str) -> None:
    """SAVE-03, UNIT-04"""
    assert fallen(unit, wounds) == described


@pytest.mark.parametrize(
    ("unit", "wounds", "described"),
    [
        (new_unit("battle_cat"), 1, "-: 1 left, 1 marked"),
        (new_unit("battle_cat"), 3, "-: 1 left, 3 marked"),
        (new_unit("battle_cat"), 4, "cat: gone"),
        (UnitInPlay("battle_cat", 1, wounds=3), 1, "cat: gone"),
        (new_unit("mice_at_arms", "snake_slayer"), 4, "plain plain plain plain: 1 left"),
        (new_unit("mice_at_arms", "snake_slayer"), 5, "plain plain plain plain: 1 left, 1 marked"),
        (new_unit("mice_at_arms", "snake_slayer"), 6, "plain plain plain plain hero: gone"),
        (UnitInPlay("king", 2, wounds=1), 1, "guard: 1 left, 1 marked"),
    ],
)
def test_a_wound_marks_a_model_that_takes_several(unit: UnitInPlay, wounds: int, described: str) -> None:
    """SAVE-02, R-46, HERO-16"""
    assert fallen(unit, wounds) == described


def test_hits_beyond_the_last_model_are_lost() -> None:
    """SAVE-06, R-45"""
    losses = take_wounds(new_unit("hoppers"), 7)
    assert (losses.after, losses.models_lost, losses.surplus, losses.destroyed) == (None, 3, 4, True)


def test_a_kissed_model_falls_last_of_the_plain_ones() -> None:
    """R-35"""
    unit = UnitInPlay("mice_at_arms", 5, "princess", kissed=1)
    after = [take_wounds(unit, wounds).after for wounds in range(5)]
    assert [left.kissed for left in after if left] == [1, 1, 1, 1, 0]


def test_the_round_ends_blessing_kiss_and_messenger() -> None:
    """R-36"""
    unit = UnitInPlay("bow_mice", 3, blessed=True, kissed=2, first_activated=True, ladybug=True)
    assert unit.round_over() == UnitInPlay("bow_mice", 3, ladybug=True)


UNIT_STATES = st.sampled_from(
    [
        new_unit(row.key, hero)
        for row in UNITS
        for hero in (None, *([] if row.never_hero else [key for key in HERO if key != "ladybug"]))
    ]
)


@given(UNIT_STATES, st.integers(0, 4), st.integers(0, 4))
def test_wounds_taken_in_two_steps_equal_wounds_taken_at_once(unit: UnitInPlay, first: int, second: int) -> None:
    once = take_wounds(unit, first + second)
    half = take_wounds(unit, first)
    if half.after is None:
        assert once.after is None
        return
    rest = take_wounds(half.after, second)
    assert rest.after == once.after
    assert half.fallen + rest.fallen == once.fallen
    if rest.after is not None:
        assert rest.after.wounds_left == unit.wounds_left - first - second


@pytest.mark.parametrize("row", UNITS, ids=lambda row: row.key)
def test_a_unit_is_gone_with_its_last_wound(row) -> None:
    """UNIT-09, UNIT-10"""
    unit = new_unit(row.key)
    assert unit.wounds_left == row.total_wounds
    assert take_wounds(unit, row.total_wounds - 1).after is not None
    assert take_wounds(unit, row.total_wounds).after is None
