"""The record of a finished game: steps, result and texts, independent of later rule changes.

Names of people are not in it; they are filled in when it is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from cardgames.engine.running_table import RunningTable, StepJson
from cardgames.engine.sentences import EventSentence, SentenceBuilder
from refusal import Refusal


class DeckName(TypedDict):
    id: str
    title: str


class FinishedGame(TypedDict):
    """A finished game as it is stored."""

    game: str
    version: int
    title: str
    deck: DeckName
    options: dict[str, Any]
    seats: int
    choices: int
    steps: list[StepJson]
    result: Mapping[str, Any]
    outcome: str
    lines: dict[str, list[Any]]  # the fields of ``EventSentence``
    cards: dict[str, str]
    labels: dict[str, str]


@dataclass(frozen=True, slots=True)
class RetoldStep:
    """One step as sentences."""

    row: int
    seat: int | None
    sentences: list[str]


def record_finished_game(running: RunningTable) -> FinishedGame:
    """Everything about a finished game as plain data."""
    if running.result is None:
        raise Refusal("Only a finished game can be recorded.", status=409)
    game, record = running.game, running.record
    steps = running.steps()
    used = {event.key for step in steps for event in step.events}
    return {
        "game": game.key,
        "version": game.version,
        "title": game.title,
        "deck": {"id": record.deck.id, "title": record.deck.title},
        "options": dict(record.options),
        "seats": record.seats,
        "choices": running.choice_count,
        "steps": [step.as_json() for step in steps],
        "result": running.result.as_json(),
        "outcome": game.text_of_outcome(running.result),
        "lines": {
            key: [game.event_sentences[key].text, game.event_sentences[key].you, game.event_sentences[key].private]
            for key in sorted(used)
        },
        "cards": {face.id: face.name for face in game.faces(record.deck)},
        "labels": dict(game.labels),
    }


def retell_steps(finished: FinishedGame, seat: int | None, names: Sequence[str]) -> list[RetoldStep]:
    """The recorded steps as sentences, as this seat saw them; None is everybody's view."""
    words = SentenceBuilder(names, finished["cards"], seat, finished["labels"])
    lines = {key: EventSentence(*texts) for key, texts in finished["lines"].items()}
    out = []
    for step in finished["steps"]:
        sentences = []
        for event in step["events"]:
            more = event.get("private", {}).get(str(seat))
            values = {**event["values"], **more} if more else event["values"]
            sentences.append(words.event(lines, event["key"], values, bool(more)))
        out.append(RetoldStep(step["row"], step["seat"], sentences))
    return out


def describe_ending(finished: Mapping[str, Any], seat: int | None, names: Sequence[str]) -> str:
    """How it ended, as one sentence."""
    result = finished["result"]
    values = {**result["facts"], "winners": result["winners"], "scores": result["scores"]}
    return SentenceBuilder(names, finished["cards"], seat, finished["labels"]).fill(finished["outcome"], values)
