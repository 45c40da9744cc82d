"""What a game lays out from one seat's view, and what each choice would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cardgames.engine.board.pieces import Fan, FanCard, Figure, Piece, Secret
from cardgames.engine.cards import ZonePerSeatView

if TYPE_CHECKING:
    from cardgames.engine.deck_data import Deck
    from cardgames.engine.game_definition import QuestionDisplay
    from cardgames.engine.seat_view import View
    from cardgames.engine.sentences import SentenceBuilder


class Picture(Protocol):
    """What a layout may know of a card's picture."""

    @property
    def name(self) -> str: ...
    @property
    def charge(self) -> str: ...
    @property
    def tincture(self) -> str: ...
    @property
    def shape(self) -> str: ...


class Pictures(Protocol):
    def picture(self, face: str) -> Picture: ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What a layout is made from. ``chosen`` is the key chosen so far; one that ends with "+" still lacks a card.

    ``past`` is the same seat's view when it last chose, so that the board can show what changed since.
    """

    view: View
    points: Sequence[int]
    words: SentenceBuilder
    deck: Deck
    pictures: Pictures
    question: QuestionDisplay | None = None
    chosen: str = ""
    past: View | None = None


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
    """A table as one seat sees it. ``label`` says whose turn it is, ``title`` what is asked, ``captions``
    what stands beside each name.

    ``hint`` says what can be done while nothing is selected. ``previews`` are the choices of the open question.
    ``chosen`` are pieces that stand out as chosen besides the
    one of the chosen key.
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
    seat = scene.view.seat
    hand = hands.faces(seat) if hands and seat is not None and seat >= 0 else []
    choices = question.choices if question else ()
    return Board(
        label="Your turn",
        title=question.prompt if question else "",
        icon="c-cards",
        fan=Fan("Your hand", hand_cards(hand)) if hand else None,
        faces=tuple(dict.fromkeys(hand)),
        previews=tuple(Preview(choice.key, choice.label) for choice in choices),
    )
