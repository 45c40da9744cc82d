"""A card table's acts and entries as JSON and back: the only place that knows how they are stored.

What is sent is read strictly and refused with the field. What is stored is read leniently: keys of other releases are
ignored. Every field of an entry is written, also one that holds its default, as it always was; a receipt compares
what was sent by these bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

import dataclass_json
from cardgames.engine.stored_record import Row
from cardgames.tables.core.acts import Choose, StartGame, TableAct, TimerMoves
from cardgames.tables.core.entries import (
    AskedToSit,
    BotRemoved,
    BotSet,
    CallOffUndone,
    CameOver,
    ChoiceMade,
    CohostNamed,
    CohostRemoved,
    GamePaused,
    GameResumed,
    GameStarted,
    GuestRenamed,
    HostChanged,
    MoveDeclined,
    RematchOpened,
    RematchWanted,
    RulesChanged,
    SatDown,
    SealedChoice,
    SeatClaimed,
    SeatFreed,
    SeatLeft,
    SeatMoved,
    SeatRestored,
    SittingDeclined,
    TableCalledOff,
    TableEntry,
    TableOpened,
    UnknownEntry,
)
from dataclass_json import STORED

Body = Mapping[str, Any]
_JOINED_BY = "|"  # several choices in one receipt

ENTRIES: Mapping[str, type[TableEntry]] = {
    kind.key: kind
    for kind in (
        ChoiceMade, TableOpened, RematchOpened, RematchWanted, CameOver, SatDown, SeatLeft, SeatFreed, SeatRestored,
        BotSet, BotRemoved, GameStarted, GamePaused, GameResumed, TableCalledOff, CallOffUndone, RulesChanged,
        AskedToSit, SittingDeclined, SeatClaimed, SeatMoved, MoveDeclined, CohostNamed, CohostRemoved, HostChanged,
        GuestRenamed,
    )
}  # fmt: skip


# --- entries of the log ----------------------------------------------------------------------------------------------


def write_entry(entry: TableEntry) -> Body:
    if type(entry) is ChoiceMade:  # by far the most
        return {"seat": entry.seat, "key": entry.choice}
    body: Body = dataclass_json.write_all(entry)
    return body


def load_entry(act: str, body: Body) -> TableEntry:
    """A stored entry of the table's own log."""
    kind = ENTRIES.get(act)
    return UnknownEntry() if kind is None else dataclass_json.read(kind, body, STORED)


def load_rows(bodies: Iterable[Body]) -> tuple[Row, ...]:
    """The choices of a game, in the shape in which the engine replays them. Read for every page, so not one by one."""
    return tuple([(body["seat"], body["key"]) for body in bodies])


def load_sealed(body: Body) -> SealedChoice:
    return SealedChoice(body["seat"], body["key"], body["stamp"])


# --- what is sent ----------------------------------------------------------------------------------------------------


def write_sent(act: TableAct) -> Body:
    """What the receipt of a tap compares. It never changes, so that a tap repeated after an upgrade is recognised."""
    match act:
        case Choose():
            return {"seat": act.seat, "choice": _JOINED_BY.join(act.choices), "stamp": act.stamp}
        case TimerMoves():
            return {"due": act.due}
        case StartGame(level=""):
            return {"act": act.key}
        case _:
            return {"act": act.key, **dataclass_json.write_all(act)}


# --- answers ---------------------------------------------------------------------------------------------------------

# What a tap at a card table was answered, kept in its receipt.
TapAnswer = TypedDict("TapAnswer", {"stamp": int, "seat": int, "pass": int, "table": int}, total=False)
