"""What a game brings for play with printed cards: a ``Companion`` for the pages, a ``ScorePad`` for paper.

The site draws both without knowing the game. What its words and figures cannot say is a template of the game's own, in
``templates/cardgames/games/<key>/``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from cardgames.engine.cards import Face
from cardgames.engine.deck_data import Deck
from cardgames.engine.randomness import Rng
from refusal import Refusal

if TYPE_CHECKING:
    from cardgames.engine.game_definition import Result, ScoreLine

# Seats and turns of a sheet as it is stored. Every sheet has seats, start, active, turn, ends, out and over; what else
# is in it, the game knows.
State = dict[str, Any]
UNKNOWN_ACT = "The turn tracker does not know this action."


@dataclass(frozen=True, slots=True)
class ScorePad:
    """A score sheet on paper. Each row has a name and what it is worth; each player has all columns."""

    rows: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    worth: str  # over the second column
    about: str
    total: str = ""
    players: int | None = None  # side by side; without it as many as play, at most four


@dataclass(frozen=True, slots=True)
class Figure:
    """What is counted for each player, and what stands beside it. Up to three are chosen, more are typed."""

    key: str
    label: str
    most: int = 99
    charge: str = ""
    tincture: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class FigurePart:
    """One of three numbers that each figure has in some games. It is asked if the players agreed on ``option``."""

    key: str
    label: str
    spoken: str
    option: str = ""


@dataclass(frozen=True, slots=True)
class HiddenCards:
    """The words for cards that phones deal face down."""

    heading: str = "Roles"
    invitation: str = (
        "No role cards, or nobody to shuffle them? Let the phones deal. Each player sees only their own role."
    )
    deal: str = "Deal the roles on phones"
    deal_again: str = "Deal the roles again"
    reveal: str = "Show the roles on every phone"
    hint: str = "Press and hold to see it."
    cover: str = "A hidden role"
    noun: str = "role"
    are_several: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """What phones deal: the cards of each seat, its role first, and those that lie face down in the middle."""

    hands: tuple[tuple[str, ...], ...]
    table: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnDisplay:
    """What happens now, in words."""

    api_name = "SheetTurn"

    sentence: str
    steps: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True, slots=True)
class TurnButton:
    act: str
    label: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on the turn tracker: the seat, card or dice it is about, and new dice to throw."""

    deck: Deck
    rng: Rng
    seat: int | None = None
    what: str = ""
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAct:
    """What a game's own button of the turn tracker changes. ``elsewhere`` refuses it on the sheet of another game."""

    change: Callable[[State, Tap], None]
    while_playing: bool = True
    elsewhere: str = UNKNOWN_ACT


@dataclass(frozen=True, slots=True)
class SheetNow:
    """A score sheet as a game reads it: what everybody may see, and what was entered by hand."""

    deck: Deck
    state: Mapping[str, Any]
    options: Mapping[str, Any]
    names: Sequence[str]
    figures: Sequence[Mapping[str, Any]]
    roles: Sequence[str]
    # What phones dealt to the middle of the table, once it is turned up; None if they dealt nothing there.
    table_cards: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class SheetWarning:
    """Figures that cannot be right, at one seat or at the whole table."""

    text: str
    seat: int | None = None

    def as_json(self) -> Mapping[str, Any]:
        return {"seat": self.seat, "text": self.text}


