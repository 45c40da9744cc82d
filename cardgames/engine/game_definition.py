"""What a game is to the engine: its rules, its deck's schema, its options, and its words. One frozen row per game."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgames.engine.board import Board, Scene, plain_board
from cardgames.engine.cards import Face
from cardgames.engine.decks import Deck, DeckSchema
from cardgames.engine.options import Option
from cardgames.engine.questions import Question, QuestionGroup
from cardgames.engine.randomness import RandomSource, Rng
from cardgames.engine.sentences import EventSentence, SentenceBuilder
from cardgames.engine.table_state import Table

View = dict[str, Any]


class ScoreLine(NamedTuple):
    """One line of a score: what, how many, how it counts, how much."""

    key: str
    label: str
    detail: str
    points: int


class Result:
    """How a game ended: the outcome by key, who won, each seat's score, and on demand the lines it is made of."""

    __slots__ = ("_explain", "facts", "outcome", "scores", "winners")

    def __init__(
        self,
        outcome: str,
        winners: tuple[int, ...],
        scores: tuple[int, ...],
        explain: Callable[[], Sequence[Sequence[ScoreLine]]],
        facts: Mapping[str, Any],
    ) -> None:
        self.outcome = outcome
        self.winners = winners
        self.scores = scores
        self.facts = facts
        self._explain = explain

    @property
    def lines(self) -> tuple[tuple[ScoreLine, ...], ...]:
        return tuple(tuple(rows) for rows in self._explain())

    def as_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "lines": [[line._asdict() for line in rows] for rows in self.lines],
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class EndingLine:
    """A line of an ending with the values to fill in; ``is_so`` marks the reason that decides."""

    text: str
    values: Mapping[str, Any]
    is_so: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """Seats whose points count together."""

    label: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Who won and why, for the end of a game. Texts are filled in with names by a ``SentenceBuilder``."""

    headline: EndingLine
    reasons: tuple[EndingLine, ...] = ()
    sides: tuple[Side, ...] = ()


Script = Generator[Question | QuestionGroup, Any, Result]
Part = Generator[Question | QuestionGroup, Any, None]


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal choice as it is drawn: its key, its label, and the card, seat or spot it belongs to."""

    key: str
    label: str
    card: str | None = None
    seat: int | None = None
    spot: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"key": self.key, "label": self.label, "card": self.card, "seat": self.seat, "spot": self.spot}


@dataclass(frozen=True, slots=True)
class BlockedChoice:
    """Something one might want to do here and cannot, with the reason."""

    label: str
    why: str
    card: str | None = None
    seat: int | None = None
    spot: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "why": self.why, "card": self.card, "seat": self.seat, "spot": self.spot}


@dataclass(frozen=True, slots=True)
class QuestionDisplay:
    """A question ready to be drawn."""

    prompt: str
    choices: tuple[Choice, ...]
    cannot: tuple[BlockedChoice, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "prompt": self.prompt,
            "choices": [choice.as_json() for choice in self.choices],
            "cannot": [cannot.as_json() for cannot in self.cannot],
        }


@dataclass(frozen=True, slots=True)
class Game:
    """One game. Everything that is shown is worked out from a seat's view, so it can only say what the seat may know.

    ``waiting`` is what the others read while somebody is asked, by kind of ask. ``standing`` gives the visible points
    per seat. ``opinion`` weighs the keys of an ask from the view alone, for the greedy bot. ``worth`` is how good
    a finished game was for a seat, from 0 to 1, for the bot that imagines games to their end. ``follow_ups`` are the
    kinds of question that complete the choice before them: both are chosen on one screen and confirmed together.
    ``outcome_text`` chooses
    among ``outcomes`` where the outcome's key alone does not say enough. ``cautions`` warns before a game with a
    deck, a number of seats and options that would be no fun. ``ending`` tells who won and why.
    """

    key: str
    title: str
    version: int
    blurb: str
    schema: DeckSchema
    options: tuple[Option, ...]
    seating: Callable[[Deck], tuple[int, int]]
    faces: Callable[[Deck], tuple[Face, ...]]
    open: Callable[[Deck, int, Mapping[str, Any], RandomSource, bool], Table]
    play: Callable[[Any], Script]
    lines: Mapping[str, EventSentence]
    waiting: Mapping[str, str]
    outcomes: Mapping[str, str]
    describe: Callable[[View, SentenceBuilder, Deck], QuestionDisplay]
    standing: Callable[[View, Deck], list[dict[str, Any]]]
    opinion: Callable[[View, Deck], Mapping[str, float]]
    worth: Callable[[Result, int], float]
    labels: Mapping[str, str] = field(default_factory=dict)
    layout: Callable[[Scene], Board] = plain_board
    follow_ups: frozenset[str] = frozenset()
    # How players of an imagined game choose, the one who imagines it last; without it, at random. It may look at the
    # imagined table, which is made up anyway.
    hunch: Callable[[Any, Question, Rng, int], str] | None = None
    outcome_text: Callable[[Result], str] | None = None
    ending: Callable[[Result, Mapping[str, Any]], Ending] | None = None
    cautions: Callable[[Deck, int, Mapping[str, Any]], list[str]] = lambda deck, seats, options: []

    def text_of_outcome(self, result: Result) -> str:
        return self.outcome_text(result) if self.outcome_text else self.outcomes[result.outcome]

    def warnings(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        """What is unusual about the deck, and about playing it so."""
        return [*self.schema.warnings(deck), *self.cautions(deck, seats, options)]

    def seat_range(self, deck: Deck) -> range:
        low, high = self.seating(deck)
        return range(low, high + 1)


def pick_best(weights: Mapping[str, float], rng: Rng) -> str:
    """One of the heaviest keys, at random among equals."""
    best = max(weights.values())
    keys: Sequence[str] = [key for key, weight in weights.items() if weight >= best]
    return keys[rng.below(len(keys))]
