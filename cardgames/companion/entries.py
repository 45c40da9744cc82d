"""What people do with a score sheet beside printed cards: as it is sent, and as its log keeps it.

What is written is checked strictly and refused with the field. What is stored is read leniently. A receipt compares an
act's body, so bodies never change: figures stand flat beside the role, and a turn is named in its act.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import dataclass_json
from cardgames.games import SHELF
from dataclass_json import STORED, STRICT, AtMost, Count, Keyed, Reading, Text, Whole, keyed

MAX_SEATS = 12
MAX_NAME = 40
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
Step = Annotated[int, Whole("The step", -1, MAX_STEP)]
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


@keyed("again")
class PlayAgain(Keyed):
    """The next game of the same people has a sheet of its own."""


@keyed("names")
class RenameSeats(Keyed):
    """The names themselves stand on the seats only, and are deleted with the sheet."""


@keyed("scores")
class EnterFigures(Keyed):
    seat: SeatNumber
    figures: SeatFigures


@keyed("options")
class SetOptions(Keyed):
    """What the players agreed about ties and family scoring."""

    api_name = "SetSheetOptions"

    options: Annotated[Mapping[str, str | int | bool], Count("Options", 20)]


@keyed("roles-dealt")
class DealRoles(Keyed): ...


@keyed("role-taken")
class TakeRole(Keyed):
    seat: SeatNumber


@keyed("role-covered")
class CoverRole(Keyed):
    seat: SeatNumber


@keyed("roles-open")
class RevealRoles(Keyed): ...


@dataclass(frozen=True, slots=True)
class ChangeTurn:
    """``seen`` is the step the sender saw, -1 if the page said none; ``what`` names the card or action it is about."""

    turn: TurnWord
    seat: SeatNumber | None
    seen: Step
    dice: Annotated[tuple[Annotated[int, Whole("A die", 0, 99)], ...], Count("Dice", 2)] = ()
    what: Annotated[str, Text("The card or action", 60, empty=True)] = ""

    @property
    def key(self) -> str:
        return f"turn-{self.turn}"


@keyed("")
class UnknownAct(Keyed):
    """Written by a newer release."""


PlainAct = PlayAgain | RenameSeats | SetOptions | DealRoles | TakeRole | CoverRole | RevealRoles
SheetAct = PlainAct | EnterFigures | ChangeTurn


# ── What a program sends beside the key ──────────────────────────────────────────────────────────────────

Label = Annotated[str, Text("A name", 1000, empty=True), AtMost(MAX_NAME)]


@dataclass(frozen=True, slots=True)
class StartSheet:
    """A new sheet. A key sent twice makes one."""

    game: Annotated[str, Text("The game", 40)]
    seats: Annotated[int, Whole("The seats", 1, MAX_SEATS)]
    names: Annotated[tuple[Label, ...], Count("Names", MAX_SEATS)] = ()
    deck: Annotated[str, Text("The deck", 40, empty=True)] = ""
    brisk: bool = False


@dataclass(frozen=True, slots=True)
class SendTurn:
    api_name = "SendSheetTurn"

    turn: ChangeTurn


@dataclass(frozen=True, slots=True)
class SendFigures:
    api_name = "SendSheetFigures"

    figures: EnterFigures


@dataclass(frozen=True, slots=True)
class NameSeats:
    api_name = "NameSheetSeats"

    names: Annotated[tuple[Label, ...], Count("Names", MAX_SEATS)]
    shuffle: bool = False


@dataclass(frozen=True, slots=True)
class SaveResult:
    """Who sat where, by name: somebody you know, or a new guest; empty for nobody."""

    api_name = "SaveSheetResult"

    people: Annotated[tuple[Label, ...], Count("People", MAX_SEATS)] = ()


@dataclass(frozen=True, slots=True)
class DealAgain:
    """``seen`` is the step the sender saw."""

    api_name = "DealSheetRoles"

    seen: Step


# ── As the log keeps it ──────────────────────────────────────────────────────────────────────────────────

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
