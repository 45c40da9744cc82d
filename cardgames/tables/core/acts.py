"""What people do at a card table: one frozen dataclass for each act, from the form or the API to the log's receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, get_args

import dataclass_json
from dataclass_json import AtMost, Clean, Count, OneOf, Says, Schema, Text, Whole
from json_input import MAX_NUMBER

DEFAULT_BOT = "greedy"
MAX_SEATS = 100  # of any table; each game has fewer

SeatCount = Annotated[int, Whole("The number of seats", 1, MAX_SEATS)]
SeatNumber = Annotated[int, Whole("The seat", 0, MAX_SEATS - 1)]
Level = Annotated[str, Text("The bot's level", 20)]
LevelOrNone = Annotated[str, Text("The bot's level", 20, empty=True)]
Name = Annotated[str, Text("The name", 1000), AtMost(200)]
NameOrNone = Annotated[str, Text("The name", 1000, empty=True), AtMost(200)]
DeckCode = Annotated[str, Text("The deck", 16, empty=True)]
GameKey = Annotated[str, Text("The game", 20)]
Options = Annotated[Mapping[Annotated[str, Text("The option", 40)], bool | int | str], Count("Options", 40)]


@dataclass(frozen=True, slots=True)
class HostTable:
    """Open a table; whoever does is its host. Without ``seats`` it has as few as the game allows."""

    key: ClassVar[str] = "open"

    game: GameKey
    seats: SeatCount | None = None
    options: Options = field(default_factory=dict)
    deck: DeckCode = ""  # the code of a deck of one's own


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Other seats, options or cards, before the game begins."""

    key: ClassVar[str] = "rules"

    seats: SeatCount | None = None
    options: Options = field(default_factory=dict)
    deck: DeckCode = ""


@dataclass(frozen=True, slots=True)
class AgreedRules:
    """Changed rules as they are compared when a tap is repeated: complete, and the deck by what is in it."""

    key: ClassVar[str] = ChangeRules.key

    seats: int
    options: Options
    deck: str


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take a free seat, or the first free one; by name for a newcomer or for a friend with the same phone."""

    key: ClassVar[str] = "sit"

    seat: SeatNumber | None = None
    name: NameOrNone = ""


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    key: ClassVar[str] = "leave"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class RestoreSeat:
    """Undo that somebody left or was removed."""

    key: ClassVar[str] = "restore"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class SetBot:
    """Hand a seat to a bot of this level; without a level its player takes it back."""

    key: ClassVar[str] = "bot"

    seat: SeatNumber
    level: LevelOrNone = ""


@dataclass(frozen=True, slots=True)
class FillWithBots:
    key: ClassVar[str] = "fill"

    level: Level = DEFAULT_BOT


@dataclass(frozen=True, slots=True)
class ClaimSeat:
    """Ask for a taken seat with another phone."""

    key: ClassVar[str] = "claim"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class DecideClaim:
    """The host answers a phone that asks for a seat. ``claim`` is the request the host saw."""

    key: ClassVar[str] = "decide"

    seat: SeatNumber
    yes: bool
    claim: Annotated[int, Whole("The request", 0, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class AcceptTransfer:
    """A phone opened the link that moves a seat to it, or came over to the next game."""

    key: ClassVar[str] = "arrive"


@dataclass(frozen=True, slots=True)
class StartGame:
    """With a level, bots play the seats that are still free."""

    key: ClassVar[str] = "start"

    level: LevelOrNone = ""


@dataclass(frozen=True, slots=True)
class SetPaused:
    key: ClassVar[str] = "pause"

    paused: bool


@dataclass(frozen=True, slots=True)
class CallOffTable:
    key: ClassVar[str] = "call-off"


@dataclass(frozen=True, slots=True)
class UndoCallOff:
    key: ClassVar[str] = "undo-call-off"


@dataclass(frozen=True, slots=True)
class SetCohost:
    key: ClassVar[str] = "cohost"

    seat: SeatNumber
    yes: bool


@dataclass(frozen=True, slots=True)
class TakeOverHosting:
    """The player of this seat becomes the host, if the host is away."""

    key: ClassVar[str] = "host"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class FreeSeat:
    key: ClassVar[str] = "remove"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class RenameGuest:
    key: ClassVar[str] = "rename"

    seat: SeatNumber
    name: Name


@dataclass(frozen=True, slots=True)
class StartRematch:
    key: ClassVar[str] = "again"


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer a question of the game. Several choices are one decision: a card and its target."""

    seat: int
    choices: tuple[str, ...]
    stamp: int


@dataclass(frozen=True, slots=True)
class TimerMoves:
    """Bots moved or a reaction window ended; ``due`` names the timer."""

    due: str


# What somebody can send for a table that exists, whatever its state.
SentAct = (
    ChangeRules
    | SitDown
    | LeaveSeat
    | RestoreSeat
    | SetBot
    | FillWithBots
    | ClaimSeat
    | DecideClaim
    | StartGame
    | SetPaused
    | CallOffTable
    | UndoCallOff
    | SetCohost
    | TakeOverHosting
    | FreeSeat
    | RenameGuest
    | StartRematch
)
TableAct = SentAct | AgreedRules | AcceptTransfer | Choose | TimerMoves
ACTS: Mapping[str, type[SentAct]] = {kind.key: kind for kind in get_args(SentAct)}
UNKNOWN_ACT = f"A card table knows these acts: {', '.join(ACTS)}."


def _act_choices() -> Iterable[tuple[str, str]]:
    return [(key, key) for key in ACTS]


# ── What a program sends ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A new table. ``name`` is for somebody who is not logged in."""

    api_name = "OpenCardTable"

    table: HostTable
    name: NameOrNone = ""


@dataclass(frozen=True, slots=True)
class ActAtTable:
    """``body``: the fields of this kind of act."""

    act: Annotated[str, Says(UNKNOWN_ACT), OneOf(_act_choices, UNKNOWN_ACT)]
    body: Annotated[Mapping[str, Any], Says("The body of an act must be an object.")] = field(default_factory=dict)

    @staticmethod
    def schema_variants() -> Mapping[str, Schema]:
        return {
            key: {"act": {"type": "string", "enum": [key]}, "body": dataclass_json.schema(kind)}
            for key, kind in ACTS.items()
        }

    def read(self) -> SentAct:
        """The act, or a refusal: a field is missing, unknown, too long or of the wrong kind."""
        return dataclass_json.read(ACTS[self.act], self.body)


@dataclass(frozen=True, slots=True)
class SendChoice:
    """``choice`` is a key from ``ask``, or "undo"; ``stamp`` is that of the ask it answers."""

    choice: Annotated[str, Text("The choice", 120)]
    stamp: Annotated[int, Whole("The stamp", 0, MAX_NUMBER)]


@dataclass(frozen=True, slots=True)
class JoinTable:
    api_name = "Join"

    code: Annotated[str, Text("The code", 40), "as typed: “jh pp” and “JH-PP” are the same"]
    name: Annotated[NameOrNone, Clean(str.strip), "sit down at once under this name"] = ""
