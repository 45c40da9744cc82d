"""Whole recorded games: each replays to the result and to everything each seat was shown when it was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.keepsake import ending, keepsake, told
from cardgames.games import GAMES, read_record, replay
from refusal import Refusal
from tests.cardgames import laws
from tests.cardgames.record_games import HERE, WANTED, digest

FILES = sorted(path for path in HERE.glob("*.json") if not path.name.startswith("deck-"))


def load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    data["deck"] = json.loads((HERE / f"deck-{data['deck']}.json").read_text(encoding="utf-8"))
    return data


def test_every_game_on_the_shelf_is_recorded() -> None:
    assert [path.stem for path in FILES] == sorted(WANTED)
    recorded = {(load(path)["game"], load(path)["version"]) for path in FILES}
    assert recorded == set(GAMES)
    keys = {key for path in FILES for _, key in load(path)["rows"]}
    # A nested Bazaar, every action, moves and covers, a reveal, undo: all of it was played.
    assert {"bazaar", "windfall", "shoot", "steal", "trade", "undo", "buy", "cover:front-1", "done"} <= keys
    assert any(key.startswith("move:") for key in keys)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_replays_as_it_was_played(path: Path) -> None:
    """GI-11, MI-9"""
    data = load(path)
    live = replay(read_record(data))
    assert live.result is not None
    result = live.result.as_json()
    del result["lines"]
    assert result == data["result"]
    assert digest(live) == data["digest"]
    laws.cards_are_conserved(live)
    laws.everything_can_be_said(live)
    json.dumps(live.steps())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_finished_game_can_be_told_without_its_rules(path: Path) -> None:
    live = replay(read_record(load(path)))
    kept = json.loads(json.dumps(keepsake(live)))
    names = laws.NAMES[: live.table.seats]
    for seat in (None, *range(live.table.seats)):
        steps = told(kept, seat, names)
        assert [sentence for step in steps for sentence in step["sentences"]] == live.sentences(seat, names)
        assert ending(kept, seat, names) == live.outcome(seat, names)
    assert not any(name in json.dumps(kept["steps"]) for name in names)
    with pytest.raises(Refusal, match="finished"):
        keepsake(replay(read_record({**load(path), "rows": []})))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_log_with_one_row_changed_is_another_game_or_none(path: Path) -> None:
    data = load(path)
    rows = data["rows"]
    middle = len(rows) // 2
    seat, key = rows[middle]
    for wrong in ([seat, "no-such-key"], [seat + 1, key], [seat, key + "x"]):
        with pytest.raises(Refusal, match=r"does not fit|never made"):
            replay(read_record({**data, "rows": [*rows[:middle], wrong, *rows[middle + 1 :]]}))
    with pytest.raises(Refusal, match="does not fit"):
        replay(read_record({**data, "rows": [*rows, rows[-1]]}))
