"""What a seat can read from a table: views, events, sentences, and the whole display."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NotRequired, TypedDict

from cardgames.engine.game_definition import Choice, Game, QuestionDisplay, Result, SeatScore
from cardgames.engine.questions import Question, QuestionGroup, ReactionWindow
from cardgames.engine.randomness import ChanceNeeded
from cardgames.engine.seat_view import OPEN, QuestionView, View, view_of
from cardgames.engine.sentences import SentenceBuilder
from cardgames.engine.stored_record import UNDO, Record, Row, without_undone
from cardgames.engine.table_state import Table
from refusal import Refusal


class EventJson(TypedDict):
    """In the API, and in the record of a finished game."""

    n: int
    key: str
    values: Mapping[str, Any]
    told: bool
    private: NotRequired[Mapping[str, Mapping[str, Any]]]
    sentence: NotRequired[str]


@dataclass(frozen=True, slots=True)
class EventView:
    """Something that happened, as one seat saw it. ``is_private``: this seat was told more than the others.

    ``private`` is set only where all cards are open: what each seat was told.
    """

    number: int
    key: str
    values: Mapping[str, Any]
    is_private: bool = False
    private: Mapping[int, Mapping[str, Any]] | None = None
    sentence: str | None = None

    def as_json(self) -> EventJson:
        data: EventJson = {"n": self.number, "key": self.key, "values": self.values, "told": self.is_private}
        if self.private is not None:
            data["private"] = {str(who): dict(more) for who, more in self.private.items()}
        if self.sentence is not None:
            data["sentence"] = self.sentence
        return data


@dataclass(frozen=True, slots=True)
class SeatDisplay:
    """Everything a page needs for one seat."""

    view: View
    question: QuestionDisplay | None
    waiting: str
    events: tuple[EventView, ...]
    scores: tuple[SeatScore, ...]
    outcome: str

    def as_json(self) -> Mapping[str, Any]:
        view, question = self.view, self.question
        head = {"seat": view.seat, "kind": view.kind, "stamp": view.stamp}
        return {
            "view": view.as_json(),
            "ask": None if question is None else {**head, **question.as_json()},
            "waiting": self.waiting,
            "events": [event.as_json() for event in self.events],
            "standing": [score.as_json() for score in self.scores],
            "outcome": self.outcome,
        }


class SeatReading:
    """Reads from a table; ``RunningTable`` adds playing."""

    __slots__ = ()

    barrier: int
    game: Game
    group: QuestionGroup | None
    events_before: list[int]  # how many events there were before each choice that counts
    record: Record
    result: Result | None
    rows: list[Row]
    single: Question | None
    table: Table
    _sealed: dict[int, Any]
    _chance_needed: ChanceNeeded | None

    @property
    def version(self) -> int:
        return len(self.rows)

    @property
    def line(self) -> list[Row]:
        """The choices that count."""
        return without_undone(self.rows)

    @property
    def last_chooser(self) -> int:
        """Who made the last choice that counts; there must be one."""
        seat, key = self.rows[-1]
        return seat if key != UNDO else self.line[-1][0]

    @property
    def choice_count(self) -> int:
        """How many choices count; quicker than to make the list of them."""
        return len(self.events_before)

    @property
    def stamp(self) -> int:
        """Which ask is open: how many rows were stored when it was put. Sealed answers of others do not change it."""
        if self.group is None:
            return len(self.rows)
        counted, opened_at = 0, 0
        for number, (_, key) in enumerate(self.rows, 1):
            counted += -1 if key == UNDO else 1
            if key != UNDO and counted == self.barrier:
                opened_at = number
        return opened_at

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats being waited for. In a reaction window all of its seats, whether they have answered or not."""
        if self.single is not None:
            return (self.single.seat,)
        group, chance = self.group, self._chance_needed
        if group is None:
            if chance is None:
                return ()
            return tuple(range(self.table.seats)) if chance.seat is None else (chance.seat,)
        if group.window is not None:
            return tuple(group.asks)
        return tuple(seat for seat in group.asks if seat not in self._sealed)

    @property
    def unanswered_seats(self) -> tuple[int, ...]:
        """The seats that have still to answer. Not for showing: in a reaction window it would tell who was quick."""
        group = self.group
        return self.asked_seats if group is None else tuple(seat for seat in group.asks if seat not in self._sealed)

    @property
    def answered_seats(self) -> tuple[int, ...]:
        """Who has given a sealed answer to the open asks."""
        return tuple(self._sealed) if self.group is not None else ()

    @property
    def kind(self) -> str | None:
        """What kind of ask is open; everybody may know that."""
        if self.single is not None:
            return self.single.kind
        if self.group is not None:
            return next(iter(self.group.asks.values())).kind
        return None if self._chance_needed is None else self._chance_needed.kind

    @property
    def window(self) -> ReactionWindow | None:
        """The reaction window that is open, for the ticker that keeps its due times."""
        return None if self.group is None else self.group.window

    def question_for(self, seat: int) -> Question | None:
        """The open ask of this seat, unless it has answered."""
        ask = self.single
        if ask is not None:
            return ask if ask.seat == seat else None
        if self.group is not None:
            return None if seat in self._sealed else self.group.asks.get(seat)
        need = self._chance_needed
        if need is not None and seat >= 0 and need.seat in (None, seat):
            return Question(seat, need.kind, dict.fromkeys(need.keys))
        return None

    def can_undo(self, seat: int) -> bool:
        """Whether the seat may take its last choice back: nothing was learned from it and nobody else was asked."""
        if self.result is not None or seat < 0:
            return False
        if self.group is not None:
            return seat in self._sealed and not self.group.is_final
        return len(self.events_before) > self.barrier and self.last_chooser == seat

    def view(self, seat: int | None) -> View:
        """What a seat may know; None is the spectator's screen. ``OPEN`` shows all and needs a finished game."""
        if seat == OPEN and self.result is None:
            raise Refusal("The cards are revealed when the game is over.", status=403)
        return view_of(self, seat)

    def events(self, seat: int | None, since: int = 0) -> list[EventView]:
        """What this seat saw happen, from event ``since`` on."""
        out = []
        for number, (key, params, private) in enumerate(self.table.events[since:], since):
            if private and seat == OPEN:
                out.append(EventView(number, key, params, private=private))
            elif private and seat is not None and seat in private:
                out.append(EventView(number, key, {**params, **private[seat]}, is_private=True))
            else:
                out.append(EventView(number, key, params))
        return out

    def sentence_builder(self, seat: int | None, names: Sequence[str]) -> SentenceBuilder:
        faces = {face.id: face.name for face in self.game.faces(self.record.deck)}
        return SentenceBuilder(names, faces, None if seat == OPEN else seat, self.game.labels)

    def sentences(self, seat: int | None, names: Sequence[str], since: int = 0) -> list[str]:
        """The same events as sentences."""
        words = self.sentence_builder(seat, names)
        return [
            words.event(self.game.event_sentences, event.key, event.values, event.is_private)
            for event in self.events(seat, since)
        ]

    def question_display(self, seat: int, names: Sequence[str]) -> QuestionDisplay | None:
        """The open ask of this seat, ready to be drawn."""
        view = self.view(seat)
        if view.question is None:
            return None
        words = self.sentence_builder(seat, names)
        if self._chance_needed is not None:
            return _chance_question(view.question, words)
        return self.game.describe_question(view, words, self.record.deck)

    def waiting(self, seat: int | None, names: Sequence[str]) -> str:
        """One sentence for those who are not asked."""
        others = [other for other in self.asked_seats if other != seat]
        if not others or (seat is not None and seat != OPEN and self.question_for(seat) is not None):
            return ""
        text = self.game.waiting_sentences.get(self.kind or "", "{seats} must choose.")
        words = self.sentence_builder(seat, names)
        return words.fill(text, {"seat": others[0], "seats": list(others)})

    def seat_display(self, seat: int | None, names: Sequence[str], since: int = 0) -> SeatDisplay:
        """Everything a page needs for one seat; ``since`` leaves out earlier events."""
        view, words = self.view(seat), self.sentence_builder(seat, names)
        sentences = self.game.event_sentences
        return SeatDisplay(
            view,
            None if seat is None or seat == OPEN else self.question_display(seat, names),
            self.waiting(seat, names),
            tuple(
                replace(event, sentence=words.event(sentences, event.key, event.values, event.is_private))
                for event in self.events(seat, since)
            ),
            tuple(self.game.current_scores(view, self.record.deck)),
            "" if self.result is None else self.outcome(seat, names),
        )

    def outcome(self, seat: int | None, names: Sequence[str]) -> str:
        """How it ended, as one sentence."""
        if self.result is None:
            return ""
        text = self.game.text_of_outcome(self.result)
        values = {**self.result.facts, "winners": list(self.result.winners), "scores": list(self.result.scores)}
        return self.sentence_builder(seat, names).fill(text, values)


def _chance_question(ask: QuestionView, words: SentenceBuilder) -> QuestionDisplay:
    if ask.kind == "die":
        choices = tuple(Choice(key, key.partition(":")[2]) for key in ask.keys)
        return QuestionDisplay("What did the die show?", choices)
    faces = [(key, key.partition(":")[2]) for key in ask.keys]
    return QuestionDisplay(
        "Which card came up?", tuple(Choice(key, words.card(face), card=face) for key, face in faces)
    )
