"""What happened at a table since a seat last chose: its main events, each with the points it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.engine import Game, View
from cardgames.engine.board import Change
from cardgames.engine.seat_reading import EventView
from cardgames.engine.sentences import SentenceBuilder
from text import format_signed


@dataclass(frozen=True, slots=True)
class Past:
    """The table when a seat last chose, and each move since: how many events there were after it, and the points."""

    view: View
    events: int
    points: tuple[int, ...]
    moves: tuple[tuple[int, tuple[int, ...]], ...]
    is_first: bool


@dataclass(frozen=True, slots=True)
class SinceLine:
    number: int
    seat: int | None
    sentence: str
    changes: tuple[Change, ...]
    words: str


def lines_since(game: Game, past: Past, events: Sequence[EventView], words: SentenceBuilder) -> list[SinceLine]:
    """The main events since then, the oldest first, each with the points that its move changed."""
    lines: list[SinceLine] = []
    before, start = past.points, past.events
    for end, points in past.moves:
        main = [e for e in events if start <= e.number < end and not game.event_sentences[e.key].minor]
        changes = tuple(
            Change(seat, old, new) for seat, (old, new) in enumerate(zip(before, points, strict=True)) if old != new
        )
        for event in main:
            changed = ", ".join(f"{words.who(change.seat)} {format_signed(change.by)}" for change in changes)
            lines.append(SinceLine(event.number, event.values.get("seat"), event.sentence or "", changes, changed))
            changes = ()
        before, start = points, end
    return lines
