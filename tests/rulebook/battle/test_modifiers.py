"""Modifiers of a situation: each mark applies where the book says, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.battle.attack_situations import Melee, Morale, Rally, Save, Shooting
from rulebook.battle.modifiers import (
    Tally,
    compare_numbers,
    melee_tally,
    morale_tally,
    rally_tally,
    save_tally,
    shooting_tally,
    spell_tally,
)
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, new_unit
from rulebook.data.house_rules import BY_THE_BOOK, Options

BOWS = new_unit("bow_mice")
FOE = new_unit("mice_at_arms", "wizard")
MICE = new_unit("mice_at_arms", "ranger")
HILL, TALL_HILL = Place("mound"), Place("mound", extra_tall=True)
TOWER, WALL, GATE = Place("fortress", "tower"), Place("fortress", "battlement"), Place("fortress", "gatehouse")
KEEP = Place("fortress")
YARD = Place("clear", "courtyard")
SWAMP = Place("bad_goings")
LISTS_ONLY = Options(bad_goings_all=False)


def marks(found: Tally) -> str:
    """The marks of a tally in one string, without the name of the roll."""
    return " ".join(entry.modifier.key.split("_", 1)[1] for entry in found.applied)


# --- shooting ---------------------------------------------------------------------------------------------------

SHOTS = [
    # what differs from a still shot over 6" of open ground, marks, needed on the die
    (Shooting(BOWS, FOE, 6), "aiming", 5),
    (Shooting(BOWS, FOE, 6, moved=True), "", 6),
    (Shooting(BOWS, FOE, 6, at=HILL), "aiming high_place", 4),
    (Shooting(BOWS, FOE, 6, at=KEEP), "aiming high_place", 4),
    (Shooting(new_unit("bow_mice", "ladybug"), FOE, 6), "aiming ladybug", 4),
    (Shooting(BOWS, FOE, 6, target_at=Place("barrier")), "aiming cover", 6),
    (Shooting(BOWS, FOE, 6, target_at=Place("tall_patch")), "aiming cover", 6),
    (Shooting(BOWS, FOE, 6, target_at=KEEP), "aiming cover", 6),
    (Shooting(BOWS, FOE, 6, target_at=HILL), "aiming", 5),
    (Shooting(BOWS, FOE, 6, target_at=SWAMP), "aiming", 5),
    (Shooting(BOWS, FOE, 12), "aiming long_range", 6),
    (Shooting(BOWS, FOE, 12, moved=True, target_at=Place("barrier")), "cover long_range", 7),
    (Shooting(new_unit("hoppers"), new_unit("hoppers"), 2), "aiming", 5),
    (Shooting(new_unit("battle_cat"), new_unit("hoppers"), 2), "aiming", 3),
    (Shooting(new_unit("ballista"), FOE, 20), "long_range", 6),
]


@pytest.mark.parametrize(("shot", "held", "needed"), SHOTS)
def test_shooting_modifiers_are_those_of_the_list(shot: Shooting, held: str, needed: int) -> None:
    """SHOOT-06"""
    result = shooting_tally(shot)
    assert marks(result) == held
    assert result.needed == needed


@pytest.mark.parametrize(("far", "long"), [(0, False), (7.9, False), (8, False), (8.0, False), (8.1, True), (30, True)])
def test_more_than_eight_inches_is_long_range_and_eight_is_not(far: float, long: bool) -> None:
    """SHOOT-06"""
    assert ("long_range" in marks(shooting_tally(Shooting(BOWS, FOE, far)))) is long


def test_war_machines_do_not_aim_unless_a_house_rule_lets_them() -> None:
    """R-27, ROUND-07"""
    shot = Shooting(new_unit("ballista"), FOE, 6)
    assert marks(shooting_tally(shot)) == ""
    assert marks(shooting_tally(shot, Options(machines_aim=True))) == "aiming"


def test_other_shooters_may_move_and_shoot_without_aiming() -> None:
    """R-28"""
    assert marks(shooting_tally(Shooting(BOWS, FOE, 6, moved=True))) == ""


def test_the_cats_shot_has_no_mounted_advantage() -> None:
    """R-29"""
    cat = new_unit("battle_cat")
    assert marks(shooting_tally(Shooting(cat, FOE, 6))) == "aiming"
    assert marks(melee_tally(Melee(cat, FOE))) == "mounted"


def test_a_ranger_shoots_at_plus_three_with_the_usual_modifiers() -> None:
    """HERO-10, R-31: +3 is his quality, not an addition to the unit's."""
    shot = Shooting(MICE, FOE, 12, target_at=Place("barrier"))
    result = shooting_tally(shot, quality=3)
    assert (marks(result), result.quality, result.step, result.needed) == ("aiming cover long_range", 3, -1, 6)


