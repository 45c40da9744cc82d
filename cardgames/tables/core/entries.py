"""The entries of a card table's log, one frozen dataclass for each kind; acts and entries as JSON and back.

The choices are the game. The other entries are news of the table, and what is needed to undo them. What is stored is
read leniently: keys of other releases are ignored. Every field of an entry is written, also one that holds its default,
as it always was; a receipt compares what was sent by these bodies.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict, TypeVar, dataclass_transform

import dataclass_json
from cardgames.engine.stored_record import Row
from cardgames.tables.core.acts import Choose, StartGame, TableAct, TimerMoves
from dataclass_json import STORED, keyed, stored_as


@dataclass(frozen=True, slots=True)
class TableEntry:
    """``sentence`` is the news of it."""

    key: ClassVar[str]
    sentence: ClassVar[str] = "The table has changed."


E = TypeVar("E", bound=TableEntry)
ENTRIES: dict[str, type[TableEntry]] = {}  # by the key that the log has


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def register_entry(key: str, sentence: str = TableEntry.sentence) -> Callable[[type[E]], type[E]]:
    """Make a frozen dataclass of a kind of entry, with the news of it."""
    return keyed(key, ENTRIES, sentence=sentence)


@dataclass(frozen=True, slots=True)
class SeatEntry(TableEntry):
    """An entry about one seat."""

    seat: int


@register_entry("choice")
class ChoiceMade(TableEntry):
    """A choice at the table, by key; a bot's or the clock's too."""

    seat: int
    choice: str = field(metadata=stored_as("key"))


@dataclass(frozen=True, slots=True)
class SealedChoice(TableEntry):
    """An answer in a reaction window, in the log that nobody can watch. ``stamp`` names the question."""

    key: ClassVar[str] = "choice"

    seat: int
    choice: str = field(metadata=stored_as("key"))
    stamp: int = 0


@register_entry("opened", "{actor} opens the table.")
class TableOpened(TableEntry): ...


@register_entry("opened-again", "The table for the next game is open.")
class RematchOpened(TableEntry):
    """The first entry of a rematch: the pass of each seat that a phone played in the game before."""

    passes: Mapping[str, int] = field(default_factory=dict)

    def passes_of(self, seats: Mapping[int, object]) -> set[int]:
        return {token for number, token in self.passes.items() if int(number) in seats}


@register_entry("again", "{actor} wants to play again.")
class RematchWanted(TableEntry): ...


@register_entry("arrived", "{actor} plays again.")
class CameOver(SeatEntry):
    """A phone came over to the next game."""


@register_entry("sat", "{actor} sits down.")
class SatDown(SeatEntry):
    took_over: str = ""  # the level of the bot that had the seat


@dataclass(frozen=True, slots=True)
class SeatEmptied(SeatEntry):
    """What the seat was, for whoever undoes it: the pass of its phone, its bot, and whether it was a co-host's."""

    token: int | None = field(default=None, metadata=stored_as("pass"))
    bot: str = ""
    cohost: bool = False


@register_entry("left", "{actor} leaves the table.")
class SeatLeft(SeatEmptied): ...


@register_entry("removed", "The host frees {other}'s seat.")
class SeatFreed(SeatEmptied):
    """By the host."""


@register_entry("returned", "{actor} is back.")
class SeatRestored(SeatEntry): ...


@register_entry("bot", "A bot ({level}) now plays for {seat}.")
class BotSet(SeatEntry):
    level: str = ""


@register_entry("bot-back", "{seat} takes over from the bot.")
class BotRemoved(SeatEntry):
    """``level`` is always empty; it is stored like that of ``BotSet``."""

    level: str = ""


@register_entry("started", "The game starts.")
class GameStarted(TableEntry): ...


@register_entry("paused", "The host pauses the game.")
class GamePaused(TableEntry): ...


@register_entry("resumed", "The host resumes the game.")
class GameResumed(TableEntry): ...


@register_entry("called-off", "The host calls off the game.")
class TableCalledOff(TableEntry): ...


@register_entry("call-off-undone", "The host opens the table again.")
class CallOffUndone(TableEntry): ...


@register_entry("rules", "The host changes the rules of this table.")
class RulesChanged(TableEntry): ...


@register_entry("asked-to-sit", "{actor} asks to take over from {seat}. The host decides.")
class AskedToSit(SeatEntry):
    """Somebody asks to take over from a bot in a running game."""


@register_entry("not-given", "The host declines. {seat} plays on.")
class SittingDeclined(SeatEntry): ...


@register_entry("asked-for", "Another phone asks for {seat}'s seat. The host decides.")
class SeatClaimed(SeatEntry):
    """Another phone asks for a taken seat."""


@register_entry("moved", "{seat}'s seat has moved to another phone.")
class SeatMoved(SeatEntry): ...


@register_entry("not-moved", "The host declines to move {seat}'s seat.")
class MoveDeclined(SeatEntry): ...


@register_entry("cohost", "{seat} is now a co-host.")
class CohostNamed(SeatEntry): ...


@register_entry("no-cohost", "{seat} is no longer a co-host.")
class CohostRemoved(SeatEntry): ...


@register_entry("new-host", "{actor} takes over as host.")
class HostChanged(SeatEntry): ...


@register_entry("renamed", "The host corrects a name: {seat}.")
class GuestRenamed(SeatEntry): ...


@dataclass(frozen=True, slots=True)
class UnknownEntry(TableEntry):
    """Of a release that knew more than this one."""

    key: ClassVar[str] = ""


EMPTYING = (SeatLeft.key, SeatFreed.key)


Body = Mapping[str, Any]
_JOINED_BY = "|"  # several choices in one receipt


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
