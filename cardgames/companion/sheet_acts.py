"""What people do with a score sheet beside printed cards, as frozen dataclasses. ``codec`` reads and writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from cardgames.games import SHELF
from dataclass_json import Count, Text, Whole

MAX_SEATS = 12
MAX_STEP = 10**6
MAX_FIGURE = 999

# The turn tracker's own words, and those that games bring.
TURN_WORDS = ("start", "next", "over", "back")
GAME_WORDS = tuple(dict.fromkeys(word for game in SHELF.values() if game.companion for word in game.companion.acts))
if TYPE_CHECKING:
    TurnWord = str
else:
    TurnWord = Literal[(*TURN_WORDS, *GAME_WORDS)]
SeatNumber = Annotated[int, Whole("The seat", 0, MAX_SEATS - 1)]
Figure = Annotated[int, Whole("A figure", 0, MAX_FIGURE)]
FigureName = Annotated[str, Text("The name of a figure", 40)]


def is_turn_word(word: str) -> bool:
    return word in TURN_WORDS or word in GAME_WORDS


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """What one seat has: a number by name, or three numbers by colour; and the role that was entered."""

    counts: Annotated[Mapping[FigureName, Figure], Count("Figures", 40)] = field(default_factory=dict)
    colours: Annotated[Mapping[FigureName, tuple[Figure, Figure, Figure]], Count("Colours", 12)] = field(
        default_factory=dict
    )
    role: Annotated[str, Text("The role", 40, empty=True)] = ""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """The next game of the same people has a sheet of its own."""

    key: ClassVar[str] = "again"


@dataclass(frozen=True, slots=True)
class RenameSeats:
    """The names themselves stand on the seats only, and are deleted with the sheet."""

    key: ClassVar[str] = "names"


@dataclass(frozen=True, slots=True)
class EnterFigures:
    key: ClassVar[str] = "scores"

    seat: SeatNumber
    figures: SeatFigures


@dataclass(frozen=True, slots=True)
class SetOptions:
    """What the players agreed about ties and family scoring."""

    key: ClassVar[str] = "options"

    options: Annotated[Mapping[str, str | int | bool], Count("Options", 20)]


@dataclass(frozen=True, slots=True)
class DealRoles:
    key: ClassVar[str] = "roles-dealt"


@dataclass(frozen=True, slots=True)
class TakeRole:
    key: ClassVar[str] = "role-taken"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class CoverRole:
    key: ClassVar[str] = "role-covered"

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class RevealRoles:
    key: ClassVar[str] = "roles-open"


@dataclass(frozen=True, slots=True)
class ChangeTurn:
    """``seen`` is the step the sender saw, -1 if the page said none; ``what`` names the card or action it is about."""

    turn: TurnWord
    seat: SeatNumber | None
    seen: Annotated[int, Whole("The step", -1, MAX_STEP)]
    dice: Annotated[tuple[Annotated[int, Whole("A die", 0, 99)], ...], Count("Dice", 2)] = ()
    what: Annotated[str, Text("The card or action", 60, empty=True)] = ""

    @property
    def key(self) -> str:
        return f"turn-{self.turn}"


@dataclass(frozen=True, slots=True)
class UnknownAct:
    """Written by a newer release."""

    key: ClassVar[str] = ""


PlainAct = PlayAgain | RenameSeats | SetOptions | DealRoles | TakeRole | CoverRole | RevealRoles
SheetAct = PlainAct | EnterFigures | ChangeTurn