def test_a_unit_without_sq_would_shoot_with_its_q() -> None:
    """UNIT-06"""
    assert shooting_tally(Shooting(MICE, FOE, 6)).quality == 2


# --- weather ----------------------------------------------------------------------------------------------------

WEATHER = [
    # event, shot at 12", blow
    (None, "aiming long_range", ""),
    ("mud", "aiming long_range", ""),
    ("windy", "aiming long_range windy", ""),
    ("storm", "aiming long_range storm", "storm"),
    ("speech", "aiming long_range", ""),
    ("favourable_wind", "aiming", ""),
    ("messenger", "aiming long_range", ""),
    ("reinforcements", "aiming long_range", ""),
]


@pytest.mark.parametrize(("event", "shot", "blow"), WEATHER)
def test_wind_and_storm_give_a_d_and_a_fair_wind_removes_one(event: str | None, shot: str, blow: str) -> None:
    """EVENT-05, EVENT-06, EVENT-08"""
    assert marks(shooting_tally(Shooting(BOWS, FOE, 12, event=event))) == shot
    assert marks(melee_tally(Melee(FOE, FOE, event=event))) == blow


def test_a_messenger_adds_one_to_all_rolls_of_the_first_unit() -> None:
    """EVENT-09, R-16, R-17"""
    first = UnitInPlay("bow_mice", 4, first_activated=True)
    for result in (
        shooting_tally(Shooting(first, FOE, 6, event="messenger")),
        melee_tally(Melee(first, FOE, event="messenger")),
        save_tally(Save(first, event="messenger")),
        morale_tally(Morale(first, FOE, event="messenger")),
        spell_tally(UnitInPlay("bow_mice", 4, "wizard", first_activated=True), FOE, 1, "messenger"),
    ):
        assert result.flat == 1
        assert result.applied[-1].modifier.name == "Messenger"
    assert melee_tally(Melee(first, FOE, event="storm")).flat == 0
    assert melee_tally(Melee(BOWS, FOE, event="messenger")).flat == 0


def test_no_a_or_d_affects_a_spell() -> None:
    """HERO-18: not even a storm."""
    wizard = new_unit("mice_at_arms", "wizard", ladybug=True)
    result = spell_tally(wizard, FOE, 1, "storm")
    assert (result.applied, result.added, result.needed) == ((), 1, 7)


# --- melee ------------------------------------------------------------------------------------------------------

RATS, CAT = new_unit("rat_riders"), new_unit("battle_cat")
BLOWS = [
    (Melee(FOE, FOE), "", 6),
    (Melee(FOE, FOE, charged=True), "charged", 5),
    (Melee(FOE, FOE, target_at=Place(flanked=1)), "flanking", 5),
    (Melee(FOE, FOE, at=Place(flanked=1)), "flanked", 7),
    (Melee(FOE, FOE, at=HILL), "high_place", 5),
    (Melee(FOE, FOE, at=KEEP), "high_place", 5),
    (Melee(FOE, FOE, battling_back=True), "battling_back", 7),
    (Melee(FOE, FOE, at=SWAMP), "bad_goings", 7),
    (Melee(FOE, FOE, target_at=Place("tall_patch")), "cover", 7),
    (Melee(FOE, FOE, target_at=Place("barrier")), "cover", 7),
    (Melee(FOE, FOE, target_at=Place("building")), "cover", 7),
    (Melee(FOE, FOE, target_at=KEEP), "cover", 7),
    (Melee(FOE, FOE, at=Place("building")), "", 6),
    (Melee(FOE, FOE, target_at=SWAMP), "", 6),
    (Melee(RATS, FOE), "mounted", 5),
    (Melee(RATS, CAT), "", 7),
    (Melee(CAT, RATS), "", 7),
    (Melee(FOE, RATS), "", 7),
    (Melee(RATS, new_unit("ballista")), "mounted", 4),
    (Melee(RATS, FOE, charged=True), "charged mounted", 4),
    (Melee(new_unit("battle_cat", spear=True), FOE, charged=True), "charged mounted cat_spear", 4),
    (Melee(new_unit("battle_cat", spear=True), FOE), "mounted", 5),
    (Melee(new_unit("rat_riders", spear=True), FOE, charged=True), "charged mounted rat_spears", 3),
    (Melee(new_unit("rat_riders", spear=True), FOE), "mounted", 5),
    (Melee(new_unit("field_mice", "ladybug"), FOE), "ladybug", 7),
]


