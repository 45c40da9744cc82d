"""The pieces of a board: frozen data that every page draws alike."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """What a tap on a piece chooses: the whole way to it, and whether it is chosen."""

    value: str
    label: str
    tag: int | None = None
    is_chosen: bool = False
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of thing in a player's row: a sign, how many, and what they are worth."""

    key: str
    label: str
    icon: str
    tincture: str = ""
    count: int = 0
    most: int = 0
    worth: str = ""
    is_full: bool = False
    # How many more or fewer than when this seat last chose.
    since: int = 0
    becomes: str = ""
    pick: Pick | None = None

    @property
    def pips(self) -> list[bool]:
        return [place < self.count for place in range(self.most)]

    @property
    def states(self) -> str:
        """How it stands out, as the stylesheet calls it."""
        chosen = self.pick is not None and self.pick.is_chosen
        named = {
            "is-bare": not self.count,
            "is-full": self.is_full,
            "is-target": self.pick is not None and bool(self.pick.label),
            "is-chosen": chosen,
            "is-result": bool(self.becomes) and (self.pick is None or not self.pick.label),
            "is-new": self.since > 0,
            "is-lost": self.since < 0,
        }
        return " ".join(name for name, holds in named.items() if holds)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    seat: int
    cells: tuple[Cell, ...]
    pick: Pick | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlayerRows:
    """A row for each player, a column for each kind."""

    label: str
    rows: tuple[PlayerRow, ...]
    template: str = "rows"


@dataclass(frozen=True, slots=True)
class Column:
    label: str
    tincture: str
    shape: str


@dataclass(frozen=True, slots=True)
class ScoreCell:
    key: str
    value: str
    detail: str = ""
    since: int = 0
    becomes: str = ""

    @property
    def states(self) -> str:
        named = {"is-none": not self.detail, "is-result": bool(self.becomes), "is-new": self.since > 0}
        return " ".join(name for name, holds in named.items() if holds)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    seat: int
    cells: tuple[ScoreCell, ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """What each player's points are made of."""

    label: str
    columns: tuple[Column, ...]
    rows: tuple[ScoreRow, ...]
    template: str = "score_table"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for cards in the middle, with the top card and how many lie under it."""

    key: str
    face: str = ""
    name: str = ""
    under: int = 0
    beneath: str = ""
    note: str = ""
    is_pale: bool = False
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class SpotRow:
    title: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class SpotRows:
    """The cards in the middle."""

    label: str
    rows: tuple[SpotRow, ...]
    template: str = "spots"


@dataclass(frozen=True, slots=True)
class Clue:
    """Something that may be so; ``is_out`` when this seat knows that it is not, and ``why``."""

    label: str
    icon: str
    why: str = ""
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Clues:
    """What one seat can conclude from what it has seen."""

    label: str
    whose: str
    clues: tuple[Clue, ...]
    after: str = ""
    template: str = "clues"


@dataclass(frozen=True, slots=True)
class Chip:
    """One of many things to choose from, as a line of words: a colony, a reform, a guest at a table."""

    key: str
    name: str
    note: str = ""
    icon: str = ""
    tincture: str = ""
    is_pale: bool = False
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class ChipRow:
    """Things in the middle that would not fit as cards."""

    label: str
    chips: tuple[Chip, ...]
    template: str = "chips"


@dataclass(frozen=True, slots=True)
class RoadStop:
    """A number of points, who has them, and whether the chosen act would lead here."""

    points: int
    seats: tuple[int, ...] = ()
    is_hop: bool = False
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Road:
    """The way to the points that win; the last stop is the target."""

    stops: tuple[RoadStop, ...]
    template: str = "road"


Piece = PlayerRows | ScoreTable | SpotRows | Clues | ChipRow | Road


@dataclass(frozen=True, slots=True)
class FanCard:
    """A card under the thumb. Cards of the same face are one, with their number."""

    key: str
    face: str
    times: int = 1
    note: str = ""
    is_pale: bool = False
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class Fan:
    """The cards under the thumb: the hand, or a row to take from. ``is_small`` leaves room for what lies above."""

    label: str
    cards: tuple[FanCard, ...]
    is_small: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that decides what one can do: influence, moves left."""

    value: int
    label: str


@dataclass(frozen=True, slots=True)
class Secret:
    """A card that only its seat knows, such as a role. Shown while it is held; ``is_open`` when everybody knows it."""

    title: str
    face: str
    words: str
    icon: str
    is_open: bool = False
