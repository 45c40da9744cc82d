"""The acts of a score sheet as JSON and back: the only place that knows how they are stored.

What is written is checked strictly and refused with the field. What is stored is read leniently. A receipt compares an
act's body, so bodies never change: figures stand flat beside the role, and a turn is named in its act.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import dataclass_json
from cardgames.companion.sheet_acts import (
    ChangeTurn,
    EnterFigures,
    PlainAct,
    SeatFigures,
    SheetAct,
    UnknownAct,
    is_turn_word,
)
from dataclass_json import STORED, STRICT, Reading

Body = Mapping[str, Any]
_TURN = "turn-"
_ROLE = "role"

ACTS: Mapping[str, type[PlainAct]] = {kind.key: kind for kind in get_args(PlainAct)}


def write_act(act: SheetAct) -> Body:
    """The body of an act, or a refusal that names the field."""
    match act:
        case EnterFigures():
            body: dict[str, Any] = {"seat": act.seat, "figures": write_figures(act.figures)}
        case ChangeTurn():
            body = {"seat": act.seat, "seen": act.seen, "dice": list(act.dice)}
            body |= {"what": act.what} if act.what else {}
        case _:
            body = dataclass_json.write_all(act)
    read_act(act.key, body)
    return body


def read_act(act: str, body: Body, reading: Reading = STRICT) -> SheetAct | UnknownAct:
    """The act with this key and body."""
    if act == EnterFigures.key:
        figures = body.get("figures") if isinstance(body, Mapping) else None
        if isinstance(figures, Mapping):
            body = {**body, "figures": _nested_figures(figures)}
        return dataclass_json.read(EnterFigures, body, reading)
    if act.startswith(_TURN) and is_turn_word(turn := act.removeprefix(_TURN)):
        named = {**body, "turn": turn} if isinstance(body, Mapping) else body
        return dataclass_json.read(ChangeTurn, named, reading)
    kind = ACTS.get(act)
    return UnknownAct() if kind is None else dataclass_json.read(kind, body, reading)


def load_act(act: str, body: Body) -> SheetAct | UnknownAct:
    """A stored act."""
    return read_act(act, body, STORED)


def write_figures(figures: SeatFigures) -> dict[str, Any]:
    """As a sheet keeps them for each seat: flat, with the role among them."""
    rows = {name: list(row) for name, row in figures.colours.items()}
    return {**figures.counts, **rows, **({_ROLE: figures.role} if figures.role else {})}


def _nested_figures(figures: Body) -> Body:
    rows = {name: row for name, row in figures.items() if isinstance(row, (list, tuple))}
    counts = {name: value for name, value in figures.items() if name not in rows and name != _ROLE}
    return {"counts": counts, "colours": rows, "role": figures.get(_ROLE)}
