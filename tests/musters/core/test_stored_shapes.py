"""Every shape that a muster's entries have been stored in still reads, and is written as it was.

``data/stored_entries.json`` was written by the release before these entries were typed. Never edit it; a new shape
gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from musters.core.codec import (
    MusterEntry,
    MusterState,
    army_to_json,
    call_to_json,
    facts_to_json,
    fold_entries,
    load_entry,
    write_entry,
)
from refusal import Refusal

LOGS = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())


def as_json(state: MusterState) -> dict[str, Any]:
    """The state in the words of the file."""
    muster = state.muster()
    return {
        "answers": [answer.plain() for answer in muster.answers],
        "agreed": facts_to_json(state.accepted) if state.accepted else None,
        "runs": state.runs,
        "fresh": state.fresh,
        "call": call_to_json(state.call),
        "army": army_to_json(muster.army) if muster.army else None,
    }


def test_fixture_has_every_kind_of_entry():
    assert {act for log in LOGS for act, _ in log["entries"]} == {kind.key for kind in get_args(MusterEntry)}


@pytest.mark.parametrize("log", LOGS, ids=range(len(LOGS)))
def test_stored_entries_lead_to_the_same_muster(log):
    state = fold_entries(load_entry(act, body) for act, body in log["entries"])
    assert as_json(state) == {name: log[name] for name in as_json(state)}


@pytest.mark.parametrize("log", LOGS, ids=range(len(LOGS)))
def test_entry_is_the_same_after_it_is_written_and_read_again(log):
    for act, body in log["entries"]:
        entry = load_entry(act, body)
        written = json.loads(json.dumps(write_entry(entry)))
        assert load_entry(act, written) == entry
        if "call" not in body:  # a call of before may lack keys that now have their defaults
            assert written == body


def test_unknown_entry_is_refused():
    with pytest.raises(Refusal, match="no entry called 'sung'"):
        load_entry("sung", {})


def test_empty_log_is_refused():
    with pytest.raises(Refusal, match="empty"):
        fold_entries([])