@pytest.mark.parametrize(("blow", "held", "needed"), BLOWS)
def test_melee_modifiers_are_those_of_the_list(blow: Melee, held: str, needed: int) -> None:
    """MELEE-08"""
    result = melee_tally(blow)
    assert marks(result) == held
    assert result.needed == needed


def test_riders_gain_an_a_against_foot_only() -> None:
    """UNIT-15, UNIT-17"""
    for rider in (RATS, CAT):
        assert marks(melee_tally(Melee(rider, new_unit("king")))) == "mounted"
        assert marks(melee_tally(Melee(rider, RATS))) == ""
        assert marks(melee_tally(Melee(rider, CAT))) == ""


def test_rat_spears_are_plus_one_and_the_cats_spear_is_an_a_both_on_a_charge() -> None:
    """UNIT-16, UNIT-19, R-30"""
    rats = new_unit("rat_riders", spear=True)
    cat = new_unit("battle_cat", spear=True)
    assert (melee_tally(Melee(rats, RATS, charged=True)).flat, melee_tally(Melee(rats, RATS)).flat) == (1, 0)
    assert melee_tally(Melee(cat, RATS, charged=True)).advantages == 2
    assert melee_tally(Melee(cat, RATS)).advantages == 0
    assert melee_tally(Melee(cat, RATS, charged=True)).flat == 0


def test_the_champions_charge_gives_an_a_to_his_unit_or_by_house_rule_to_him() -> None:
    """HERO-08, R-32"""
    led = new_unit("mice_at_arms", "champion")
    charge = Melee(led, FOE, charged=True)
    only_he = Options(champion_scope="model")
    assert marks(melee_tally(charge)) == marks(melee_tally(charge, champion=True)) == "charged champion"
    assert marks(melee_tally(charge, only_he)) == "charged"
    assert marks(melee_tally(charge, only_he, champion=True)) == "charged champion"
    assert marks(melee_tally(Melee(led, FOE))) == ""


def test_a_champion_hits_with_quality_three() -> None:
    """HERO-08, R-31"""
    led = new_unit("field_mice", "champion")
    assert melee_tally(Melee(led, FOE), champion=True).quality == 3
    assert melee_tally(Melee(led, FOE)).quality == 0


def test_fallen_champion_gives_no_advantage() -> None:
    """R-32: beside the King he falls before him."""
    alone = UnitInPlay("king", 1, "champion")
    assert marks(melee_tally(Melee(alone, FOE, charged=True))) == "charged"


def test_flanked_counts_once_however_many_flank_unless_they_stack() -> None:
    """R-24"""
    crowd = Melee(FOE, FOE, Place(flanked=2), Place(flanked=3))
    result = melee_tally(crowd)
    assert (result.advantages, result.disadvantages) == (1, 1)
    result = melee_tally(crowd, Options(flank_stacks=True))
    assert (result.advantages, result.disadvantages) == (3, 2)
    test = Morale(BOWS, FOE, Place(flanked=2), attacker_flanked=3)
    assert (morale_tally(test).advantages, morale_tally(test).disadvantages) == (1, 2)  # outnumbered as well
    stacked = morale_tally(test, Options(flank_stacks=True))
    assert (stacked.advantages, stacked.disadvantages) == (3, 3)


