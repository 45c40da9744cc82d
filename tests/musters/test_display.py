"""The roster: every figure from the rulebook's rows, boxes in the order of removal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musters.rolls.plain import army_json, army_of, call_json, call_of
from musters.sheet import House, roster
from refusal import Refusal
from rulebook.muster import muster_at_once
from rulebook.muster_table import Call
from rulebook.options import Options
from rulebook.units import UNIT

dice = st.lists(st.integers(1, 10), min_size=80, max_size=80)
calls = st.builds(
    Call,
    st.integers(-3, 9),
    st.sets(st.integers(1, 4)).map(lambda found: tuple(sorted(found))),
    st.sampled_from([None, "attacker", "defender"]),
)


@given(calls, dice)
def test_an_army_survives_json_and_its_roster_says_what_the_rows_say(call, faces):
    army = muster_at_once(call, faces)
    assert army_of(json.loads(json.dumps(army_json(army)))) == army
    assert call_of(json.loads(json.dumps(call_json(call)))) == call
    sheet = roster(army)
    assert sheet.totals.models == army.models
    assert sheet.totals.wounds == army.wounds == sum(len(line.boxes) for line in sheet.units)
    for line, one in zip(sheet.units, army.units, strict=True):
        row = UNIT[one.unit]
        assert (line.q, line.sq, line.ac, line.models, line.move, line.base) == (
            row.q, row.sq, row.ac, row.models, row.move, row.base,
        )  # fmt: skip
        assert (line.shooting > 0) == (row.shoots or one.hero == "ranger")


def test_boxes_stand_in_the_order_of_removal_with_the_king_last():
    """UNIT-03, UNIT-23, HERO-05: guards first, then the hero beside the King, the King's two wounds last."""
    army = muster_at_once(Call(), [8, 9, *([1] * 8)])
    king = roster(army).units[0]
    assert [box.role for box in king.boxes] == ["guard", "hero", "hero", "king", "king"]
    assert [box.is_leader for box in king.boxes] == [False, False, False, True, True]
    assert [box.is_last_of_model for box in king.boxes] == [True, False, True, False, True]
    assert king.removal == "Removed in this order: 1 guard, then the Snake-Slayer (2 wounds), then the King (2 wounds)."


def test_a_hero_who_leads_falls_last_and_says_what_he_does():
    army = muster_at_once(Call(), [1, 5, 7, *([1] * 6)])
    unit = roster(army, houses=[House("House Acorn")]).by_key["house-1"]
    assert unit.sender == "House Acorn"
    assert unit.title == "Mice-at-Arms led by a Barbarian"
    assert unit.boxes[-1].name == "Barbarian"
    assert unit.boxes[-1].is_leader
    assert unit.melee == 6, "R-33: one die more than his model would throw"
    assert unit.hero is not None
    assert "attacks twice" in unit.hero.text


def test_a_house_rule_changes_the_dice_and_is_noted():
    army = muster_at_once(Call(), [1, 8, 8, 7, 9, *([1] * 6)])
    options = Options(barbarian="double")
    sheet = roster(army, options=options)
    assert sheet.by_key["house-1"].melee == 2 * 2 + 4
    assert any("Barbarian" in note for note in sheet.notes)


def test_notes_tell_who_stayed_away():
    army = muster_at_once(Call(-3, lost=(2,)), [1, 1, 10, 5, 10, 5, 5])
    said = " ".join(roster(army).notes)
    assert "House 2 sent nobody: fealty was lost before this muster." in said
    assert "House 1 sent nobody and turned away" in said


@pytest.mark.parametrize("broken", [{}, {"units": [{"slot": ["moon", 1], "unit": "king"}]}, {"units": [{"slot": ["king", 1], "unit": "dragon"}]}, {"units": 3}])  # fmt: skip
def test_what_is_no_army_is_refused_with_a_sentence(broken):
    with pytest.raises(Refusal):
        army_of(broken)
