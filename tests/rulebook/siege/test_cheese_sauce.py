"""Boiling cheese sauce: who pours, over whom, how often, and what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refusal import Refusal
from rulebook.battle.assault import WallCharge, can_pour, empty_vat, end_melee, unit_pouring
from rulebook.battle.castle import Castle, Occupant
from rulebook.battle.unit_in_play import UnitInPlay, new_unit
from rulebook.data.house_rules import Options
from rulebook.odds.rolls import sauce_odds

GUARD = Occupant("Thorn guard", "B", "mice_at_arms")
STORMERS = Occupant("Fen stormers", "A", "mice_at_arms")
BARE = Castle.start(vats=("battlement_n", "gatehouse"), ballistae=("tower_nw", "tower_se"))
CASTLE = BARE.with_deployed(GUARD, "battlement_n")


def charge(
    unit: UnitInPlay | None = None, wall: str = "battlement_n", name: str = "Fen mice", **more: str
) -> WallCharge:
    return WallCharge(name, more.pop("side", "A"), unit or new_unit("field_mice"), wall, **more)


@pytest.mark.parametrize(
    ("castle", "charging", "says"),
    [
        (BARE, charge(), "The chargers have no enemy on the wall"),
        (CASTLE, charge(wall="battlement_e"), "no vat on the East battlement"),
        (CASTLE, charge(wall="tower_ne"), "no vat on the North-east tower"),
        (CASTLE.with_fleeing("Thorn guard"), charge(), "Thorn guard is fleeing"),
        (CASTLE, charge(side="B"), "The chargers have no enemy on the wall"),
    ],
)
def test_there_must_be_a_vat_and_a_unit_to_pour_it(castle: Castle, charging: WallCharge, says: str) -> None:
    """SIEGE-10, R-82"""
    assert can_pour(CASTLE, charge())
    answer = can_pour(castle, charging)
    assert not answer
    assert says in answer.reason
    with pytest.raises(Refusal, match=says):
        empty_vat(castle, charging, 10)


@pytest.mark.parametrize("roll", range(1, 11))
def test_eight_or_more_removes_a_model_without_a_save(roll: int) -> None:
    """SIEGE-11, R-21"""
    done = empty_vat(CASTLE, charge(), roll)
    assert done.scalded is (roll >= 8)
    assert done.after is not None
    assert done.after.models == (3 if roll >= 8 else 4)
    assert bool(done.tests_morale) is (roll >= 8)


def test_the_sauce_is_poured_once_in_a_melee_and_again_over_a_new_unit() -> None:
    """SIEGE-12"""
    once = empty_vat(CASTLE, charge(), 2).castle
    assert "already" in can_pour(once, charge()).reason
    assert can_pour(once, charge(name="Fen bows"))
    # The melee is over and the same unit charges anew.
    assert can_pour(end_melee(once, "Fen mice"), charge())
    assert not can_pour(end_melee(once, "Oak mice"), charge())


@pytest.mark.parametrize("from_where", ["courtyard", "tower_ne"])
def test_the_sauce_is_never_poured_into_the_courtyard(from_where: str) -> None:
    """SIEGE-12, R-82: outside charges only."""
    assert "from inside" in can_pour(CASTLE, charge(coming_from=from_where)).reason


def test_unit_on_the_wall_uses_the_vat() -> None:
    """SIEGE-12"""
    taken = BARE.with_entered(STORMERS, "battlement_n")
    sortie = charge(new_unit("bow_mice"), side="B", name="Thorn bows")
    assert can_pour(taken, sortie).reason == "Fen stormers pours the vat: roll a d10."
    assert empty_vat(taken, sortie, 9).scalded
    assert not can_pour(taken, charge())


@pytest.mark.parametrize(
    ("unit", "models", "wounds"),
    [
        (new_unit("battle_cat"), 1, 1),
        (UnitInPlay("king", 1), 1, 1),
        (UnitInPlay("mice_at_arms", 1, "snake_slayer"), 1, 1),
        (new_unit("king"), 2, 0),
    ],
    ids=["cat", "king alone", "snake-slayer alone", "king with guards"],
)
def test_a_model_with_several_wounds_takes_one(unit: UnitInPlay, models: int, wounds: int) -> None:
    """R-82: a wound alone calls for no test, a guard lost does."""
    done = empty_vat(CASTLE, charge(unit), 8)
    assert done.after is not None
    assert (done.after.models, done.after.wounds) == (models, wounds)
    assert bool(done.tests_morale) is (wounds == 0)


@pytest.mark.parametrize(
    "unit",
    [
        new_unit("battle_cat"),
        UnitInPlay("battle_cat", 1, wounds=2),
        UnitInPlay("king", 1),
        UnitInPlay("mice_at_arms", 1, "snake_slayer"),
    ],
)
def test_by_house_rule_the_sauce_kills_outright(unit: UnitInPlay) -> None:
    """R-82 with sauce_kills_multiwound on"""
    assert empty_vat(CASTLE, charge(unit), 8, Options(sauce_kills_multiwound=True)).destroyed
    assert not empty_vat(CASTLE, charge(unit), 8).destroyed


def test_by_house_rule_the_sauce_kills_a_hero_beside_the_king_outright() -> None:
    """R-82 with sauce_kills_multiwound on"""
    pair = UnitInPlay("king", 2, "snake_slayer", hero_wounds=1)
    done = empty_vat(CASTLE, charge(pair), 8, Options(sauce_kills_multiwound=True))
    assert done.after == UnitInPlay("king", 1, "snake_slayer")


def test_lost_model_requires_a_morale_test_before_attacking() -> None:
    """R-82 with sauce_morale on and off"""
    assert empty_vat(CASTLE, charge(), 8).tests_morale
    assert not empty_vat(CASTLE, charge(), 8, Options(sauce_morale=False)).tests_morale
    # A Musician's unit passes, as ever.
    assert not empty_vat(CASTLE, charge(new_unit("mice_at_arms", "musician")), 8).tests_morale


def test_last_model_can_be_removed() -> None:
    """SIEGE-11, MORALE-08: a unit destroyed outright does not test."""
    done = empty_vat(CASTLE, charge(UnitInPlay("hoppers", 1)), 10)
    assert done.destroyed
    assert not done.tests_morale


@pytest.mark.parametrize(
    "unit",
    [
        new_unit("field_mice"),
        new_unit("battle_cat"),
        UnitInPlay("battle_cat", 1, wounds=3),
        UnitInPlay("hoppers", 1),
        new_unit("king"),
    ],
    ids=["mice", "cat", "cat at its last", "last hopper", "king"],
)
@pytest.mark.parametrize(
    "options",
    [Options(), Options(sauce_kills_multiwound=True), Options(sauce_morale=False)],
    ids=["book", "kills", "calm"],
)
def test_the_odds_of_the_sauce_agree_with_every_face(unit: UnitInPlay, options: Options) -> None:
    """SIEGE-11, R-82"""
    results = [empty_vat(CASTLE, charge(unit), face, options) for face in range(1, 11)]
    odds = sauce_odds(unit, options)
    assert odds.model_lost == Fraction(sum(bool(r.losses and r.losses.fallen) for r in results), 10)
    assert odds.wounded_only == Fraction(sum(bool(r.losses and not r.losses.fallen) for r in results), 10)
    assert odds.unit_gone == Fraction(sum(r.destroyed for r in results), 10)
    assert odds.morale_test == Fraction(sum(bool(r.tests_morale) for r in results), 10)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: empty_vat(CASTLE, charge(), 0), "sauce roll is 0"),
        (lambda: charge(wall="moat"), "no castle piece “moat”"),
        (lambda: charge(side="king"), "“king”"),
        (lambda: charge(coming_from="moat"), "no castle piece “moat”"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


def test_whoever_pours_is_the_attacker_of_the_morale_test() -> None:
    """R-96"""
    assert unit_pouring(CASTLE, charge()) == CASTLE["battlement_n"].occupants[0].name
    assert unit_pouring(CASTLE, charge(coming_from="courtyard")) is None


def test_the_shield_does_not_stop_sauce() -> None:
    """R-96, R-42"""
    done = empty_vat(CASTLE, charge(UnitInPlay("battle_cat", 1, spear=True, shield=True)), 9)
    assert done.after is not None
    assert (done.after.wounds, done.after.shield) == (1, True)
