"""The entries of a card table's log, one frozen dataclass for each kind; acts and entries as JSON and back.

The choices are the game. The other entries are news of the table, and what is needed to undo them. What is stored is
read leniently: keys of other releases are ignored. Every field of an entry is written, also one that holds its default,
as it always was; a receipt compares what was sent by these bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict

import dataclass_json
from cardgames.engine.stored_record import Row
from cardgames.tables.core.acts import Choose, StartGame, TableAct, TimerMoves
from dataclass_json import STORED, stored_as


@dataclass(frozen=True, slots=True)
class TableEntry:
    """``sentence`` is the news of it."""

    key: ClassVar[str]
    sentence: ClassVar[str] = "The table has changed."


@dataclass(frozen=True, slots=True)
class SeatEntry(TableEntry):
    """An entry about one seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChoiceMade(TableEntry):
    """A choice at the table, by key; a bot's or the clock's too."""

    key: ClassVar[str] = "choice"

    seat: int
    choice: str = field(metadata=stored_as("key"))


@dataclass(frozen=True, slots=True)
class SealedChoice(TableEntry):
    """An answer in a reaction window, in the log that nobody can watch. ``stamp`` names the question."""

    key: ClassVar[str] = "choice"

    seat: int
    choice: str = field(metadata=stored_as("key"))
    stamp: int = 0


@dataclass(frozen=True, slots=True)
class TableOpened(TableEntry):
    key: ClassVar[str] = "opened"
    sentence: ClassVar[str] = "{actor} opens the table."


@dataclass(frozen=True, slots=True)
class RematchOpened(TableEntry):
    """The first entry of a rematch: the pass of each seat that a phone played in the game before."""

    key: ClassVar[str] = "opened-again"
    sentence: ClassVar[str] = "The table for the next game is open."

    passes: Mapping[str, int] = field(default_factory=dict)

    def passes_of(self, seats: Mapping[int, object]) -> set[int]:
        return {token for number, token in self.passes.items() if int(number) in seats}


@dataclass(frozen=True, slots=True)
class RematchWanted(TableEntry):
    key: ClassVar[str] = "again"
    sentence: ClassVar[str] = "{actor} wants to play again."


@dataclass(frozen=True, slots=True)
class CameOver(SeatEntry):
    """A phone came over to the next game."""

    key: ClassVar[str] = "arrived"
    sentence: ClassVar[str] = "{actor} plays again."


@dataclass(frozen=True, slots=True)
class SatDown(SeatEntry):
    key: ClassVar[str] = "sat"
    sentence: ClassVar[str] = "{actor} sits down."

    took_over: str = ""  # the level of the bot that had the seat


@dataclass(frozen=True, slots=True)
class SeatEmptied(SeatEntry):
    """What the seat was, for whoever undoes it: the pass of its phone, its bot, and whether it was a co-host's."""

    token: int | None = field(default=None, metadata=stored_as("pass"))
    bot: str = ""
    cohost: bool = False


@dataclass(frozen=True, slots=True)
class SeatLeft(SeatEmptied):
    key: ClassVar[str] = "left"
    sentence: ClassVar[str] = "{actor} leaves the table."


@dataclass(frozen=True, slots=True)
class SeatFreed(SeatEmptied):
    """By the host."""

    key: ClassVar[str] = "removed"
    sentence: ClassVar[str] = "The host frees {other}'s seat."


@dataclass(frozen=True, slots=True)
class SeatRestored(SeatEntry):
    key: ClassVar[str] = "returned"
    sentence: ClassVar[str] = "{actor} is back."


@dataclass(frozen=True, slots=True)
class BotSet(SeatEntry):
    key: ClassVar[str] = "bot"
    sentence: ClassVar[str] = "A bot ({level}) now plays for {seat}."

    level: str = ""


@dataclass(frozen=True, slots=True)
class BotRemoved(SeatEntry):
    """``level`` is always empty; it is stored like that of ``BotSet``."""

    key: ClassVar[str] = "bot-back"
    sentence: ClassVar[str] = "{seat} takes over from the bot."

    level: str = ""


@dataclass(frozen=True, slots=True)
class GameStarted(TableEntry):
    key: ClassVar[str] = "started"
    sentence: ClassVar[str] = "The game starts."


@dataclass(frozen=True, slots=True)
class GamePaused(TableEntry):
    key: ClassVar[str] = "paused"
    sentence: ClassVar[str] = "The host pauses the game."


@dataclass(frozen=True, slots=True)
class GameResumed(TableEntry):
    key: ClassVar[str] = "resumed"
    sentence: ClassVar[str] = "The host resumes the game."


@dataclass(frozen=True, slots=True)
class TableCalledOff(TableEntry):
    key: ClassVar[str] = "called-off"
    sentence: ClassVar[str] = "The host calls off the game."


@dataclass(frozen=True, slots=True)
class CallOffUndone(TableEntry):
    key: ClassVar[str] = "call-off-undone"
    sentence: ClassVar[str] = "The host opens the table again."


@dataclass(frozen=True, slots=True)
class RulesChanged(TableEntry):
    key: ClassVar[str] = "rules"
    sentence: ClassVar[str] = "The host changes the rules of this table."


@dataclass(frozen=True, slots=True)
class AskedToSit(SeatEntry):
    """Somebody asks to take over from a bot in a running game."""

    key: ClassVar[str] = "asked-to-sit"
    sentence: ClassVar[str] = "{actor} asks to take over from {seat}. The host decides."


@dataclass(frozen=True, slots=True)
class SittingDeclined(SeatEntry):
    key: ClassVar[str] = "not-given"
    sentence: ClassVar[str] = "The host declines. {seat} plays on."


@dataclass(frozen=True, slots=True)
class SeatClaimed(SeatEntry):
    """Another phone asks for a taken seat."""

    key: ClassVar[str] = "asked-for"
    sentence: ClassVar[str] = "Another phone asks for {seat}'s seat. The host decides."


@dataclass(frozen=True, slots=True)
class SeatMoved(SeatEntry):
    key: ClassVar[str] = "moved"
    sentence: ClassVar[str] = "{seat}'s seat has moved to another phone."


@dataclass(frozen=True, slots=True)
class MoveDeclined(SeatEntry):
    key: ClassVar[str] = "not-moved"
    sentence: ClassVar[str] = "The host declines to move {seat}'s seat."


@dataclass(frozen=True, slots=True)
class CohostNamed(SeatEntry):
    key: ClassVar[str] = "cohost"
    sentence: ClassVar[str] = "{seat} is now a co-host."


@dataclass(frozen=True, slots=True)
class CohostRemoved(SeatEntry):
    key: ClassVar[str] = "no-cohost"
    sentence: ClassVar[str] = "{seat} is no longer a co-host."


@dataclass(frozen=True, slots=True)
class HostChanged(SeatEntry):
    key: ClassVar[str] = "new-host"
    sentence: ClassVar[str] = "{actor} takes over as host."


@dataclass(frozen=True, slots=True)
class GuestRenamed(SeatEntry):
    key: ClassVar[str] = "renamed"
    sentence: ClassVar[str] = "The host corrects a name: {seat}."


@dataclass(frozen=True, slots=True)
class UnknownEntry(TableEntry):
    """Of a release that knew more than this one."""

    key: ClassVar[str] = ""


EMPTYING = (SeatLeft.key, SeatFreed.key)


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
