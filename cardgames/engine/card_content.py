"""What is on a card, ready to draw on screen and paper, and as text for screen readers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.engine.deck_data import Deck


@dataclass(frozen=True, slots=True)
class CardSign:
    """A sign with its figure: a hand and +2. After a slash it counts in scoring only."""

    charge: str
    figure: str = ""
    after_slash: bool = False


@dataclass(frozen=True, slots=True)
class Badge:
    """The sign of a colour: its tincture and a shape of its own."""

    tincture: str
    shape: str


# A sign as a legend explains it; a bare figure is a cost in its coin.
LegendSign = CardSign | Badge | str


@dataclass(frozen=True, slots=True)
class CardContent:
    """One card. ``shape`` goes with the tincture, so that colour never stands alone; ``label`` says it all in words."""

    game: str
    id: str
    kind: str
    name: str
    charge: str
    tincture: str
    label: str
    shape: str = ""
    corner: str = ""
    corner_means: str = ""
    role: str = ""
    text: str = ""
    marks: tuple[CardSign, ...] = ()
    strip: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawings:
    """How a game's cards look. ``legend`` explains the signs of a deck to whoever sees them for the first time.

    ``backs`` are the piles, each with its sign and tincture; a card belongs to the pile that its kind names, or to the
    first. ``to_print`` gives every card of a deck by its face, with its kind where paper says more than the screen;
    without it each card is printed as often as the deck says.
    """

    backs: Mapping[str, tuple[str, str]]
    card_content: Callable[[Any], CardContent]
    legend: Callable[[Mapping[str, CardContent]], Sequence[tuple[LegendSign, str]]]
    to_print: Callable[[Deck], Iterable[tuple[str, str]]] | None = None