# --- ground -----------------------------------------------------------------------------------------------------

HEIGHTS = [
    # attacker, target, [A] from above
    (OPEN, OPEN, False),
    (HILL, OPEN, True),
    (HILL, SWAMP, True),
    (HILL, Place("building"), True),
    (HILL, YARD, True),
    (HILL, HILL, False),
    (HILL, TALL_HILL, False),
    (TALL_HILL, HILL, True),
    (TALL_HILL, TALL_HILL, False),
    (HILL, KEEP, False),
    (TALL_HILL, KEEP, False),
    (OPEN, HILL, False),
    (KEEP, OPEN, True),
    (KEEP, HILL, True),
    (KEEP, KEEP, True),
]


@pytest.mark.parametrize(("at", "target_at", "above"), HEIGHTS)
def test_high_ground_needs_a_lower_target(at: Place, target_at: Place, above: bool) -> None:
    """R-19, TERRAIN-06"""
    assert ("high_place" in marks(melee_tally(Melee(FOE, FOE, at, target_at)))) is above
    if target_at.terrain != "building":
        assert ("high_place" in marks(shooting_tally(Shooting(BOWS, FOE, 6, at, target_at)))) is above


WALLS = [
    # attacker, target, adjacent, marks
    (OPEN, TOWER, False, "cover"),
    (TOWER, OPEN, False, "high_place"),
    (TOWER, WALL, True, ""),
    (GATE, TOWER, True, ""),
    (TOWER, TOWER, False, ""),
    (YARD, WALL, False, ""),
    (WALL, YARD, False, ""),
    (YARD, YARD, False, ""),
    (OPEN, YARD, False, ""),
    (YARD, OPEN, False, ""),
]


@pytest.mark.parametrize(("at", "target_at", "adjacent", "held"), WALLS)
def test_walls_are_fortresses_from_outside_and_open_ground_from_inside(
    at: Place, target_at: Place, adjacent: bool, held: str
) -> None:
    """R-20, TERRAIN-10, TERRAIN-16"""
    assert marks(melee_tally(Melee(FOE, FOE, at, target_at, adjacent=adjacent))) == held
    assert marks(shooting_tally(Shooting(BOWS, FOE, 6, at, target_at, moved=True, adjacent=adjacent))) == held


def test_house_rule_leaves_far_walls_fortresses_to_each_other() -> None:
    """R-20, R-95"""
    near_only = Options(castle_within="adjacent")
    far = Shooting(BOWS, FOE, 6, TOWER, WALL, moved=True)
    assert marks(shooting_tally(far, near_only)) == "high_place cover"
    assert marks(shooting_tally(far)) == ""
    assert marks(shooting_tally(replace(far, adjacent=True), near_only)) == ""
    assert marks(melee_tally(Melee(FOE, FOE, WALL, YARD), near_only)) == "", "the courtyard is inside either way"


def test_rubble_is_outside_the_castle() -> None:
    """R-95, SIEGE-07"""
    rubble = Place("bad_goings")
    assert marks(melee_tally(Melee(FOE, FOE, rubble, WALL))) == "bad_goings cover"
    assert marks(melee_tally(Melee(FOE, FOE, WALL, rubble))) == "high_place"


@pytest.mark.parametrize(
    ("terrain", "shot", "blow"),
    [
        ("clear", False, False),
        ("mound", False, False),
        ("tall_patch", True, True),
        ("barrier", True, True),
        ("bad_goings", False, False),
        ("fortress", True, True),
        ("building", None, True),
    ],
)
def test_cover_is_a_d_to_attack_its_occupant(terrain: str, shot: bool | None, blow: bool) -> None:
    """TERRAIN-07, TERRAIN-08, TERRAIN-12: who is in a building cannot be shot at."""
    place = Place(terrain)
    assert ("cover" in marks(melee_tally(Melee(FOE, FOE, OPEN, place)))) is blow
    if shot is None:
        with pytest.raises(Refusal, match="building"):
            Shooting(BOWS, FOE, 6, target_at=place)
    else:
        assert ("cover" in marks(shooting_tally(Shooting(BOWS, FOE, 6, target_at=place)))) is shot


