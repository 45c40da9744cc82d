"""The roster: every figure comes from the rulebook tables; boxes follow the order of removal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from musters.core.codec import army_from_json, army_to_json, call_from_json, call_to_json
from musters.display import House, build_roster
from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.units import UNIT
from rulebook.muster.roll_muster import muster_army

dice = st.lists(st.integers(1, 10), min_size=80, max_size=80)
calls = st.builds(
    MusterCall,
    st.integers(-3, 9),
    st.sets(st.integers(1, 4)).map(lambda found: tuple(sorted(found))),
    st.sampled_from([None, "attacker", "defender"]),
)


@given(calls, dice)
def test_army_round_trips_through_json(call, faces):
    army = muster_army(call, faces)
    assert army_from_json(json.loads(json.dumps(army_to_json(army)))) == army
    assert call_from_json(json.loads(json.dumps(call_to_json(call)))) == call
    sheet = build_roster(army)
    assert sheet.totals.models == army.models
    assert sheet.totals.wounds == army.wounds == sum(len(unit.boxes) for unit in sheet.units)
    for unit, one in zip(sheet.units, army.units, strict=True):
        row = UNIT[one.unit]
        assert (unit.q, unit.sq, unit.ac, unit.models, unit.move, unit.base) == (
            row.q,
            row.sq,
            row.ac,
            row.models,
            row.move,
            row.base,
        )
        assert (unit.shooting > 0) == (row.shoots or one.hero == "ranger")


def test_boxes_follow_the_order_of_removal():
    """UNIT-03, UNIT-23, HERO-05: guards first, then the hero beside the King, the King's two wounds last."""
    army = muster_army(MusterCall(), [8, 9, *([1] * 8)])
    king = build_roster(army).units[0]
    assert [box.role for box in king.boxes] == ["guard", "hero", "hero", "king", "king"]
    assert [box.is_leader for box in king.boxes] == [False, False, False, True, True]
    assert [box.is_last_of_model for box in king.boxes] == [True, False, True, False, True]
    assert king.removal == "Removed in this order: 1 guard, then the Snake-Slayer (2 wounds), then the King (2 wounds)."


def test_leading_hero_is_removed_last():
    army = muster_army(MusterCall(), [1, 5, 7, *([1] * 6)])
    unit = build_roster(army, houses=[House("House Acorn")]).by_key["house-1"]
    assert unit.sender == "House Acorn"
    assert unit.title == "Mice-at-Arms led by a Barbarian"
    assert unit.boxes[-1].name == "Barbarian"
    assert unit.boxes[-1].is_leader
    assert unit.melee == 6, "R-33: one die more than his model would throw"
    assert unit.hero is not None
    assert "Attacks twice" in unit.hero.text


def test_house_rule_changes_the_dice_and_is_noted():
    army = muster_army(MusterCall(), [1, 8, 8, 7, 9, *([1] * 6)])
    options = Options(barbarian="double")
    sheet = build_roster(army, options=options)
    assert sheet.by_key["house-1"].melee == 2 * 2 + 4
    assert any("Barbarian" in note for note in sheet.notes)


def test_notes_list_houses_that_sent_nobody():
    army = muster_army(MusterCall(-3, lost=(2,)), [1, 1, 10, 5, 10, 5, 5])
    notes = " ".join(build_roster(army).notes)
    assert "House 2 sent nobody: fealty was already lost." in notes
    assert "House 1 sent nobody: fealty is lost. Regain it for 2 VP." in notes


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"units": [{"slot": ["moon", 1], "unit": "king"}]},
        {"units": [{"slot": ["king", 1], "unit": "dragon"}]},
        {"units": 3},
    ],
)
def test_invalid_army_json_is_refused(broken):
    with pytest.raises(Refusal):
        army_from_json(broken)
