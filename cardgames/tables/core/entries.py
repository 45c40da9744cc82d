"""The entries of a card table's log, one frozen dataclass for each kind.

The choices are the game. The others are news of the table, and what is needed to undo them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from dataclass_json import stored_as


@dataclass(frozen=True, slots=True)
class TableEntry:
    key: ClassVar[str]


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


@dataclass(frozen=True, slots=True)
class RematchOpened(TableEntry):
    """The first entry of a rematch: the pass of each seat that a phone played in the game before."""

    key: ClassVar[str] = "opened-again"

    passes: Mapping[str, int] = field(default_factory=dict)

    def passes_of(self, seats: Mapping[int, object]) -> set[int]:
        return {token for number, token in self.passes.items() if int(number) in seats}


@dataclass(frozen=True, slots=True)
class RematchWanted(TableEntry):
    key: ClassVar[str] = "again"


@dataclass(frozen=True, slots=True)
class CameOver(SeatEntry):
    """A phone came over to the next game."""

    key: ClassVar[str] = "arrived"


@dataclass(frozen=True, slots=True)
class SatDown(SeatEntry):
    key: ClassVar[str] = "sat"

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


@dataclass(frozen=True, slots=True)
class SeatFreed(SeatEmptied):
    """By the host."""

    key: ClassVar[str] = "removed"


@dataclass(frozen=True, slots=True)
class SeatRestored(SeatEntry):
    key: ClassVar[str] = "returned"


@dataclass(frozen=True, slots=True)
class BotSet(SeatEntry):
    key: ClassVar[str] = "bot"

    level: str = ""


@dataclass(frozen=True, slots=True)
class BotRemoved(SeatEntry):
    """``level`` is always empty; it is stored like that of ``BotSet``."""

    key: ClassVar[str] = "bot-back"

    level: str = ""


@dataclass(frozen=True, slots=True)
class GameStarted(TableEntry):
    key: ClassVar[str] = "started"


@dataclass(frozen=True, slots=True)
class GamePaused(TableEntry):
    key: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class GameResumed(TableEntry):
    key: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class TableCalledOff(TableEntry):
    key: ClassVar[str] = "called-off"


@dataclass(frozen=True, slots=True)
class CallOffUndone(TableEntry):
    key: ClassVar[str] = "call-off-undone"


@dataclass(frozen=True, slots=True)
class RulesChanged(TableEntry):
    key: ClassVar[str] = "rules"


@dataclass(frozen=True, slots=True)
class AskedToSit(SeatEntry):
    """Somebody asks to take over from a bot in a running game."""

    key: ClassVar[str] = "asked-to-sit"


@dataclass(frozen=True, slots=True)
class SittingDeclined(SeatEntry):
    key: ClassVar[str] = "not-given"


@dataclass(frozen=True, slots=True)
class SeatClaimed(SeatEntry):
    """Another phone asks for a taken seat."""

    key: ClassVar[str] = "asked-for"


@dataclass(frozen=True, slots=True)
class SeatMoved(SeatEntry):
    key: ClassVar[str] = "moved"


@dataclass(frozen=True, slots=True)
class MoveDeclined(SeatEntry):
    key: ClassVar[str] = "not-moved"


@dataclass(frozen=True, slots=True)
class CohostNamed(SeatEntry):
    key: ClassVar[str] = "cohost"


@dataclass(frozen=True, slots=True)
class CohostRemoved(SeatEntry):
    key: ClassVar[str] = "no-cohost"


@dataclass(frozen=True, slots=True)
class HostChanged(SeatEntry):
    key: ClassVar[str] = "new-host"


@dataclass(frozen=True, slots=True)
class GuestRenamed(SeatEntry):
    key: ClassVar[str] = "renamed"


@dataclass(frozen=True, slots=True)
class UnknownEntry(TableEntry):
    """Of a release that knew more than this one."""

    key: ClassVar[str] = ""


EMPTYING = (SeatLeft.key, SeatFreed.key)
