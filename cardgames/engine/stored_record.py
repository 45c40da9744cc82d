"""The stored form of a table: what was agreed at the start, the secret seed, and the choices by key. Nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from cardgames.engine.deck_data import Deck
from refusal import Refusal

UNDO = "undo"

Row = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Record:
    """A table as it is stored. ``manual`` tables have no seed: people shuffle, and rows name what came up."""

    game: str
    version: int
    deck: Deck
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: bytes = b""
    rows: tuple[Row, ...] = ()
    manual: bool = False


def without_undone(rows: Sequence[Row]) -> list[Row]:
    """The choices that count: each undo row undoes the last choice of its seat."""
    if UNDO not in map(itemgetter(1), rows):
        return list(rows)
    line: list[Row] = []
    for row in rows:
        seat, key = row
        if key != UNDO:
            line.append(row)
            continue
        for back in range(len(line) - 1, -1, -1):
            if line[back][0] == seat:
                del line[back]
                break
        else:
            raise Refusal("This table's log undoes a choice that was never made.")
    return line
