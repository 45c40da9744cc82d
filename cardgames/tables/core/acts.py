"""What people do at a card table: one frozen dataclass for each act, from the form or the API to the log's receipt."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args

import dataclass_json
from dataclass_json import AtMost, Clean, Count, Keyed, OneOf, Says, Schema, Text, Whole, keyed
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


@keyed("open")
class HostTable(Keyed):
    """Open a table; whoever does is its host. Without ``seats`` it has as few as the game allows."""

    game: GameKey
    seats: SeatCount | None = None
    options: Options = field(default_factory=dict)
    deck: DeckCode = ""  # the code of a deck of one's own


@keyed("rules")
class ChangeRules(Keyed):
    """Other seats, options or cards, before the game begins."""

    seats: SeatCount | None = None
    options: Options = field(default_factory=dict)
    deck: DeckCode = ""


@keyed(ChangeRules.key)
class AgreedRules(Keyed):
    """Changed rules as they are compared when a tap is repeated: complete, and the deck by what is in it."""

    seats: int
    options: Options
    deck: str


@keyed("sit")
class SitDown(Keyed):
    """Take a free seat, or the first free one; by name for a newcomer or for a friend with the same phone."""

    seat: SeatNumber | None = None
    name: NameOrNone = ""


@keyed("leave")
class LeaveSeat(Keyed):
    seat: SeatNumber


@keyed("restore")
class RestoreSeat(Keyed):
    """Undo that somebody left or was removed."""

    seat: SeatNumber


@keyed("bot")
class SetBot(Keyed):
    """Hand a seat to a bot of this level; without a level its player takes it back."""

    seat: SeatNumber
    level: LevelOrNone = ""


@keyed("fill")
class FillWithBots(Keyed):
    level: Level = DEFAULT_BOT


@keyed("claim")
class ClaimSeat(Keyed):
    """Ask for a taken seat with another phone."""

    seat: SeatNumber


@keyed("decide")
class DecideClaim(Keyed):
    """The host answers a phone that asks for a seat. ``claim`` is the request the host saw."""

    seat: SeatNumber
    yes: bool
    claim: Annotated[int, Whole("The request", 0, MAX_NUMBER)]


@keyed("arrive")
class AcceptTransfer(Keyed):
    """A phone opened the link that moves a seat to it, or came over to the next game."""


@keyed("start")
class StartGame(Keyed):
    """With a level, bots play the seats that are still free."""

    level: LevelOrNone = ""


@keyed("pause")
class SetPaused(Keyed):
    paused: bool


@keyed("call-off")
class CallOffTable(Keyed): ...


@keyed("undo-call-off")
class UndoCallOff(Keyed): ...


@keyed("cohost")
class SetCohost(Keyed):
    seat: SeatNumber
    yes: bool


@keyed("host")
class TakeOverHosting(Keyed):
    """The player of this seat becomes the host, if the host is away."""

    seat: SeatNumber


@keyed("remove")
class FreeSeat(Keyed):
    seat: SeatNumber


@keyed("rename")
class RenameGuest(Keyed):
    seat: SeatNumber
    name: Name


@keyed("again")
class StartRematch(Keyed): ...


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
