"""Recorded games: each replays to the same result and the same views for every seat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.finished_game_steps import describe_ending, record_finished_game, retell_steps
from cardgames.games import GAMES, replay
from refusal import Refusal
from tests.cardgames.engine import game_laws
from tests.cardgames.games.record_games import HERE, WANTED, digest
from tests.cardgames.records import read_record

FILES = sorted(path for path in HERE.glob("*.json") if not path.name.startswith("deck-"))
assert FILES, "there are no recorded games beside this test"


def load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    data["deck"] = json.loads((HERE / f"deck-{data['deck']}.json").read_text(encoding="utf-8"))
    return data


def test_every_game_has_a_recording() -> None:
    assert [path.stem for path in FILES] == sorted(WANTED)
    recorded = {(load(path)["game"], load(path)["version"]) for path in FILES}
    assert recorded == set(GAMES)
    keys = {key for path in FILES for _, key in load(path)["rows"]}
    # A nested Bazaar, every action, moves and covers, a reveal, undo: all of it was played.
    assert {"bazaar", "windfall", "shoot", "steal", "trade", "undo", "buy", "cover:front-1", "done"} <= keys
    assert any(key.startswith("move:") for key in keys)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_game_replays_as_it_was_played(path: Path) -> None:
    """GI-11, MI-9"""
    data = load(path)
    live = replay(read_record(data))
    assert live.result is not None
    result = {key: value for key, value in live.result.as_json().items() if key != "lines"}
    assert result == data["result"]
    assert digest(live) == data["digest"]
    game_laws.cards_are_conserved(live)
    game_laws.everything_can_be_said(live)
    json.dumps([step.as_json() for step in live.steps()])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_finished_game_can_be_shown_without_its_rules(path: Path) -> None:
    live = replay(read_record(load(path)))
    kept = json.loads(json.dumps(record_finished_game(live)))
    names = game_laws.NAMES[: live.table.seats]
    for seat in (None, *range(live.table.seats)):
        steps = retell_steps(kept, seat, names)
        assert [sentence for step in steps for sentence in step.sentences] == live.sentences(seat, names)
        assert describe_ending(kept, seat, names) == live.outcome(seat, names)
    assert not any(name in json.dumps(kept["steps"]) for name in names)
    with pytest.raises(Refusal, match="finished"):
        record_finished_game(replay(read_record({**load(path), "rows": []})))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_changing_one_log_row_gives_another_game_or_an_error(path: Path) -> None:
    data = load(path)
    rows = data["rows"]
    middle = len(rows) // 2
    seat, key = rows[middle]
    for wrong in ([seat, "no-such-key"], [seat + 1, key], [seat, key + "x"]):
        with pytest.raises(Refusal, match=r"does not fit|never made"):
            replay(read_record({**data, "rows": [*rows[:middle], wrong, *rows[middle + 1 :]]}))
    with pytest.raises(Refusal, match="does not fit"):
        replay(read_record({**data, "rows": [*rows, rows[-1]]}))
