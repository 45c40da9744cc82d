"""Every shape that a group's entries have been stored in still reads, and is written as it was.

``data/stored_entries.json`` was written by the release before these entries were typed: entries, and what receipts
compare. Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groups import entries

DATA = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())
# Once the API stored of a new game only what it was sent, and settings had no consent.
OLDER = [
    ["game_added", {"game": None, "name": "Azul"}],
    ["game_added", {"game": None, "name": "Azul", "minutes": 40}],
    ["group_settings", {"zone": "UTC", "visibility": "members", "edits": "anyone"}],
]
# Receipts keep these; the log keeps the entries that they lead to.
NOT_IN_THE_LOG = {"play_change_settled", "plays_imported"}


def is_older(act: str, body: dict) -> bool:
    return act in ("game_added", "game_changed") and "on_shelf" not in body


def write_again(act: str, body: dict) -> dict:
    """The body of the same act, written today."""
    about = {name: body[name] for name in entries.ACTS[act].about}
    return entries.write_body(act, entries.load_sent(act, body), **about)


def test_fixture_has_every_kind_of_entry():
    assert set(entries.ACTS) - {act for act, _ in DATA["entries"]} == NOT_IN_THE_LOG
    assert {body["act"] for _, body in DATA["sent"]} >= NOT_IN_THE_LOG


@pytest.mark.parametrize(("act", "body"), DATA["entries"])
def test_entry_is_written_as_it_was(act, body):
    if is_older(act, body):
        assert body.items() <= write_again(act, body).items()
    else:
        assert json.loads(json.dumps(write_again(act, body))) == body


@pytest.mark.parametrize(("act", "body"), OLDER)
def test_entry_of_an_older_release_has_defaults(act, body):
    written = write_again(act, {**body, "of_another_release": [1]})
    assert body.items() <= written.items()
    assert entries.load_sent(act, written) == entries.load_sent(act, body)


def test_entry_of_a_newer_release_is_unknown():
    assert entries.load_sent("group_danced", {"person": 1}) is None


@pytest.mark.parametrize("body", [body for act, body in DATA["sent"] if not is_older(act, body)])
def test_receipt_of_a_tap_is_as_it_was(body):
    """Or a tap sent before an upgrade and repeated after it would be refused."""
    sent = {key: value for key, value in body.items() if key != "act"}
    again = {"act": body["act"], **write_again(body["act"], sent)}
    assert json.dumps(again, sort_keys=True) == json.dumps(body, sort_keys=True)


@pytest.mark.postgres
def test_stored_entries_read_from_postgresql(postgres_url):
    """It keeps JSON in a form of its own: other order of keys, other spelling of numbers."""
    import psycopg

    with psycopg.connect(postgres_url) as base:
        for act, body in [*DATA["entries"], *OLDER]:
            (found,) = base.execute("SELECT %s::jsonb", [json.dumps(body)]).fetchone()
            assert entries.load_sent(act, found) == entries.load_sent(act, body)
