"""Every shape that a score sheet's acts have been stored in still reads, and is written as it was.

``data/stored_acts.json`` was written by the release before these acts were typed: entries, and what receipts compare.
Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from cardgames.companion import entries
from cardgames.companion.entries import EnterFigures, TurnWord, UnknownAct
from tests.campaign.chronicle.fuzzed_bodies import read_or_refuse, spoil_fields

DATA = json.loads((Path(__file__).parent / "data" / "stored_acts.json").read_text())
KINDS = {*entries.ACTS, EnterFigures.key, *(f"turn-{word}" for word in get_args(TurnWord))}
FEW, MANY = 200, 10_000
GOOD = dict(DATA["entries"])


def test_fixture_has_every_kind_of_act():
    assert KINDS - set(GOOD) == set()


@pytest.mark.parametrize(("act", "body"), DATA["entries"])
def test_act_is_written_as_it_was(act, body):
    result = entries.load_act(act, body)
    assert not isinstance(result, UnknownAct)
    assert result.key == act
    assert json.loads(json.dumps(entries.write_act(result))) == body


@pytest.mark.parametrize(("act", "body"), DATA["sent"])
def test_receipt_of_a_tap_is_as_it_was(act, body):
    result = entries.load_act(act, {key: value for key, value in body.items() if key != "act"})
    written = {"act": act, **entries.write_act(result)}
    assert json.dumps(written, sort_keys=True) == json.dumps(body, sort_keys=True)


def test_act_of_a_newer_release_is_unknown():
    assert entries.load_act("danced", {"seat": 1}) == UnknownAct()
    assert entries.load_act("turn-danced", {"seat": 1}) == UnknownAct()


@pytest.mark.postgres
def test_stored_acts_read_from_postgresql(postgres_url):
    import psycopg

    with psycopg.connect(postgres_url) as base:
        for act, body in DATA["entries"]:
            (result,) = base.execute("SELECT %s::jsonb", [json.dumps(body)]).fetchone()
            assert entries.load_act(act, result) == entries.load_act(act, body)


def read(act: str, body: Any) -> None:
    or_refuse = read_or_refuse(partial(entries.read_act, act), body)
    assert or_refuse is None or or_refuse.key == act


@pytest.mark.parametrize("act", sorted(KINDS))
def test_any_body_is_read_or_refused_with_a_sentence(act):
    for body in spoil_fields(GOOD[act], FEW, f"{act}/1"):
        read(act, body)


@pytest.mark.soak
@pytest.mark.parametrize("act", sorted(KINDS))
def test_ten_thousand_bodies_are_read_or_refused_with_a_sentence(act):
    for body in spoil_fields(GOOD[act], MANY, f"{act}/2"):
        read(act, body)