def test_bad_goings_hinder_all_q_rolls_or_by_house_rule_only_melee_hits() -> None:
    """R-18, TERRAIN-09"""
    rolls = (
        lambda o: shooting_tally(Shooting(BOWS, FOE, 6, at=SWAMP), o),
        lambda o: melee_tally(Melee(BOWS, FOE, at=SWAMP), o),
        lambda o: save_tally(Save(BOWS, SWAMP), o),
        lambda o: morale_tally(Morale(BOWS, BOWS, SWAMP), o),
        lambda o: rally_tally(Rally(UnitInPlay("bow_mice", 4, fleeing=True), SWAMP), o),
    )
    assert ["bad_goings" in marks(roll(BY_THE_BOOK)) for roll in rolls] == [True] * 5
    assert ["bad_goings" in marks(roll(LISTS_ONLY)) for roll in rolls] == [False, True, False, False, False]


# --- saves ------------------------------------------------------------------------------------------------------

SAVES = [
    # unit, place, marks, lowest face that saves
    (new_unit("hoppers"), OPEN, "", 10),
    (new_unit("field_mice"), OPEN, "", 9),
    (BOWS, OPEN, "", 8),
    (FOE, OPEN, "", 7),
    (RATS, OPEN, "", 7),
    (CAT, OPEN, "", 7),
    (new_unit("king"), OPEN, "", 6),
    (new_unit("ballista"), OPEN, "", 8),
    (new_unit("cat_non"), OPEN, "", 8),
    (new_unit("hoppers"), SWAMP, "bad_goings", 10),
    (FOE, SWAMP, "bad_goings", 8),
    (new_unit("field_mice", "ladybug"), OPEN, "ladybug", 8),
    (new_unit("field_mice", "ladybug"), SWAMP, "ladybug bad_goings", 9),
    (FOE, Place("barrier"), "", 7),
    (FOE, KEEP, "", 7),
    (FOE, HILL, "", 7),
    (FOE, Place(flanked=2, king="near", bearers=1), "", 7),
]


@pytest.mark.parametrize(("unit", "place", "held", "needed"), SAVES)
def test_save_is_nine_with_q_and_only_ladybug_and_bad_goings_affect_it(
    unit: UnitInPlay, place: Place, held: str, needed: int
) -> None:
    """SAVE-01, SAVE-05, R-17"""
    result = save_tally(Save(unit, place))
    assert (marks(result), result.needed) == (held, needed)


# --- morale -----------------------------------------------------------------------------------------------------

FOUR, TWO_BOWS, THREE_BOWS = BOWS, UnitInPlay("bow_mice", 2), UnitInPlay("bow_mice", 3)
TESTS = [
    # test, marks, added
    (Morale(THREE_BOWS, THREE_BOWS), "", 1),
    (Morale(FOUR, THREE_BOWS), "outnumbers", 2),
    (Morale(TWO_BOWS, THREE_BOWS), "outnumbered", 0),
    (Morale(THREE_BOWS, THREE_BOWS, attacker_flanked=1), "friend_flanks", 2),
    (Morale(THREE_BOWS, THREE_BOWS, Place(flanked=1)), "flanked", 0),
    (Morale(THREE_BOWS, THREE_BOWS, Place(king="near")), "king_near", 2),
    (Morale(THREE_BOWS, THREE_BOWS, Place(king="far")), "", 1),
    (Morale(THREE_BOWS, THREE_BOWS, Place(king="fleeing")), "king_lost", 0),
    (Morale(THREE_BOWS, THREE_BOWS, Place(king="gone")), "king_lost", 0),
    (Morale(THREE_BOWS, THREE_BOWS, SWAMP), "bad_goings", 0),
    (Morale(new_unit("bow_mice", "ladybug"), FOUR), "ladybug", 2),
    (Morale(FOUR, THREE_BOWS, Place(king="near")), "outnumbers king_near", 3),
    (Morale(THREE_BOWS, THREE_BOWS, Place(bearers=1)), "bearer", 2),
    (Morale(new_unit("field_mice"), FOUR), "field_mice", -1),
    (Morale(new_unit("field_mice"), FOUR, Place(bearers=1)), "field_mice bearer", 0),
    (Morale(THREE_BOWS), "", 1),
    (Morale(UnitInPlay("king", 2), FOUR), "outnumbered king_near", 3),
]


