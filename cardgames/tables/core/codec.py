"""A card table's acts and entries as JSON and back: the only place that knows how they are stored.

What is sent is read strictly and refused with the field. What is stored is read leniently: keys of other releases are
ignored. Every field of an entry is written, also one that holds its default, as it always was; a receipt compares
what was sent by these bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, get_args

import dataclass_json
from cardgames.engine.stored_record import Row
from cardgames.tables.core.acts import Choose, HostTable, SentAct, StartGame, TableAct, TimerMoves
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
from dataclass_json import STORED, Text, Whole
from json_input import MAX_NUMBER
from refusal import Refusal

Body = Mapping[str, Any]
_JOINED_BY = "|"  # several choices in one receipt

ACTS: Mapping[str, type[SentAct]] = {kind.key: kind for kind in get_args(SentAct)}
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

Key = Annotated[str, Text("The key", 80)]
Choice = Annotated[str, Text("The choice", 120)]


@dataclass(frozen=True, slots=True)
class SentChoice:
    """``choice`` is a key from ``ask``, or "undo"; ``stamp`` is that of the ask it answers."""

    key: Key
    choice: Choice
    stamp: Annotated[int, Whole("The stamp", 0, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class SentTable:
    """A new table. A key sent twice opens one. ``name`` is for somebody who is not logged in."""

    key: Key
    table: HostTable
    name: Annotated[str, Text("The name", 1000, empty=True)] = ""


@dataclass(frozen=True, slots=True)
class _SentEnvelope:
    key: Key
    act: Annotated[str, Text("The act", 40)]
    body: Any = None


def read_sent(act: object, body: object) -> SentAct:
    """The act somebody sent, or a refusal: a field is missing, unknown, too long or of the wrong kind."""
    if not isinstance(act, str) or act not in ACTS:
        raise Refusal(f"A card table knows these acts: {', '.join(ACTS)}.", field="act")
    if not isinstance(body, Mapping):
        raise Refusal("The body of an act must be an object.", field="body")
    return dataclass_json.read(ACTS[act], body)


def read_envelope(data: object) -> tuple[str, SentAct]:
    """The key of the tap, and its act."""
    sent = dataclass_json.read(_SentEnvelope, data)
    return sent.key, read_sent(sent.act, {} if sent.body is None else sent.body)


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


def envelope_schema() -> dict[str, object]:
    """The JSON Schema of what is sent: one object for each act, with the fields of its dataclass."""
    return {
        "oneOf": [
            {
                "title": f"table_{key.replace('-', '_')}",
                "type": "object",
                "properties": {
                    "key": dataclass_json.schema(Key),
                    "act": {"type": "string", "enum": [key]},
                    "body": dataclass_json.schema(kind),
                },
                "required": ["key", "act", *(["body"] if "required" in dataclass_json.schema(kind) else [])],
            }
            for key, kind in ACTS.items()
        ]
    }


# --- answers ---------------------------------------------------------------------------------------------------------

# What a tap at a card table was answered, kept in its receipt.
TapAnswer = TypedDict("TapAnswer", {"stamp": int, "seat": int, "pass": int, "table": int}, total=False)
