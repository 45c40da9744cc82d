"""Every shape that a group's entries have been stored in still reads, and is written as it was.

``data/stored_entries.json`` was written by the release before these entries were typed: entries, and what receipts
compare. Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamenights.plays.entries import ImportPlays, SettleChange
from groups import codec
from groups.entries import GroupEntry, UnknownEntry

DATA = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())
# Once the API stored of a new game only what it was sent, and settings had no consent.
OLDER = [
    ["game_added", {"game": None, "name": "Azul"}],
    ["game_added", {"game": None, "name": "Azul", "minutes": 40}],
    ["group_settings", {"zone": "UTC", "visibility": "members", "edits": "anyone"}],
]
ACTS = {**codec.ENTRIES, SettleChange.key: SettleChange, ImportPlays.key: ImportPlays}


def is_older(act: str, body: dict) -> bool:
    return act in ("game_added", "game_changed") and "on_shelf" not in body


def test_fixture_has_every_kind_of_entry():
    assert set(codec.ENTRIES) - {act for act, _ in DATA["entries"]} == set()


@pytest.mark.parametrize(("act", "body"), DATA["entries"])
def test_entry_is_written_as_it_was(act, body):
    entry = codec.load_entry(act, body)
    assert entry.key == act
    if not is_older(act, body):
        assert json.loads(json.dumps(codec.write_entry(entry))) == body


@pytest.mark.parametrize(("act", "body"), OLDER)
def test_entry_of_an_older_release_has_defaults(act, body):
    entry = codec.load_entry(act, {**body, "of_another_release": [1]})
    assert body.items() <= codec.write_entry(entry).items()
    assert codec.load_entry(act, codec.write_entry(entry)) == entry


def test_entry_of_a_newer_release_is_unknown():
    assert codec.load_entry("group_danced", {"person": 1}) == UnknownEntry()


def as_act(body: dict) -> GroupEntry:
    import dataclass_json

    return dataclass_json.read(ACTS[body["act"]], {key: value for key, value in body.items() if key != "act"})


@pytest.mark.parametrize("body", [body for act, body in DATA["sent"] if not is_older(act, body)])
def test_receipt_of_a_tap_is_as_it_was(body):
    """Or a tap sent before an upgrade and repeated after it would be refused."""
    act = as_act(body)
    assert json.dumps({"act": act.key, **codec.write_entry(act)}, sort_keys=True) == json.dumps(body, sort_keys=True)


@pytest.mark.postgres
def test_stored_entries_read_from_postgresql(postgres_url):
    """It keeps JSON in a form of its own: other order of keys, other spelling of numbers."""
    import psycopg

    with psycopg.connect(postgres_url) as base:
        for act, body in [*DATA["entries"], *OLDER]:
            (found,) = base.execute("SELECT %s::jsonb", [json.dumps(body)]).fetchone()
            assert codec.load_entry(act, found) == codec.load_entry(act, body)