class ScoreSheetJson(TypedDict):
    """In the API."""

    outcome: str | None
    winners: list[int]
    scores: list[int]
    lines: list[list[Mapping[str, Any]]]
    facts: Mapping[str, Any]
    warnings: list[str | Mapping[str, Any]]
    options: Mapping[str, Any]
    sentence: NotRequired[str]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Totals, and who won as far as it is known: without an outcome there is no winner yet."""

    scores: tuple[int, ...]
    lines: "tuple[tuple[ScoreLine, ...], ...]"
    options: Mapping[str, Any]
    warnings: tuple[SheetWarning | str, ...] = ()
    outcome: str | None = None
    winners: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    # How it ended, with the names of the winners still to fill in.
    sentence: str = ""

    @classmethod
    def of(
        cls, played: "Result", sentence: str, options: Mapping[str, Any], warnings: tuple[SheetWarning | str, ...]
    ) -> "ScoreSheet":
        """The sheet of a result that is certain."""
        return cls(
            played.scores, played.lines, options, warnings, played.outcome, played.winners, played.facts, sentence
        )

    def as_json(self) -> ScoreSheetJson:
        data: ScoreSheetJson = {
            "outcome": self.outcome,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "lines": [[line._asdict() for line in rows] for rows in self.lines],
            "facts": dict(self.facts),
            "warnings": [warning if isinstance(warning, str) else warning.as_json() for warning in self.warnings],
            "options": dict(self.options),
        }
        if self.sentence:
            data["sentence"] = self.sentence
        return data


class Companion:
    """A game beside printed cards. What is here suits a game of turns and points; each game overrides what differs."""

    # Words of the pages.
    counting_help = ""
    count_button = "Count the points"
    points_label = "Points"
    role_label = "Role"
    opening = "Who starts?"
    opening_hint = ""
    leader_label = ""
    hidden: HiddenCards | None = None
    # For the API: what is counted, and what a score depends on beside the counts: a text or a flag, with its meaning.
    counts_help = "figures by name"
    facts: Mapping[str, tuple[type, str]] = {}
    # Options of the game that players agree on for the score, and the one for a shorter game, asked before the set-up.
    agreed: frozenset[str] = frozenset()
    shorter = ""
    shorter_label = ""
    usual_players = 2
    starts_by_chance = True
    shows_steps = False
    # Whether somebody can have won before the game is ended.
    ends_by_points = False
    parts: tuple[FigurePart, ...] = ()
    acts: Mapping[str, TurnAct] = {}
    # Hidden cards that everybody sees.
    open_cards: frozenset[str] = frozenset()

    # ── Set-up ──────────────────────────────────────────────────────────────────────────────────────────

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        """What to do before the first turn, in order."""
        return []

    def set_up_counts(self, deck: Deck, seats: int) -> list[tuple[int, str]]:
        """How many cards the set-up needs."""
        return []

    def set_up_values(self, deck: Deck, seats: int, sent: Mapping[str, str]) -> Mapping[str, object]:
        """What the game's own set-up page draws beside the usual, from what was asked in the address."""
        return {}

    # ── Turns ───────────────────────────────────────────────────────────────────────────────────────────

    def first_seat(self, state: State, tap: Tap) -> int:
        return tap.rng.below(state["seats"]) if tap.seat is None else tap.seat

    def begin(self, state: State) -> None:
        """The first turn has begun: what the game keeps beside whose turn it is."""

    def next_seat(self, state: State, deck: Deck) -> int | None:
        """Whose turn is next; None when the game is over."""
        following: int = (state["active"] + 1) % state["seats"]
        return following

    def begin_turn(self, state: State) -> None:
        """The next player's turn has begun."""

    def turn(self, now: SheetNow) -> TurnDisplay:
        """What the active player does."""
        return TurnDisplay(f"It is {now.names[now.state['active']]}'s turn.")

    def turn_buttons(self, state: Mapping[str, Any]) -> Sequence[TurnButton]:
        """What can be tapped beside the next turn."""
        return ()

    def leader(self, state: Mapping[str, Any]) -> int | None:
        """The seat whose role everybody knows from the start."""
        return None

    def own_values(self, now: SheetNow) -> Mapping[str, object]:
        """What the game's own templates of the sheet draw, as ``own``."""
        return {}

    # ── Hidden cards ────────────────────────────────────────────────────────────────────────────────────

    def deal(self, seats: int, rng: Rng) -> Deal:
        raise NotImplementedError

    def begin_dealt(self, state: State, deal: Deal) -> None:
        """The phones have dealt. Without more, the players say who starts."""
        state |= {"active": None, "turn": 0}

    # ── Score ───────────────────────────────────────────────────────────────────────────────────────────

    def figures(self, deck: Deck) -> Sequence[Figure]:
        raise NotImplementedError

    def roles(self, deck: Deck) -> Sequence[Face]:
        """The roles to choose from where printed cards are dealt."""
        return ()

    def score(self, now: SheetNow) -> ScoreSheet:
        """Points and winner, as a digital table counts them."""
        raise NotImplementedError

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        """The same from what a program sends: counts, and maybe roles, left, agreed and the game's ``facts``."""
        raise NotImplementedError

    def why_no_winner(self, now: SheetNow, result: ScoreSheet) -> str:
        """What is missing before a winner can be named."""
        return "Show the roles to see who has won." if now.state.get("dealt") else "Nobody has won yet."

    def verdict(self, result: ScoreSheet, seat: int) -> str:
        """How it ended for a player where there are no points."""
        return ""


def _mark_deck_empty(state: State, tap: Tap) -> None:
    state["ends"] = True


# For games whose end begins when the deck is empty.
MARK_DECK_EMPTY = TurnAct(_mark_deck_empty)


def choose_agreed(sent: Mapping[str, Any], *choices: str) -> str:
    """What the players agreed about ties; the first if they did not say."""
    agreed = str(sent.get("agreed", choices[0]))
    if agreed not in choices:
        raise Refusal(f"The tie rule is one of: {', '.join(choices)}.", field="agreed")
    return agreed
