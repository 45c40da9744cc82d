"""What a seat's view looks like in the API, for its schema. The engine writes it and knows nothing of schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from cardgames.engine.game_definition import BlockedChoice, Choice, ScoreLine


class AskShape(TypedDict):
    """The question of a seat."""

    seat: int | None
    kind: str | None
    stamp: int
    prompt: str
    choices: list[Choice]
    cannot: list[BlockedChoice]


class OpenQuestionShape(TypedDict):
    kind: str
    keys: list[str]
    about: Any  # each kind of question has its own


class NoteShape(TypedDict):
    """Cards that the seat was shown."""

    key: str
    params: Mapping[str, Any]
    cards: list[str]
    stale: bool


class ResultShape(TypedDict):
    outcome: str
    winners: list[int]
    scores: list[int]
    lines: list[list[ScoreLine]]
    facts: Mapping[str, Any]


class ZoneShape(TypedDict):
    """A pile, the same pile once per seat, or named piles. Faces that the seat does not know are null."""

    zone: str
    count: NotRequired[int]
    counts: NotRequired[list[int] | list[list[int]]]
    cards: NotRequired[list[str | None]]
    each: NotRequired[list[list[str | None]] | list[list[list[str | None]]]]
    names: NotRequired[list[str]]
    spots: NotRequired[list[list[str | None]]]


class ViewShape(TypedDict):
    game: str
    seat: int | None
    seats: int
    version: int
    stamp: int
    fields: Mapping[str, Any]
    own: Mapping[str, Any]
    zones: list[ZoneShape]
    asked: list[int]
    kind: str | None
    ask: OpenQuestionShape | None
    undo: bool
    window: float | None
    result: ResultShape | None
    notes: NotRequired[list[NoteShape]]
