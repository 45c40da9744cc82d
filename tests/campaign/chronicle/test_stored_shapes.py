"""Every shape that entries have been stored in still reads: the same sentences, the same judgement, the same state.

``data/stored_entries.json`` was written by the release before acts were typed: all acts and effects, corrections, and
shapes of older releases and other clients. Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from campaign.chronicle import codec
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.codec import house_rules_in_force
from campaign.chronicle.effects import AttackRolled, NumberReserved, apply_effects
from campaign.chronicle.entries_and_fold import CORRECTIONS, RESTORE, STRUCK, ChronicleEntry, effective_entries, fold
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from refusal import Refusal

DATA = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())
# Effects that acts have had only since these entries were stored.
SINCE_THE_FIXTURE = (AttackRolled,)
NEW_ACTS = {"throne_taken"}
ENTRIES = [ChronicleEntry(**{**row, "effects": codec.load_effects(row["effects"])}) for row in DATA["entries"]]


def test_fixture_has_every_act():
    assert {entry.act for entry in ENTRIES} == {*list_acts(), *CORRECTIONS, RESTORE} - NEW_ACTS


def test_stored_entries_lead_to_the_same_state():
    assert fold(effective_entries(ENTRIES)).to_json() == DATA["state"]


def test_stored_entries_have_the_same_sentences():
    names = Names(State.from_json(DATA["state"]), {1: "Wren", 2: "Tam", 3: "Oda", 4: "Pim"})
    assert [describe_entry(entry, names) for entry in ENTRIES] == DATA["sentences"]


def test_stored_entries_are_judged_as_before():
    rows: list[list[Any]] = []
    state = State()
    for entry in effective_entries(ENTRIES):
        if entry.act not in (*CORRECTIONS, RESTORE, STRUCK):
            rows.append([entry.number, _judge(entry, state)])
        apply_effects(state, entry.effects)
    assert rows == DATA["judged"]


def _judge(entry: ChronicleEntry, state: State) -> object:
    try:
        effects = codec.read_stored(entry.act, entry.body).decide(state, house_rules_in_force(entry.body))
    except Refusal as refusal:
        return refusal.sentence
    effects = [effect for effect in effects if not isinstance(effect, SINCE_THE_FIXTURE)]
    return "same" if effects == entry.effects else codec.write_effects(effects)


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.act in list_acts()], ids=lambda e: f"{e.number} {e.act}")
def test_act_is_the_same_after_it_is_written_and_read_again(entry):
    act = codec.read_stored(entry.act, entry.body)
    line = entry.body.get("line", 0)
    written = codec.write_body(act, options={}, entry=line)
    assert codec.read_stored(entry.act, json.loads(json.dumps(written))) == act


def test_fixture_has_every_effect():
    newer = {kind.do for kind in SINCE_THE_FIXTURE}
    seen = {effect.do for entry in ENTRIES for effect in entry.effects}
    assert seen == set(codec.EFFECTS) - {NumberReserved.do} - newer


def test_effects_are_the_same_after_they_are_written_and_read_again():
    for row, entry in zip(DATA["entries"], ENTRIES, strict=True):
        written = codec.write_effects(entry.effects)
        assert codec.load_effects(json.loads(json.dumps(written))) == entry.effects
        assert codec.read_effects(written, pytest.fail) == entry.effects
        for now, before in zip(written, row["effects"], strict=True):
            assert now.items() >= {name: value for name, value in before.items() if value is not None}.items()