@pytest.mark.parametrize(("test", "held", "added"), TESTS)
def test_morale_modifiers_are_those_of_the_list(test: Morale, held: str, added: int) -> None:
    """MORALE-03, UNIT-14, UNIT-22"""
    result = morale_tally(test)
    assert (marks(result), result.added) == (held, added)


NUMBERS = [
    # unit, attacker, by models, by wounds
    (new_unit("hoppers"), new_unit("battle_cat"), 1, -1),  # a base of hoppers is one model
    (UnitInPlay("king", 1), new_unit("ballista"), -1, 0),  # the King is one model of 2 wounds
    (new_unit("ballista"), UnitInPlay("king", 2), 0, -1),  # crew count, the machine does not
    (new_unit("field_mice", "ladybug"), new_unit("bow_mice"), 0, 0),  # a Ladybug is not a model
    (UnitInPlay("mice_at_arms", 3, "snake_slayer"), new_unit("hoppers"), 0, 1),
    (UnitInPlay("bow_mice", 2), UnitInPlay("battle_cat", 1, wounds=3), 1, 1),
]


@pytest.mark.parametrize(("unit", "attacker", "models", "wounds"), NUMBERS)
def test_numbers_are_models_left_or_by_house_rule_wounds(
    unit: UnitInPlay, attacker: UnitInPlay, models: int, wounds: int
) -> None:
    """R-23, UNIT-27, R-100"""
    assert _sign(compare_numbers(unit, attacker)) == models
    assert _sign(compare_numbers(unit, attacker, Options(outnumber_by="wounds"))) == wounds


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def test_numbers_count_against_shooters_too() -> None:
    """R-23"""
    assert marks(morale_tally(Morale(TWO_BOWS, new_unit("hoppers")))) == "outnumbered"


def test_the_king_steadies_his_own_unit_until_he_flees() -> None:
    """R-25, UNIT-22"""
    own = UnitInPlay("king", 3)
    assert "king_near" in marks(morale_tally(Morale(own, own)))
    runs = UnitInPlay("king", 3, fleeing=True)
    assert marks(rally_tally(Rally(runs))) == "king_lost"
    assert "king_lost" in marks(morale_tally(Morale(BOWS, BOWS, Place(king="fleeing"))))
    with pytest.raises(Refusal, match="his own unit"):
        Morale(own, own, Place(king="gone"))


def test_rally_ignores_numbers_and_flanks() -> None:
    """R-26"""
    runs = UnitInPlay("field_mice", 1, ladybug=True, fleeing=True)
    place = Place("bad_goings", flanked=2, king="near", bearers=1)
    assert marks(rally_tally(Rally(runs, place))) == "king_near ladybug bad_goings field_mice bearer"


def test_a_standard_is_plus_one_and_two_do_not_add_up_unless_they_stack() -> None:
    """HERO-12, R-37"""
    place = Place(bearers=2)
    led = new_unit("mice_at_arms", "standard_bearer")
    stack = Options(bearers_stack=True)
    assert morale_tally(Morale(BOWS, BOWS, place)).flat == 1
    assert morale_tally(Morale(BOWS, BOWS, place), stack).flat == 2
    assert morale_tally(Morale(led, led)).flat == 1
    assert morale_tally(Morale(led, led, place)).flat == 1
    assert morale_tally(Morale(led, led, place), stack).flat == 3
    assert morale_tally(Morale(new_unit("mice_at_arms", "musician"), led)).flat == 1


def test_fleeing_bearer_does_not_help_his_own_unit() -> None:
    """HERO-12"""
    runs = UnitInPlay("mice_at_arms", 5, "standard_bearer", fleeing=True)
    assert rally_tally(Rally(runs)).flat == 0
    fallen = UnitInPlay("king", 1, "standard_bearer")
    assert morale_tally(Morale(fallen, BOWS)).flat == 0


