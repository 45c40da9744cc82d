"""How a game is played, as data: sections of plain sentences, and an example drawn from a real table."""

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
    """A short stretch of a real game.

    ``orders`` are the cards of each shuffle, so that the example never changes: their ids from bottom to top.
    """

    names: tuple[str, ...]
    orders: tuple[str | None, ...]
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


def read_rows(text: str) -> tuple[Row, ...]:
    """Choices as they are stored, from such as "0 buy:front-1, 0 done, 1 buy:front-4": each a seat and a key."""
    rows = (choice.split() for choice in text.split(","))
    return tuple((int(seat), key) for seat, key in rows)


def example_table(game: Game, deck: Deck, example: Example, after: int | None = None) -> RunningTable:
    """The example's table after so many choices; all of them when none is given."""
    rows = example.rows if after is None else example.rows[:after]
    record = Record(
        game.key, game.version, deck, len(example.names), complete_options(game.options, example.options), b"", rows
    )
    orders = [None if order is None else order.split() for order in example.orders]
    return RunningTable(game, record, source=lambda: ForcedSource(orders, example.rolls))
