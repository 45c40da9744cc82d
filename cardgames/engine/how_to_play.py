"""How a game is played, as data: sections of plain sentences, and an example drawn from a real table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgames.engine.decks import Deck
from cardgames.engine.game import Game
from cardgames.engine.live import Live
from cardgames.engine.options import settle
from cardgames.engine.record import Record, Row
from cardgames.engine.sources import Forced


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One picture of the example: after so many choices, as this seat sees it (None: everybody), with its caption."""

    after: int
    seat: int | None
    caption: str


@dataclass(frozen=True, slots=True)
class Example:
    """A short stretch of a real game. ``orders`` lay the shuffles down, so the example never changes."""

    names: tuple[str, ...]
    orders: tuple[tuple[str, ...] | None, ...]
    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    rolls: tuple[int, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HowTo:
    """The help page of a game. ``glance`` is the short form for the table; ``rulings`` say where the rules are silent."""

    aim: str
    glance: tuple[str, ...]
    sections: tuple[Section, ...]
    example: Example
    rulings: tuple[tuple[str, str], ...]


def example_table(game: Game, deck: Deck, example: Example, after: int | None = None) -> Live:
    """The example's table after so many choices; all of them when none is given."""
    rows = example.rows if after is None else example.rows[:after]
    record = Record(game.key, game.version, deck, len(example.names), settle(game.options, example.options), b"", rows)
    return Live(game, record, source=lambda: Forced(example.orders, example.rolls))


def drawn_example(game: Game, deck: Deck, example: Example) -> list[dict[str, Any]]:
    """The steps with everything a page draws them from: caption, seat and that seat's sheet."""
    return [
        {
            "caption": step.caption,
            "seat": step.seat,
            "names": list(example.names),
            "sheet": example_table(game, deck, example, step.after).sheet(step.seat, example.names),
        }
        for step in example.steps
    ]


def told_since(game: Game, deck: Deck, example: Example, start: int, end: int) -> Sequence[str]:
    """The keys of what happened between two steps; what the captions are checked against."""
    before = len(example_table(game, deck, example, start).events(None))
    return [event["key"] for event in example_table(game, deck, example, end).events(None, before)]