# --- impossible values ------------------------------------------------------------------------------------------

IMPOSSIBLE = [
    (lambda: Shooting(BOWS, FOE, -1), "range is -1"),
    (lambda: Shooting(BOWS, FOE, float("nan")), "range is nan"),
    (lambda: Shooting(BOWS, FOE, "6"), "range is “6”"),
    (lambda: Shooting(BOWS, FOE, 6, event="hail"), "no event “hail”.*mud, windy"),
    (lambda: Shooting(new_unit("field_mice"), FOE, 6), "Field Mice: no shooting attack"),
    (lambda: Shooting(UnitInPlay("king", 1, "ranger"), FOE, 6), "King: no shooting attack"),
    (lambda: Shooting(new_unit("cat_non"), FOE, 6), "at castle pieces"),
    (lambda: Shooting(new_unit("ballista"), FOE, 6, moved=True), "moves or shoots"),
    (lambda: Shooting(UnitInPlay("bow_mice", 4, fleeing=True), FOE, 6), "cannot shoot while fleeing"),
    (lambda: Shooting(BOWS, FOE, 6, target_at=Place(flanked=1)), "cannot shoot into or out of a melee"),
    (lambda: Shooting(BOWS, FOE, 6, moved="yes"), "moved is “yes”"),
    (lambda: Melee(RATS, FOE, at=TOWER), "Rat Riders cannot be on a tower: mounted"),
    (lambda: Melee(CAT, FOE, at=GATE), "Battle Cat cannot be on a gatehouse: mounted"),
    (lambda: Melee(FOE, RATS, target_at=WALL), "Rat Riders cannot be on a battlement: mounted"),
    (lambda: Melee(FOE, FOE, charged=True, battling_back=True), "did not charge"),
    (lambda: Melee(UnitInPlay("bow_mice", 4, fleeing=True), FOE), "cannot attack while fleeing"),
    (lambda: Melee(FOE, UnitInPlay("bow_mice", 4, fleeing=True)), "has left the melee"),
    (lambda: Melee(FOE, FOE, TOWER, KEEP, adjacent=True), "Both units must be on one"),
    (lambda: Morale(CAT, FOE), "never tests morale"),
    (lambda: Morale(BOWS, None, Place(flanked=1)), "without an attacker"),
    (lambda: Morale(BOWS, FOE, attacker_flanked=-1), "flanking units is -1"),
    (lambda: Rally(BOWS), "only a fleeing unit"),
    (lambda: Save(BOWS, event=3), "no event 3"),
]


@pytest.mark.parametrize(("build", "sentence"), IMPOSSIBLE)
def test_impossible_situations_are_refused_by_name(build, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        build()


def test_riders_can_be_in_a_walled_area() -> None:
    """TERRAIN-14"""
    assert marks(melee_tally(Melee(RATS, RATS, at=KEEP))) == "high_place"


# --- laws -------------------------------------------------------------------------------------------------------

PLACES = st.builds(
    Place,
    terrain=st.sampled_from(["clear", "mound", "tall_patch", "barrier", "bad_goings", "fortress", "building"]),
    flanked=st.integers(0, 3),
)
FOOT = st.sampled_from(
    [new_unit("hoppers"), new_unit("field_mice"), BOWS, FOE, new_unit("king"), RATS, CAT, new_unit("ballista")]
)


@given(FOOT, FOOT, PLACES, PLACES, st.booleans())
def test_every_modifier_works_in_its_own_direction(
    one: UnitInPlay, other: UnitInPlay, at: Place, target_at: Place, stacks: bool
) -> None:
    options = Options(flank_stacks=stacks)
    calm = melee_tally(Melee(one, other, at, target_at), options)
    assert melee_tally(Melee(one, other, at, target_at, charged=True), options).needed <= calm.needed
    assert melee_tally(Melee(one, other, at, target_at, battling_back=True), options).needed >= calm.needed
    assert melee_tally(Melee(one, other, at, target_at, event="storm"), options).needed >= calm.needed
    assert 2 <= calm.needed <= 10
    assert calm.added == calm.quality + calm.step + calm.flat
