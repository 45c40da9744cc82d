"""What is written in a group's log, and what its API is sent, is read, or refused with a sentence and the field."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import dataclass_json
from gamenights.plays.entries import ImportPlays, LogPlay, SettleChange
from gamenights.shelf.services import SaveGame, VoteForGame
from groups import entries
from tests.campaign.chronicle.fuzzed_bodies import read_or_refuse, spoil_fields

FEW, MANY = 200, 10_000
STORED = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())["entries"]
PLAYER = {"person": "AB12", "score": "42", "team": "red", "role": "king", "place": 1, "won": True, "started": False}


def read_sent(about: tuple[str, ...], body: dict[str, Any]) -> dict[str, Any]:
    """Without the numbers of what the act is about."""
    return {key: value for key, value in body.items() if key not in about}


# Bodies that are right, so that fuzzing starts from what nearly passes.
GOOD: dict[type, dict[str, Any]] = {
    **{kind: read_sent(entries.ACTS[act].about, body) for act, body in STORED if (kind := entries.ACTS[act].sent)},
    SettleChange: {"play": "a-play", "proposal": 3, "agree": True},
    ImportPlays: {"file": "abcd", "answers": {"person-1": "new"}},
    VoteForGame: {"game": "3"},
    SaveGame: {
        "name": "Azul",
        "scoring": "high",
        "players_min": 2,
        "players_max": 4,
        "minutes": 40,
        "bgg_id": 230802,
        "on_shelf": True,
    },
    LogPlay: {
        "game": "Azul",
        "players": [PLAYER, {"person": "CD34"}],
        "uuid": "a-play",
        "day": "2026-05-14",
        "night": "ABCDE",
        "scoring": "low",
        "variant": "brisk",
        "minutes": 40,
        "rated": True,
        "notes": "A close one.",
    },
}


def read(kind: type, body: Any) -> None:
    found = read_or_refuse(partial(dataclass_json.read, kind), body)
    assert found is None or isinstance(found, kind)


def test_every_entry_has_a_good_body():
    assert {act.sent for act in entries.ACTS.values()} - {None, *GOOD} == set()
    for kind, body in GOOD.items():
        dataclass_json.read(kind, body)


@pytest.mark.parametrize("kind", GOOD)
def test_any_body_is_read_or_refused_with_a_sentence(kind):
    for body in spoil_fields(GOOD[kind], FEW, f"{kind.__name__}/1"):
        read(kind, body)


@pytest.mark.soak
@pytest.mark.parametrize("kind", GOOD)
def test_ten_thousand_bodies_are_read_or_refused_with_a_sentence(kind):
    for body in spoil_fields(GOOD[kind], MANY, f"{kind.__name__}/2"):
        read(kind, body)
