"""The round: initiative, turns, tokens, and what a unit may do."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.actions import (
    ACTIVATION_CHOICES,
    activation_choices,
    can_activate,
    decide_first_side,
    decide_initiative,
    next_side,
)
from rulebook.battle.modifiers import can_aim
from rulebook.battle.unit_in_play import UnitInPlay, new_unit
from rulebook.data.house_rules import Options
from rulebook.data.rule_texts import PLAYING

BOWS, FOE, BALLISTA = new_unit("bow_mice"), new_unit("mice_at_arms", "champion"), new_unit("ballista")


def test_the_higher_roll_activates_first() -> None:
    """ROUND-01"""
    assert decide_initiative({"oak": 3, "fen": 7}).side == "fen"
    assert decide_initiative({"oak": 10, "fen": 1}).side == "oak"
    with pytest.raises(Refusal, match="initiative roll is 11"):
        decide_initiative({"oak": 11, "fen": 1})
    with pytest.raises(Refusal, match="one die for each side"):
        decide_initiative({"oak": 4})


def test_tied_sides_roll_again() -> None:
    """ROUND-01, R-68"""
    tie = decide_initiative({"oak": 7, "fen": 7, "moor": 2})
    assert (tie.side, tie.roll_again) == (None, ("oak", "fen"))


SIDES = ("oak", "fen")


@pytest.mark.parametrize(
    ("options", "rounds"),
    [
        (Options(), ["fen", "fen", "fen", "fen"]),
        (Options(initiative="alternate"), ["fen", "oak", "fen", "oak"]),
        (Options(initiative="each_round"), ["fen", None, None, None]),
    ],
)
def test_initiative_is_rolled_once_alternated_or_rolled_every_round(options: Options, rounds: list[str | None]) -> None:
    """R-48"""
    assert [decide_first_side(number, SIDES, "fen", options).side for number in (1, 2, 3, 4)] == rounds


def test_new_initiative_roll_uses_the_new_dice() -> None:
    """R-48"""
    anew = Options(initiative="each_round")
    assert decide_first_side(2, SIDES, "fen", anew).roll_again == SIDES
    assert decide_first_side(2, SIDES, "fen", anew, {"oak": 9, "fen": 2}).side == "oak"
    with pytest.raises(Refusal, match="winner of the initiative is “moor”"):
        decide_first_side(2, SIDES, "moor")


TURNS = [
    # who acted last, units waiting of oak and fen, who is next
    (None, 5, 5, "oak"),
    ("oak", 4, 5, "fen"),
    ("fen", 4, 4, "oak"),
    ("oak", 4, 0, "oak"),
    ("oak", 3, 0, "oak"),
    ("fen", 0, 3, "fen"),
    (None, 0, 2, "fen"),
    ("oak", 0, 0, None),
    ("fen", 0, 0, None),
]


@pytest.mark.parametrize(("last", "oak", "fen", "then"), TURNS)
def test_sides_alternate_and_then_the_remaining_units_act_in_a_row(
    last: str | None, oak: int, fen: int, then: str | None
) -> None:
    """ROUND-02, ROUND-03"""
    assert next_side(SIDES, last, {"oak": oak, "fen": fen}) == then


def test_five_units_against_one() -> None:
    """ROUND-03"""
    waiting = {"oak": 1, "fen": 5}
    order: list[str] = []
    last: str | None = None
    while (side := next_side(SIDES, last, waiting)) is not None:
        waiting[side] -= 1
        order.append(side)
        last = side
    assert order == ["oak", "fen", "fen", "fen", "fen", "fen"]


def test_counts_of_waiting_units_are_checked() -> None:
    with pytest.raises(Refusal, match="units of fen still to act is -1"):
        next_side(SIDES, None, {"oak": 1, "fen": -1})
    with pytest.raises(Refusal, match="side is “moor”"):
        next_side(SIDES, "moor", {"oak": 1, "fen": 1})


def test_each_unit_acts_once_a_round() -> None:
    """ROUND-04"""
    assert can_activate(activated=False)
    assert not can_activate(activated=True)


def allowed(unit: UnitInPlay, *, engaged: bool = False, immobile: bool = False) -> str:
    answers = activation_choices(unit, engaged=engaged, immobile=immobile)
    assert list(answers) == [choice.key for choice in ACTIVATION_CHOICES]
    assert all(answer.reason and answer.rules for answer in answers.values())
    return " ".join(key for key, answer in answers.items() if answer)


@pytest.mark.parametrize(
    ("unit", "may"),
    [
        (BOWS, "nothing move attack move_and_shoot charge"),
        (new_unit("battle_cat"), "nothing move attack move_and_shoot charge"),
        (FOE, "nothing move charge"),
        (new_unit("mice_at_arms", "ranger"), "nothing move attack move_and_shoot charge"),
        (new_unit("king"), "nothing move charge"),
    ],
)
def test_a_unit_does_nothing_moves_attacks_or_moves_and_attacks(unit: UnitInPlay, may: str) -> None:
    """ROUND-05, R-28"""
    assert allowed(unit) == may


@pytest.mark.parametrize("unit", [BOWS, FOE, BALLISTA])
def test_a_unit_in_melee_can_only_attack(unit: UnitInPlay) -> None:
    """ROUND-06"""
    assert allowed(unit, engaged=True) == "nothing attack"


def test_war_machines_move_or_shoot() -> None:
    """UNIT-25, ROUND-07"""
    assert allowed(BALLISTA) == "nothing move attack charge"
    assert allowed(BALLISTA, immobile=True) == "nothing attack"
    assert allowed(UnitInPlay("cat_non", 1)) == "nothing move charge"


def test_a_fleeing_unit_only_rallies() -> None:
    """FLEE-02"""
    assert allowed(UnitInPlay("bow_mice", 2, fleeing=True)) == "rally"


@pytest.mark.parametrize(
    ("unit", "moved", "book", "house"),
    [
        (BOWS, False, True, True),
        (BOWS, True, False, False),
        (BALLISTA, False, False, True),
        (BALLISTA, True, False, False),
    ],
)
def test_shooters_that_stand_still_aim_and_machines_do_not(
    unit: UnitInPlay, moved: bool, book: bool, house: bool
) -> None:
    """ROUND-07, R-27, R-28"""
    assert bool(can_aim(unit, moved=moved)) is book
    assert bool(can_aim(unit, moved=moved, options=Options(machines_aim=True))) is house


def test_every_row_of_the_chapter_has_text_and_rules() -> None:
    """ROUND-05, MELEE-02: rules that only the players can carry out have a text."""
    assert [key for key, _, _ in PLAYING] == ["round", "marks", "move", "shoot", "melee", "save", "morale", "flee"]
    for _, title, rows in PLAYING:
        assert title
        assert len({row.key for row in rows}) == len(rows)
        for row in rows:
            assert row.title
            assert row.text.endswith(".")
            assert row.rules


def test_the_chapter_names_every_rule_of_its_groups() -> None:
    named = {rule for _, _, rows in PLAYING for row in rows for rule in row.rules}
    groups = {"ROUND": 8, "MOD": 8, "MOVE": 5, "SHOOT": 8, "MELEE": 9, "SAVE": 6, "MORALE": 8, "FLEE": 8}
    for group, number in groups.items():
        assert {f"{group}-{n:02d}" for n in range(1, number + 1)} <= named
