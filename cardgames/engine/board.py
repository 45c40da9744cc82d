"""What lies on a table, as pieces that every page draws alike, and what each choice would do: a game never draws.

A game's ``lay_out`` gets a ``Scene``, one seat's view and its words, and gives a ``Board``. A tap on a piece chooses
what belongs to it: a ``Preview`` names the piece by its key. Say a seat must give away a cat:

    Board(
        label="Your turn", title="Who gets the cat?", icon="c-cards",
        pieces=(PlayerRows("Dens", (PlayerRow(1, (Cell("1:cat", "Cat", "c-cat", count=1),)),)),),
        previews=(Preview("give:1", "Give it to Tam", piece="1:cat", changes=(Change(1, 3, 5),)),),
    )

The page draws a row for seat 1 with one cat in it. A tap on that cell selects the choice ``give:1``, shows that Tam's
points would go from 3 to 5, and offers the button "Give it to Tam", which sends the choice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cardgames.engine.cards import ZonePerSeatView

if TYPE_CHECKING:
    from cardgames.engine.card_content import CardContent
    from cardgames.engine.deck_data import Deck
    from cardgames.engine.game_definition import QuestionDisplay
    from cardgames.engine.seat_view import View
    from cardgames.engine.sentences import SentenceBuilder

# Pieces


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


# What a board is made from, and the board


class Pictures(Protocol):
    def picture(self, face: str) -> "CardContent": ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What a layout is made from. ``chosen`` is the key chosen so far; one that ends with "+" still lacks a card.

    ``past`` is the same seat's view when it last chose, so that the board can show what changed since.
    """

    view: "View"
    points: Sequence[int]
    words: "SentenceBuilder"
    deck: "Deck"
    pictures: Pictures
    question: "QuestionDisplay | None" = None
    chosen: str = ""
    past: "View | None" = None

    @property
    def turn_label(self) -> str:
        """Whose turn it is, for games with a public ``active``; nobody's before the first turn and after the last."""
        active = self.view.fields["active"]
        if active < 0:
            return ""
        return "Your turn" if active == self.view.seat else f"{self.words.whose(active)} turn"


@dataclass(frozen=True, slots=True)
class Change:
    """The points of a seat before and after something."""

    seat: int
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


# What a draw would bring: success, success if others agree, or failure.
WINS, MAY_WIN, FAILS = "wins", "may-win", "fails"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a choice would do, as far as its seat can know.

    ``piece`` is the key of the piece to tap; without one, the choice is a plain button. ``button`` is the label of the
    button that confirms it, ``short_button`` its label beside another choice of the same piece. ``becomes`` maps
    pieces to what they would show then. ``odds`` are the draws it depends on, each with ``WINS``, ``MAY_WIN`` or
    ``FAILS``.
    """

    key: str
    button: str
    piece: str = ""
    explanation: str = ""
    label: str = ""
    short_button: str = ""
    changes: tuple[Change, ...] = ()
    tag: int | None = None
    becomes: Mapping[str, str] = field(default_factory=dict)
    odds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A table as one seat sees it. ``label`` says whose turn it is, ``title`` what is asked, ``captions`` what stands
    beside each name.

    ``hint`` says what can be done while nothing is selected. ``previews`` are the choices of the open question.
    ``chosen`` are pieces that stand out as chosen besides the one of the chosen key.
    """

    label: str
    title: str
    icon: str
    pieces: tuple[Piece, ...] = ()
    fan: Fan | None = None
    figures: tuple[Figure, ...] = ()
    secret: Secret | None = None
    tallies: tuple[tuple[str, int], ...] = ()
    captions: Mapping[int, str] = field(default_factory=dict)
    active: int = -1
    notes: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    hands: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict)
    previews: tuple[Preview, ...] = ()
    chosen: frozenset[str] = frozenset()
    hint: str = ""

    @property
    def template(self) -> str:
        return "cardgames/tables/board/_board.html"

    @property
    def names_everybody(self) -> bool:
        """Whether everybody has a row with name and points, whatever else lies beside them."""
        return any(piece.template in ("rows", "score_table") for piece in self.pieces)


def hand_cards(faces: Sequence[str | None]) -> tuple[FanCard, ...]:
    """A hand for a fan: each face once."""
    known = [face for face in faces if face is not None]
    return tuple(FanCard(f"hand-{face}", face, known.count(face)) for face in dict.fromkeys(known))


def plain_board(scene: Scene) -> Board:
    """The board of a game that registers no layout: the question, the hand, and a button for each choice."""
    question = scene.question
    hands = next((zone for zone in scene.view.zones if zone.zone == "hand" and isinstance(zone, ZonePerSeatView)), None)
    hand = hands.faces(scene.view.reader) if hands and scene.view.is_player else []
    choices = question.choices if question else ()
    return Board(
        label="Your turn",
        title=question.prompt if question else "",
        icon="c-cards",
        fan=Fan("Your hand", hand_cards(hand)) if hand else None,
        faces=tuple(dict.fromkeys(hand)),
        previews=tuple(Preview(choice.key, choice.label) for choice in choices),
    )
