"""What a game is to the engine: its options, its results, its questions and words. One frozen row per game."""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cardgames.engine.board import Board, Scene, plain_board
from cardgames.engine.card_content import Drawings
from cardgames.engine.cards import Face
from cardgames.engine.deck_data import Deck, DeckSchema
from cardgames.engine.printed_game import Companion, ScorePad
from cardgames.engine.questions import Question, QuestionGroup
from cardgames.engine.randomness import RandomSource, Rng
from cardgames.engine.seat_view import View
from cardgames.engine.sentences import EventSentence, SentenceBuilder
from cardgames.engine.table_state import Table
from refusal import Refusal
from text import join_list

if TYPE_CHECKING:
    from cardgames.engine.seat_reading import EventView


OptionValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``choices`` are (value, label); the first is the default. ``ledger`` is the rule it belongs to.

    ``seats`` are the numbers of seats it is for, ``choice_seats`` those of single choices; without, it is for all.
    """

    key: str
    label: str
    text: str
    choices: tuple[tuple[OptionValue, str], ...]
    ledger: str
    seats: tuple[int, ...] = ()
    choice_seats: Mapping[OptionValue, tuple[int, ...]] = field(default_factory=dict)

    @property
    def default(self) -> OptionValue:
        return self.choices[0][0]

    def problem(self, value: Any, seats: int) -> str | None:
        """Why this value cannot be had with so many seats. The default always can."""
        if value == self.default:
            return None
        if self.seats and seats not in self.seats:
            return f"{self.label} can only be changed with {join_list(self.seats, 'or')} players."
        allowed = self.choice_seats.get(value)
        if allowed and seats not in allowed:
            label = next(label for choice, label in self.choices if choice == value)
            return f"{self.label}: “{label}” is only for {join_list(allowed, 'or')} players."
        return None


def switch(key: str, label: str, text: str, ledger: str, seats: tuple[int, ...] = ()) -> Option:
    """An option that is off unless switched on."""
    return Option(key, label, text, ((False, "off"), (True, "on")), ledger, seats)


def complete_options(
    options: Sequence[Option], given: Mapping[str, Any], seats: int | None = None
) -> dict[str, OptionValue]:
    """All options with their values: those given, else the defaults. Unknown ones and unknown values are refused.

    With ``seats`` those that are not for this number of seats are refused too.
    """
    known = {option.key for option in options}
    for key in given:
        if key not in known:
            raise Refusal(f"This game has no option {key!r}.", field=str(key))
    settled = {}
    for option in options:
        value = given.get(option.key, option.default)
        if not any(value == choice and type(value) is type(choice) for choice, _ in option.choices):
            raise Refusal(f"{option.label} cannot be set to {value!r}.", field=option.key)
        problem = option.problem(value, seats) if seats is not None else None
        if problem:
            raise Refusal(problem, field=option.key)
        settled[option.key] = value
    return settled


class ScoreLine(NamedTuple):
    """One line of a score: what, how many, how it counts, how much."""

    key: str
    label: str
    detail: str
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The points a seat shows now, and the lines they are made of."""

    seat: int
    points: int
    lines: tuple[ScoreLine, ...] = ()

    def as_json(self) -> Mapping[str, Any]:
        return {"seat": self.seat, "points": self.points, "lines": [line._asdict() for line in self.lines]}


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the outcome by key, who won, each seat's score, and on demand the lines it is made of.

    Scores may be below zero. In a game without points each score is 1 for a win and 0 otherwise, and nobody shows it.
    """

    outcome: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    explain: Callable[[], Sequence[Sequence[ScoreLine]]] = field(compare=False)
    facts: Mapping[str, Any] = field(hash=False)

    @property
    def lines(self) -> tuple[tuple[ScoreLine, ...], ...]:
        return tuple(tuple(rows) for rows in self.explain())

    def as_json(self) -> Mapping[str, Any]:
        return {
            "outcome": self.outcome,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "lines": [[line._asdict() for line in rows] for rows in self.lines],
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class EndingLine:
    """A line of an ending with the values to fill in; ``is_decisive`` marks the reason that decides."""

    text: str
    values: Mapping[str, Any]
    is_decisive: bool = False


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

    api_name = "CardChoice"

    key: str
    label: str
    card: str | None = None
    seat: int | None = None
    spot: str | None = None

    def as_json(self) -> Mapping[str, Any]:
        return {"key": self.key, "label": self.label, "card": self.card, "seat": self.seat, "spot": self.spot}


@dataclass(frozen=True, slots=True)
class BlockedChoice:
    """Something one might want to do here but cannot, with the reason."""

    api_name = "CardBlockedChoice"

    label: str
    why: str
    card: str | None = None
    seat: int | None = None
    spot: str | None = None

    def as_json(self) -> Mapping[str, Any]:
        return {"label": self.label, "why": self.why, "card": self.card, "seat": self.seat, "spot": self.spot}


@dataclass(frozen=True, slots=True)
class QuestionDisplay:
    """A question ready to be drawn."""

    prompt: str
    choices: tuple[Choice, ...]
    blocked: tuple[BlockedChoice, ...] = ()

    def as_json(self) -> Mapping[str, Any]:
        return {
            "prompt": self.prompt,
            "choices": [choice.as_json() for choice in self.choices],
            "cannot": [choice.as_json() for choice in self.blocked],
        }


class Insight(Protocol):
    """What a seat can conclude from the events it was shown."""

    def rate_choices(self, view: View) -> Mapping[str, float]:
        """``Game.rate_choices``, with what is known about the others."""

    def likelihood(self, table: Any) -> float:
        """How likely an imagined table is after what happened, compared with a random one."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game. Everything that is shown is worked out from a seat's view, so it can only say what the seat may know.

    ``waiting_sentences`` tell the others who is asked, by kind of question. ``current_scores`` gives the visible points
    per seat. ``rate_choices`` rates the keys of a question from the view alone, for the bot that looks no further.
    ``value_of_result`` says how good a finished game was for a seat, from 0 to 1, for the bot that plays imagined
    games to their end. ``follow_ups`` are the kinds of question that complete the choice before them: both are chosen
    on one screen and confirmed together. ``outcome_text`` chooses among ``outcome_sentences`` where the outcome's key
    alone does not say enough. ``setup_warnings`` warns of a deck, a number of seats and options that would be no fun.
    ``explain_ending`` says who won and why. ``ends_at_once`` looks at the table after every logged event, and gives the
    result if the game is over in the middle of whatever is going on. ``note_sentences`` are for what a seat was shown
    privately, by the key of the note. ``has_points`` is false where one only wins or loses. ``drawings`` are the
    pictures of its cards; a ``companion`` helps beside printed cards, and a ``score_pad`` is for paper: a game may do
    without them. ``value_of_position`` is ``value_of_result`` for an imagined
    table that is not finished, and such a table is played on for ``imagined_steps`` choices. ``settled_by_rating`` are
    kinds of question that are not worth imagining: their rating decides. ``read_history`` draws conclusions from the
    events that a seat was shown, for the bot that remembers.
    """

    key: str
    title: str
    version: int
    blurb: str
    schema: DeckSchema
    options: tuple[Option, ...]
    seat_limits: Callable[[Deck], tuple[int, int]]
    faces: Callable[[Deck], tuple[Face, ...]]
    open_table: Callable[[Deck, int, Mapping[str, Any], RandomSource, bool], Table]
    play: Callable[[Any], Script]
    event_sentences: Mapping[str, EventSentence]
    waiting_sentences: Mapping[str, str]
    outcome_sentences: Mapping[str, str]
    describe_question: Callable[[View, SentenceBuilder, Deck], QuestionDisplay]
    current_scores: Callable[[View, Deck], list[SeatScore]]
    rate_choices: Callable[[View, Deck], Mapping[str, float]]
    value_of_result: Callable[[Result, int], float]
    labels: Mapping[str, str] = field(default_factory=dict)
    lay_out: Callable[[Scene], Board] = plain_board
    follow_ups: frozenset[str] = frozenset()
    # How players of an imagined game choose, the one who imagines it last; without it, at random. It may look at the
    # imagined table, which is made up anyway.
    choose_quickly: Callable[[Any, Question, Rng, int], str] | None = None
    outcome_text: Callable[[Result], str] | None = None
    explain_ending: Callable[[Result, Mapping[str, Any]], Ending] | None = None
    setup_warnings: Callable[[Deck, int, Mapping[str, Any]], list[str]] = lambda deck, seats, options: []
    ends_at_once: Callable[[Any], Result | None] | None = None
    note_sentences: Mapping[str, str] = field(default_factory=dict)
    has_points: bool = True
    drawings: Drawings | None = None
    companion: Companion | None = None
    score_pad: Callable[[Deck], ScorePad] | None = None
    value_of_position: Callable[[Any, int], float] | None = None
    imagined_steps: int = 150
    settled_by_rating: frozenset[str] = frozenset()
    read_history: "Callable[[View, Deck, Sequence[EventView]], Insight] | None" = None

    def text_of_outcome(self, result: Result) -> str:
        return self.outcome_text(result) if self.outcome_text else self.outcome_sentences[result.outcome]

    def warnings(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        """What is unusual about the deck, and about playing it so."""
        return [*self.schema.warnings(deck), *self.setup_warnings(deck, seats, options)]

    def seat_range(self, deck: Deck) -> range:
        low, high = self.seat_limits(deck)
        return range(low, high + 1)


def pick_best(weights: Mapping[str, float], rng: Rng) -> str:
    """One of the heaviest keys, at random among equals."""
    best = max(weights.values())
    keys: Sequence[str] = [key for key, weight in weights.items() if weight >= best]
    return keys[rng.below(len(keys))]


def lead_of(scores: Sequence[float], seat: int) -> float:
    """How far a seat is before the best of the others."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def value_of_win(result: Result, seat: int, clear_lead: float) -> float:
    """How good a finished game is for a seat: its share of the win, and a little for how clearly."""
    share = 1.0 / len(result.winners) if seat in result.winners else 0.0
    return 0.7 * share + 0.3 / (1.0 + math.exp(-lead_of(result.scores, seat) / clear_lead))
