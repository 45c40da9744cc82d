"""[A] and [D]: what a count of them is worth, and the table of all marks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.battle.attack_situations import Melee, Morale, Save
from rulebook.battle.modifiers import (
    MODIFIER,
    MODIFIERS,
    AppliedModifier,
    advantage_step,
    melee_tally,
    morale_tally,
    needed_on_die,
    save_tally,
    tally_modifiers,
)
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.data.house_rules import BY_THE_BOOK, Options

LITERAL = Options(double_rule="literal")
DIFFERENCE = Options(double_rule="difference")

# fmt: off
COUNTS = [
    # A  D  book  literal  difference
    (0, 0,  0,  0,  0),
    (1, 0, +1, +2, +1),
    (2, 0, +2, +2, +2),
    (1, 1,  0,  0,  0),
    (2, 1, +2, +2, +1),
    (3, 1, +2, +2, +2),
    (3, 2, +1, +1, +1),
    (4, 2, +2, +2, +2),
    (5, 3, +1, +1, +2),
    (6, 3, +2, +2, +2),
    (0, 1, -1, -1, -1),
    (0, 4, -1, -1, -1),
    (2, 3, -1, -1, -1),
]
# fmt: on


@pytest.mark.parametrize(("a", "d", "book"), [row[:3] for row in COUNTS])
def test_more_a_is_plus_one_twice_the_a_plus_two_more_d_minus_one(a: int, d: int, book: int) -> None:
    """MOD-02, MOD-03, MOD-04, MOD-05"""
    assert advantage_step(a, d) == book


@pytest.mark.parametrize(("a", "d", "literal", "difference"), [(r[0], r[1], r[3], r[4]) for r in COUNTS])
def test_house_rule_can_change_what_twice_the_a_means(a: int, d: int, literal: int, difference: int) -> None:
    """R-13"""
    assert advantage_step(a, d, LITERAL) == literal
    assert advantage_step(a, d, DIFFERENCE) == difference


@pytest.mark.parametrize("d", range(1, 12))
def test_d_never_costs_more_than_one(d: int) -> None:
    """R-14"""
    assert advantage_step(0, d) == -1


@pytest.mark.parametrize(("a", "d"), [(-1, 0), (0, -1), (1.5, 0), (True, 0), ("2", 0), (None, 0)])
def test_invalid_counts_are_refused(a: object, d: object) -> None:
    with pytest.raises(Refusal, match=r"number of \[[AD]\] is .*whole number"):
        advantage_step(a, d)  # type: ignore[arg-type]


@given(
    a=st.integers(0, 12),
    d=st.integers(0, 12),
    options=st.sampled_from([BY_THE_BOOK, LITERAL, DIFFERENCE]),
)
def test_one_more_a_never_hurts_and_one_more_d_never_helps(a: int, d: int, options: Options) -> None:
    assert advantage_step(a, d, options) <= advantage_step(a + 1, d, options)
    assert advantage_step(a, d, options) >= advantage_step(a, d + 1, options)
    assert -1 <= advantage_step(a, d, options) <= 2


def test_every_a_and_d_that_applies_is_counted_and_compared() -> None:
    """MOD-01: charging riders of the flanked foe, but from bad goings and into a hedge: 3 [A] against 2 [D]."""
    result = melee_tally(
        Melee(
            new_unit("rat_riders"),
            new_unit("field_mice"),
            Place("bad_goings"),
            Place("barrier", flanked=1),
            charged=True,
        )
    )
    assert [entry.modifier.key for entry in result.applied] == [
        "melee_charged",
        "melee_flanking",
        "melee_mounted",
        "melee_bad_goings",
        "melee_cover",
    ]
    assert (result.advantages, result.disadvantages, result.step) == (3, 2, 1)
    assert result.added == 3
    assert result.needed == 3


def test_the_result_goes_onto_every_die_of_the_action() -> None:
    """MOD-06: one tally serves all dice of the unit."""
    result = melee_tally(Melee(new_unit("field_mice"), new_unit("hoppers"), charged=True))
    assert (result.quality, result.step, result.flat, result.added) == (0, 1, 0, 1)
    assert [result.succeeds(face) for face in (4, 5, 6)] == [False, True, True]
    assert result.chance == Fraction(6, 10)


@pytest.mark.parametrize("rider", ["rat_riders", "battle_cat"])
def test_a_circumstance_named_twice_counts_once(rider: str) -> None:
    """MOD-07, R-15: the riders' own bullet and the melee list mean the same [A]; so do both fortress lines."""
    result = melee_tally(Melee(new_unit(rider), new_unit("mice_at_arms", "wizard")))
    assert [entry.modifier.key for entry in result.applied] == ["melee_mounted"]
    walls = melee_tally(Melee(new_unit("hoppers"), new_unit("hoppers"), Place("fortress"), Place("fortress")))
    assert (walls.advantages, walls.disadvantages) == (1, 1)


