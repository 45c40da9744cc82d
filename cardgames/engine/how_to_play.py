"""How a game is played, as data: sections of plain sentences, and an example drawn from a real table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgames.engine.deck_data import Deck
from cardgames.engine.game_definition import Game, complete_options
from cardgames.engine.randomness import ForcedSource
from cardgames.engine.running_table import RunningTable
from cardgames.engine.stored_record import Record, Row


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
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HowTo:
    """The help page of a game. ``glance`` is its short form for the table; ``rulings`` fill gaps in the rules."""

    aim: str
    glance: tuple[str, ...]
    sections: tuple[Section, ...]
    example: Example
    rulings: tuple[tuple[str, str], ...]


def example_table(game: Game, deck: Deck, example: Example, after: int | None = None) -> RunningTable:
    """The example's table after so many choices; all of them when none is given."""
    rows = example.rows if after is None else example.rows[:after]
    record = Record(
        game.key, game.version, deck, len(example.names), complete_options(game.options, example.options), b"", rows
    )
    return RunningTable(game, record, source=lambda: ForcedSource(example.orders, example.rolls))
