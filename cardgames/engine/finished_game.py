"""A finished game to keep: its steps with what happened, its result, and the words to tell it, whatever the rules become.

Names of people are not in it; they are given when it is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine.live import Live
from cardgames.engine.words import Line, Words
from refusal import Refusal

Kept = dict[str, Any]


def keepsake(live: Live) -> Kept:
    """Everything about a finished game as plain data."""
    if live.result is None:
        raise Refusal("Only a finished game can be kept.", status=409)
    game, record = live.game, live.record
    steps = live.steps()
    used = {event["key"] for step in steps for event in step["events"]}
    return {
        "game": game.key,
        "version": game.version,
        "title": game.title,
        "deck": {"id": record.deck.id, "title": record.deck.title},
        "options": dict(record.options),
        "seats": record.seats,
        "choices": len(live.line),
        "steps": steps,
        "result": live.result.as_json(),
        "outcome": game.outcomes[live.result.outcome],
        "lines": {key: [game.lines[key].text, game.lines[key].you, game.lines[key].private] for key in sorted(used)},
        "cards": {face.id: face.name for face in game.faces(record.deck)},
        "labels": dict(game.labels),
    }


def told(kept: Mapping[str, Any], seat: int | None, names: Sequence[str]) -> list[dict[str, Any]]:
    """The kept steps as sentences, as this seat saw them; None is everybody's view."""
    words = Words(names, kept["cards"], seat, kept["labels"])
    lines = {key: Line(*texts) for key, texts in kept["lines"].items()}
    out = []
    for step in kept["steps"]:
        sentences = []
        for event in step["events"]:
            more = event.get("private", {}).get(str(seat))
            values = {**event["values"], **more} if more else event["values"]
            sentences.append(words.event(lines, event["key"], values, bool(more)))
        out.append({"row": step["row"], "seat": step["seat"], "sentences": sentences})
    return out


def ending(kept: Mapping[str, Any], seat: int | None, names: Sequence[str]) -> str:
    """How it ended, as one sentence."""
    result = kept["result"]
    values = {**result["facts"], "winners": result["winners"], "scores": result["scores"]}
    return Words(names, kept["cards"], seat, kept["labels"]).fill(kept["outcome"], values)