def test_champion_spear_and_ladybug_count_separately() -> None:
    """R-15, R-30: a cat with spear and Ladybug on a charge against foot has four [A]."""
    cat = new_unit("battle_cat", spear=True, ladybug=True)
    assert melee_tally(Melee(cat, new_unit("hoppers"), charged=True)).advantages == 4
    lance = melee_tally(Melee(new_unit("rat_riders", "champion", ladybug=True), new_unit("hoppers"), charged=True))
    assert lance.advantages == 4


def test_flat_bonuses_are_added_after_a_and_d() -> None:
    """MOD-08, R-16, R-30: rat spears add 1 after [A] and [D]; they are not a third [A]."""
    armed = melee_tally(Melee(new_unit("rat_riders", spear=True), new_unit("battle_cat"), charged=True))
    plain = melee_tally(Melee(new_unit("rat_riders"), new_unit("battle_cat"), charged=True))
    assert (armed.advantages, armed.step, armed.flat) == (1, 1, 1)
    assert (plain.advantages, plain.step, plain.flat) == (1, 1, 0)
    assert armed.added == plain.added + 1


@pytest.mark.parametrize(
    ("against", "added", "needed"),
    [(6, 0, 6), (9, 2, 7), (9, -1, 10), (9, -2, 10), (6, 5, 2), (6, 9, 2), (9, -9, 10)],
)
def test_a_natural_one_fails_and_a_natural_ten_succeeds(against: int, added: int, needed: int) -> None:
    """ROUND-08, R-21"""
    assert needed_on_die(against, added) == needed


def test_natural_one_and_ten_apply_to_hits_saves_and_morale() -> None:
    """R-21: a sure hit still needs a 2; a hopeless save and a hopeless test still succeed on a 10."""
    sure = melee_tally(Melee(new_unit("king"), new_unit("hoppers"), Place("fortress"), charged=True))
    assert (sure.added, sure.against, sure.needed) == (5, 6, 2)
    assert not sure.succeeds(1)
    hopeless = save_tally(Save(new_unit("hoppers"), Place("bad_goings")))
    assert (hopeless.added, hopeless.needed) == (-2, 10)
    assert hopeless.succeeds(10)
    lost = morale_tally(Morale(UnitInPlay("hoppers", 1), new_unit("mice_at_arms", "wizard"), Place(king="gone")))
    assert (lost.added, lost.needed) == (-2, 10)


def test_every_modifier_has_a_name_a_text_and_its_rules() -> None:
    assert len(MODIFIER) == len(MODIFIERS)
    for mark in MODIFIERS:
        assert mark.key.startswith(mark.roll)
        assert mark.name
        assert mark.text.endswith(".")
        assert mark.rules
        assert mark.kind in ("A", "D", "flat")
    assert {mark.worth for mark in MODIFIERS if mark.kind != "flat"} == {1}


PRINTED = {
    "shooting": "aiming A, high_place A, ladybug A, cover D, long_range D, bad_goings D, "
    "windy D, storm D, messenger +1",
    "melee": "charged A, flanking A, high_place A, mounted A, champion A, cat_spear A, ladybug A, "
    "battling_back D, flanked D, "
    "bad_goings D, cover D, storm D, rat_spears +1, messenger +1",
    "save": "ladybug A, bad_goings D, messenger +1",
    "morale": "outnumbers A, friend_flanks A, king_near A, ladybug A, outnumbered D, flanked D, "
    "king_lost D, bad_goings D, "
    "field_mice -1, bearer +1, messenger +1",
}


@pytest.mark.parametrize("roll", PRINTED)
def test_table_of_modifiers_matches_the_book(roll: str) -> None:
    """SHOOT-06, MELEE-08, SAVE-05, MORALE-03"""
    rows = [
        f"{mark.key.removeprefix(roll + '_')} {mark.kind if mark.kind != 'flat' else f'{mark.worth:+d}'}"
        for mark in MODIFIERS
        if mark.roll == roll
    ]
    assert ", ".join(rows) == PRINTED[roll]


def test_a_modifier_counts_as_often_as_it_is_applied() -> None:
    result = tally_modifiers(
        "melee", 0, (AppliedModifier(MODIFIER["melee_flanking"], 3), AppliedModifier(MODIFIER["melee_storm"])), 8
    )
    assert (result.advantages, result.disadvantages, result.step) == (3, 1, 2)
