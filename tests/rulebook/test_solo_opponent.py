"""Playing alone: the table, going down the list, ties, heroes, and what the other army chooses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIOS, scenario_for_roll
from rulebook.muster.roll_muster import muster_army
from rulebook.solo_opponent import (
    ACTIONS,
    SOLO_CHOICES,
    SOLO_RULES,
    SOLO_TABLE,
    Decision,
    SeenUnit,
    SoloUnit,
    can_reroll,
    decide_turn,
    solo_choice,
    solo_row,
)

NEAR, FAR = SeenUnit("your bows", 4.0), SeenUnit("your King", 9.5)

BOWS = SoloUnit("bows", "bow_mice", targets=(FAR,))
CAT = SoloUnit("cat", "battle_cat", chargeable=(NEAR,), targets=(NEAR, FAR))
FIGHTERS = SoloUnit("fighters", "mice_at_arms", engaged=True)
FARMERS = SoloUnit("farmers", "field_mice", enemies=(FAR, NEAR))
RUNNERS = SoloUnit("runners", "field_mice", fleeing=True)
ARMY = (BOWS, CAT, FIGHTERS, FARMERS, RUNNERS)


def acts(units: tuple[SoloUnit, ...], roll: int) -> tuple[str | None, str | None, str | None]:
    answer = decide_turn(units, roll)
    return answer.unit, answer.does.key if answer.does else None, answer.target


def activated(unit: SoloUnit) -> SoloUnit:
    return replace(unit, activated=True)


PRINTED = [
    (1, "shoot"),
    (2, "shoot"),
    (3, "shoot"),
    (4, "charge"),
    (5, "charge"),
    (6, "charge"),
    (7, "attack"),
    (8, "attack"),
    (9, "attack"),
    (10, "move"),
]


@pytest.mark.parametrize(("roll", "row"), PRINTED)
def test_solo_army_follows_the_table(roll: int, row: str) -> None:
    """SOLO-01, R-04"""
    assert solo_row(roll).key == row
    result = decide_turn(ARMY, roll).row
    assert result is not None
    assert result.key == row


def test_the_table_covers_every_face_once() -> None:
    """SOLO-01"""
    faces = [face for row in SOLO_TABLE for face in range(row.low, row.high + 1)]
    assert faces == list(range(1, 11))
    assert all(row.text.endswith(".") and row.rules for row in (*SOLO_TABLE, *SOLO_RULES, *ACTIONS.values()))


def test_the_shooter_with_the_nearest_target_shoots_at_it() -> None:
    """SOLO-03"""
    assert acts((BOWS, CAT), 1) == ("cat", "shoot", "your bows")
    assert acts((BOWS, activated(CAT)), 2) == ("bows", "shoot", "your King")


@pytest.mark.parametrize(
    "unit",
    [
        activated(BOWS),
        replace(BOWS, fleeing=True),
        replace(BOWS, engaged=True),
        replace(BOWS, targets=()),
        replace(BOWS, can_shoot=False),
    ],
    ids=["activated", "fleeing", "engaged", "no target", "cannot"],
)
def test_unit_that_cannot_shoot_is_not_chosen_to_shoot(unit: SoloUnit) -> None:
    """SOLO-03, R-87: fleeing units never shoot, charge or attack."""
    answer = decide_turn((unit, FARMERS), 1)
    assert answer.row is not None
    assert answer.row.key != "shoot"


def test_a_ranger_gives_his_unit_a_shot() -> None:
    """SOLO-03, HERO-10"""
    ranged = SoloUnit("rangers", "mice_at_arms", hero="ranger", targets=(NEAR,))
    assert acts((ranged,), 1) == ("rangers", "shoot", "your bows")


def test_the_unit_with_the_nearest_enemy_it_can_reach_charges() -> None:
    """SOLO-04"""
    riders = SoloUnit("riders", "rat_riders", chargeable=(SeenUnit("your hoppers", 3), FAR))
    assert acts((CAT, riders), 4) == ("riders", "charge", "your hoppers")
    assert acts((CAT, activated(riders)), 6) == ("cat", "charge", "your bows")
    # In melee a unit may only attack, and a fleeing one does neither.
    assert acts((replace(riders, engaged=True), CAT), 5)[0] == "cat"
    assert acts((replace(riders, fleeing=True), CAT), 5)[0] == "cat"


def test_a_unit_in_melee_attacks_and_several_roll_off() -> None:
    """SOLO-05"""
    assert acts(ARMY, 8) == ("fighters", "attack", None)
    others = SoloUnit("guards", "king", engaged=True)
    tied = decide_turn((*ARMY, others), 8)
    assert (tied.unit, tied.tied, tied.tie) == (None, ("fighters", "guards"), "units")
    winner = tied.roll_off().with_rolls({"fighters": 4, "guards": 7}).winner
    settled = decide_turn((*ARMY, others), 8, unit=winner)
    assert (settled.unit, settled.tie) == ("guards", None)


def test_a_unit_that_can_do_nothing_else_moves_and_several_roll_off() -> None:
    """SOLO-06"""
    assert acts(ARMY, 10) == ("farmers", "advance", "your bows")
    more = SoloUnit("reapers", "field_mice", enemies=(FAR,))
    tied = decide_turn((*ARMY, more), 10)
    assert tied.tied == ("farmers", "reapers")
    assert decide_turn((*ARMY, more), 10, unit="reapers").target == "your King"


def test_fleeing_units_are_the_last_to_be_moved() -> None:
    """SOLO-06: and then they try to rally."""
    assert acts((RUNNERS, FARMERS), 10)[0] == "farmers"
    assert acts((RUNNERS, activated(FARMERS)), 10) == ("runners", "rally", None)
    both = decide_turn((RUNNERS, replace(RUNNERS, name="strays"), activated(FARMERS)), 10)
    assert both.tied == ("runners", "strays")


@pytest.mark.parametrize("roll", range(1, 11))
def test_only_fleeing_units_left_means_they_rally_whatever_was_rolled(roll: int) -> None:
    """SOLO-02, R-87"""
    assert acts((RUNNERS, activated(BOWS)), roll) == ("runners", "rally", None)


DOWN_THE_LIST = [
    # units, roll unit, does
    ((CAT, FARMERS), 8, "farmers", "advance"),  # nobody fights: on to moving
    ((BOWS, FIGHTERS), 5, "fighters", "attack"),  # nobody charges: on to attacking
    ((FIGHTERS, FARMERS), 2, "fighters", "attack"),  # no shot, no charge
    ((BOWS, CAT), 10, "cat", "shoot"),  # nobody has to move: round to shooting
    ((CAT,), 7, "cat", "shoot"),  # no melee, no move: round to shooting
    ((FIGHTERS,), 10, "fighters", "attack"),  # round past shooting and charging
]


@pytest.mark.parametrize(("units", "roll", "unit", "does"), DOWN_THE_LIST)
def test_next_row_is_tried_when_no_unit_fits(units: tuple[SoloUnit, ...], roll: int, unit: str, does: str) -> None:
    """SOLO-02, R-87"""
    answer = decide_turn(units, roll)
    assert (answer.unit, answer.does.key if answer.does else None) == (unit, does)
    assert "R-87" in answer.rules
    assert answer.reasons[0] == solo_row(roll).nobody


def test_equal_distances_roll_off_between_units_and_between_targets() -> None:
    """R-87"""
    other = SoloUnit("slings", "hoppers", targets=(FAR,))
    tied = decide_turn((BOWS, other), 1)
    assert tied.tied == ("bows", "slings")
    assert tied.text == "Shoot: bows and slings have targets equally near. They roll off."
    twins = replace(BOWS, targets=(FAR, SeenUnit("your cat", 9.5)))
    pick = decide_turn((twins,), 1)
    assert (pick.unit, pick.tied, pick.tie) == ("bows", ("your King", "your cat"), "targets")
    assert decide_turn((twins,), 1, target="your cat").target == "your cat"
    with pytest.raises(Refusal, match="your hoppers"):
        decide_turn((twins,), 1, target="your hoppers")
    with pytest.raises(Refusal, match="There is no tie"):
        decide_turn((BOWS,), 1).roll_off()


@pytest.mark.parametrize(
    ("unit", "does"),
    [
        (SoloUnit("bows", "bow_mice", enemies=(FAR,)), "seek_shot"),
        (SoloUnit("ballista", "ballista", enemies=(FAR,)), "drag"),
        (SoloUnit("ballista", "ballista", enemies=(FAR,), fixed=True), "stand"),
        (SoloUnit("ballista", "ballista", enemies=(FAR,), can_shoot=False), "advance"),
        (SoloUnit("farmers", "field_mice", enemies=(FAR,)), "advance"),
        (SoloUnit("rangers", "mice_at_arms", hero="ranger", enemies=(FAR,)), "seek_shot"),
    ],
    ids=["bows", "machine", "garrison", "no crew", "foot", "ranger"],
)
def test_moving_shooters_seek_a_shot_and_others_go_straight_at_the_enemy(unit: SoloUnit, does: str) -> None:
    """SOLO-07, UNIT-25"""
    answer = decide_turn((unit,), 10)
    assert answer.does == ACTIONS[does]
    assert answer.target == (None if does == "stand" else "your King")


def test_without_a_described_enemy_the_nearest_is_named_in_words() -> None:
    """SOLO-07"""
    assert (
        decide_turn((SoloUnit("farmers", "field_mice"),), 10).reasons[-1]
        == "It moves straight towards the nearest enemy."
    )


HERO_ACTS = [
    # hero, around it, on whom
    ("cleric", {"friends": (SeenUnit("riders", 6), SeenUnit("King", 3))}, ("King",)),
    ("cleric", {"friends": (SeenUnit("riders", 8.5),)}, ("mice",)),  # nobody near: his own
    ("cleric", {"friends": (SeenUnit("riders", 8), SeenUnit("King", 8))}, ("riders", "King")),  # equally near: roll off
    ("princess", {"friends": (SeenUnit("riders", 6),), "visible": (NEAR,)}, ("riders",)),
    ("wizard", {"friends": (SeenUnit("riders", 1),), "visible": (FAR, NEAR)}, ("your bows",)),
    ("wizard", {"visible": ()}, None),
    ("champion", {"visible": (NEAR,)}, None),
]


@pytest.mark.parametrize(("hero", "around", "on"), HERO_ACTS)
def test_heroes_use_their_powers_on_the_nearest(hero: str, around: dict[str, tuple[SeenUnit, ...]], on: object) -> None:
    """SOLO-08, R-88: friends for Cleric and Princess, the nearest visible enemy for the Wizard."""
    answer = decide_turn((SoloUnit("mice", "mice_at_arms", hero=hero, engaged=True, **around),), 7)  # type: ignore[arg-type]
    assert (answer.hero.on if answer.hero else None) == on
    if answer.hero:
        assert answer.hero.text in answer.reasons
        assert "R-88" in answer.rules


def test_a_fleeing_units_hero_does_nothing() -> None:
    """SOLO-08, R-38"""
    assert (
        decide_turn((SoloUnit("mice", "mice_at_arms", hero="wizard", fleeing=True, visible=(NEAR,)),), 1).hero is None
    )


def test_muster_and_scenario_are_random_as_usual() -> None:
    """SOLO-09, R-89: the unit rolled is taken, repeat heroes are kept, no VP is spent."""
    # King without a hero, then four houses that roll Mice-at-Arms, each with the same Champion.
    army = muster_army(MusterCall(vp=9), [1, 5, 2, 5, 2, 5, 2, 5, 2])
    assert [unit.unit for unit in army.units] == ["king"] + ["mice_at_arms"] * 4
    assert [unit.hero for unit in army.units[1:]] == ["champion"] * 4
    assert [scenario_for_roll(face).key for face in range(1, 11)] == [s.key for s in SCENARIOS[:10]]
    assert solo_choice("scenario").answer == "roll"


@pytest.mark.parametrize(
    ("key", "answer"), [("lesser_unit", "no"), ("repeat_hero", "keep"), ("spend_vp", "no"), ("yield", "no")]
)
def test_solo_army_takes_the_units_rolled_and_never_yields(key: str, answer: str) -> None:
    """R-89"""
    assert solo_choice(key).answer == answer
    assert all(choice.text.endswith(".") for choice in SOLO_CHOICES)


def test_by_house_rule_the_solo_army_spends_vp_on_its_first_failed_die() -> None:
    """R-89 with ai_spends_vp on and off"""
    spending = Options(ai_spends_vp=True)
    assert solo_choice("spend_vp", spending).answer == "yes"
    assert can_reroll(1, False, spending)
    assert not can_reroll(1, True, spending)
    assert not can_reroll(0, False, spending)
    assert not can_reroll(5, False)


@pytest.mark.parametrize("roll", range(1, 11))
def test_army_is_finished_when_every_unit_has_acted(roll: int) -> None:
    """SOLO-02"""
    answer = decide_turn(tuple(activated(unit) for unit in ARMY), roll)
    assert answer.through
    assert (answer.unit, answer.row, answer.tied) == (None, None, ())


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: decide_turn((), 4), "no units left"),
        (lambda: decide_turn((BOWS, BOWS), 4), "called “bows”"),
        (lambda: decide_turn(ARMY, 0), "solo roll is 0"),
        (lambda: decide_turn(ARMY, 1, unit="farmers"), "“farmers”"),
        (lambda: SoloUnit("x", "dragon"), "no unit “dragon”"),
        (lambda: SoloUnit("", "hoppers"), "needs a name"),
        (lambda: SoloUnit("x", "king", hero="bard"), "bard"),
        (lambda: SoloUnit("x", "hoppers", fleeing=True, engaged=True), "cannot be both"),
        (lambda: SoloUnit("x", "battle_cat", fleeing=True), "never flees"),
        (lambda: SoloUnit("x", "field_mice", targets=(NEAR,)), "no shooting attack"),
        (lambda: SeenUnit("x", -1), "-1"),
        (lambda: solo_choice("sing"), "no choice “sing”"),
        (lambda: can_reroll(-1, False), "-1"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


# --- any situation ----------------------------------------------------------------------------------------------

DISTANCES = st.lists(st.sampled_from([2.0, 4.0, 7.5]), max_size=2).map(
    lambda distances: tuple(SeenUnit(f"foe {i}", d) for i, d in enumerate(distances))
)


@st.composite
def any_army(draw: st.DrawFn) -> tuple[SoloUnit, ...]:
    army = []
    for i in range(draw(st.integers(1, 5))):
        state = draw(st.sampled_from(["free", "free", "engaged", "fleeing"]))
        unit = SoloUnit(
            f"unit {i}",
            draw(st.sampled_from(["bow_mice", "hoppers", "ballista"])),
            activated=draw(st.booleans()),
            fleeing=state == "fleeing",
            engaged=state == "engaged",
            targets=draw(DISTANCES),
            chargeable=draw(DISTANCES),
            enemies=draw(DISTANCES),
        )
        army.append(unit)
    return tuple(army)


def resolve_ties(army: tuple[SoloUnit, ...], roll: int, data: st.DataObject) -> Decision:
    """Ask until nothing is tied, any of the tied winning the roll-off."""
    answer = decide_turn(army, roll)
    unit = None
    if answer.tie == "units":
        unit = data.draw(st.sampled_from(answer.tied))
        answer = decide_turn(army, roll, unit=unit)
    if answer.tie == "targets":
        answer = decide_turn(army, roll, unit=unit, target=data.draw(st.sampled_from(answer.tied)))
    assert answer.tie is None
    return answer


@given(any_army(), st.integers(1, 10), st.data())
def test_there_is_one_answer_and_it_fits_the_first_possible_row(
    army: tuple[SoloUnit, ...], roll: int, data: st.DataObject
) -> None:
    """SOLO-02, R-87: against a plain reading of the rows."""
    answer = resolve_ties(army, roll, data)
    left = [unit for unit in army if not unit.activated]
    if not left:
        assert answer.through
        return
    shoot = [u for u in left if not u.engaged and not u.fleeing and u.targets]
    charge = [u for u in left if not u.engaged and not u.fleeing and u.chargeable]
    attack = [u for u in left if u.engaged]
    rest = [u for u in left if u not in shoot and u not in charge and u not in attack]
    move = [u for u in rest if not u.fleeing] or rest
    rows = [("shoot", shoot), ("charge", charge), ("attack", attack), ("move", move)]
    start = (roll - 1) // 3
    row, fitting = next((key, units) for key, units in rows[start:] + rows[:start] if units)
    if row == "shoot":
        least = min(s.inches for u in fitting for s in u.targets)
        fitting = [u for u in fitting if least in [s.inches for s in u.targets]]
    elif row == "charge":
        least = min(s.inches for u in fitting for s in u.chargeable)
        fitting = [u for u in fitting if least in [s.inches for s in u.chargeable]]
    assert answer.row is not None
    assert answer.row.key == row
    assert answer.unit in [u.name for u in fitting]
    chosen = next(u for u in army if u.name == answer.unit)
    if row in ("shoot", "charge"):
        around = chosen.targets if row == "shoot" else chosen.chargeable
        assert next(s.inches for s in around if s.name == answer.target) == least
