"""A table in play. Loading means replaying; choices go through ``choose``; a seat sees ``view`` and ``events``.

The rules of a game are a generator that stops at each question. Say they begin like this:

    def play(t):
        card = yield Question(0, "play", {"fox": fox, "hen": hen})
        t.log_event("played", seat=0, card=card.key)
        guess = yield Question(1, "guess", {"yes": True, "no": False})

Then this is what a table does:

    running = RunningTable(game, record)  # opens the table, runs the rules to their first question, replays the rows
    running.choose(0, "fox")              # sends ``fox`` in; the rules log the event and stop at seat 1's question
    running.rows                          # [(0, "fox")], which the caller stores
    running.choose(0, "hen")              # refused, and nothing changes: seat 1 is asked
    running.undo(0)                       # refused: ``barrier`` is 1, because another seat is asked

Questions of a ``QuestionGroup`` are answered in any order; the answers stay in ``_sealed`` until the last is in. With
printed cards a table stops at ``_chance_needed`` until somebody names what came up. Then its rules run again from the
start, which is how undo works too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from cardgames.engine.game_definition import Game
from cardgames.engine.imagine_hidden_cards import redeal
from cardgames.engine.questions import CLOCK, DEADLINE, HOLD, PASS, Question, QuestionGroup
from cardgames.engine.randomness import ChanceNeeded, ImaginedSource, ManualSource, RandomSource, Rng, SeededSource
from cardgames.engine.seat_reading import EventJson, EventView, SeatReading
from cardgames.engine.seat_view import OPEN
from cardgames.engine.stored_record import UNDO, Record, Row
from cardgames.engine.table_state import GameEnded
from refusal import Refusal

NOT_OFFERED = "You cannot choose that now."
NOT_ASKED = "It is not your turn to choose."
OVER = "This game is over."
MOVED_ON = "The game moved on before your choice arrived, so nothing changed."
NO_UNDO = "This can no longer be undone."
BROKEN = "This table's log does not fit its rules."


class StepJson(TypedDict):
    row: int
    seat: int | None
    key: str | None
    events: list[EventJson]


@dataclass(frozen=True, slots=True)
class GameStep:
    """One choice of a finished game and what it led to, with all cards open; the set-up is step 0."""

    row: int
    seat: int | None
    key: str | None
    events: tuple[EventView, ...]

    def as_json(self) -> StepJson:
        events = [event.as_json() for event in self.events]
        return {"row": self.row, "seat": self.seat, "key": self.key, "events": events}


class RunningTable(SeatReading):
    """One table, replayed and ready. ``version`` counts its stored rows."""

    __slots__ = (
        "_chance_needed",
        "_rows_ahead",
        "_sealed",
        "_send",
        "_source",
        "_timers_done",
        "barrier",
        "events_before",
        "game",
        "group",
        "imagined",
        "quiet",
        "record",
        "result",
        "rows",
        "single",
        "table",
    )

    imagined: bool
    quiet: bool
    _rows_ahead: Iterator[Row]
    _timers_done: set[str]
    _send: Callable[[Any], Question | QuestionGroup]
    _source: Callable[[], RandomSource] | None

    def __init__(
        self, game: Game, record: Record, *, source: Callable[[], RandomSource] | None = None, quiet: bool = False
    ) -> None:
        if record.game != game.key or record.version != game.version:
            raise Refusal(f"These rules are for {game.key} version {game.version}, not for this table.")
        self.game = game
        self.record = record
        self.rows = list(record.rows)
        self.quiet = quiet
        # In an imagined table no clock runs.
        self.imagined = False
        self._source = source
        self._play_from_start(self.line)

    # Playing

    def choose(self, seat: int, key: str, *, stamp: int | None = None) -> None:
        """The seat makes its choice. An illegal one is refused and changes nothing.

        With the ``stamp`` of the ask as the seat saw it, a choice meant for an earlier ask is refused too.
        """
        if stamp is not None and stamp != self.stamp:
            raise Refusal(MOVED_ON, status=409)
        ask = self.single
        if ask is None or ask.seat != seat:
            self._choose_otherwise(seat, key)
            return
        try:
            value = ask.options[key]
        except KeyError:
            raise Refusal(NOT_OFFERED, status=409) from None
        self.rows.append((seat, key))
        table = self.table
        self.events_before.append(len(table.events))
        table.blocks_undo = False
        try:
            asked = self._send(value)
        except (StopIteration, ChanceNeeded, GameEnded) as stop:
            self._stop(stop)
            return
        if type(asked) is not Question:
            self._open_question(asked, seat)
            return
        self.single = asked
        if table.blocks_undo or asked.seat != seat:
            self.barrier = len(self.events_before)

    def _choose_otherwise(self, seat: int, key: str) -> None:
        """A choice while several are asked, while printed cards are named, or when it is not this seat's turn."""
        if self.result is not None:
            raise Refusal(OVER, status=409)
        if self._chance_needed is not None:
            self._name_chance(seat, key)
        elif self.group is not None:
            self._check_sealed(seat, key)
            self.rows.append((seat, key))
            self.events_before.append(len(self.table.events))
            self._seal_answer(seat, key)
        else:
            raise Refusal(NOT_ASKED, status=409)

    def undo(self, seat: int, *, stamp: int | None = None) -> None:
        """Undo the seat's last choice. The row stays in the log, followed by an undo row."""
        if stamp is not None and stamp != self.stamp:
            raise Refusal(MOVED_ON, status=409)
        if not self.can_undo(seat):
            raise Refusal(NO_UNDO, status=409)
        self.rows.append((seat, UNDO))
        self._play_from_start(self.line)

    def pending_timer_keys(self) -> tuple[str, ...]:
        """What the timer still has to do in the open reaction window."""
        window = self.window
        if window is None or self.imagined:
            return ()
        wanted = [HOLD] if window.deadline is None else [HOLD, DEADLINE]
        return tuple(key for key in wanted if key not in self._timers_done)

    def steps(self) -> list[GameStep]:
        """The whole game step by step, all cards open: who chose which key, and what happened."""
        if self.result is None:
            raise Refusal("Only a finished game can be recorded step by step.", status=409)
        events = self.events(OPEN)
        ends = [*self.events_before, len(events)]
        choices: list[tuple[int | None, str | None]] = [(None, None), *self.line]
        return [
            GameStep(number, seat, key, tuple(events[start:end]))
            for number, ((seat, key), start, end) in enumerate(
                zip(choices, [0, *self.events_before], ends, strict=True)
            )
        ]

    def to_record(self) -> Record:
        """The table as it is to be stored now."""
        return replace(self.record, rows=tuple(self.rows))

    # Imagining

    def determinize(self, seat: int, rng: Rng) -> "RunningTable":
        """A table that looks the same to ``seat`` and is otherwise made up: no seed, log or others' sealed answers."""
        world = RunningTable(self.game, replace(self.record, rows=tuple(self.line)), source=self._source, quiet=True)
        redeal(world.table, seat, rng)
        world.table.source = ImaginedSource(rng)
        world.record = replace(self.record, rows=(), seed=b"")
        world.rows, world.events_before, world.barrier = [], [], 0
        world._source = None
        world.imagined = True
        if world.single is not None and world.single.seat != seat:
            world.single.renew_options()
        if world.group is not None:
            world._sealed = {}
            world._timers_done = {HOLD}
            for ask in world.group.asks.values():
                if ask.seat != seat:
                    ask.renew_options()
        return world

    # Inside

    def _play_from_start(self, line: list[Row]) -> None:
        """Plays the whole line from the start."""
        self.events_before = []
        self.barrier = 0
        self.result = None
        self.group = None
        self.single = None
        self._chance_needed = None
        self._sealed = {}
        self._timers_done = set()
        record = self.record
        source: RandomSource
        if self._source is not None:
            source = self._source()
        elif record.manual:
            source = ManualSource(self._next_named)
        else:
            source = SeededSource(record.seed)
        # What is still to be played. Named cards are taken from it in the middle of a step.
        self._rows_ahead = iter(line)
        self.table = self.game.open_table(record.deck, record.seats, record.options, source, self.quiet)
        self.table.ends_at_once = self.game.ends_at_once
        try:
            self._send = self.game.play(self.table).send
        except (ChanceNeeded, GameEnded) as stop:
            self._stop(stop)
        else:
            self._resume(None)
            self._replay_rows()

    def _replay_rows(self) -> None:
        """Takes the stored rows one by one; the common case is spelled out, because every request passes here."""
        table, send, plain, ask = self.table, self._send, Question, self.single
        events, events_before = table.events, self.events_before
        for seat, key in self._rows_ahead:
            if ask is not None and ask.seat == seat and key in (options := ask.options):
                events_before.append(len(events))
                table.blocks_undo = False
                try:
                    asked = send(options[key])
                except (StopIteration, ChanceNeeded, GameEnded) as stop:
                    self._stop(stop)
                    ask = None
                    continue
                if type(asked) is plain:
                    ask = asked
                    if table.blocks_undo or asked.seat != seat:
                        self.barrier = len(events_before)
                    continue
                self._open_question(asked, seat)
            elif self.group is not None:
                try:
                    self._check_sealed(seat, key)
                except Refusal:
                    raise Refusal(BROKEN) from None
                events_before.append(len(events))
                self._seal_answer(seat, key)
            else:
                raise Refusal(BROKEN)
            ask = self.single
        self.single = ask

    def _resume(self, value: Any) -> None:
        """Sends a value that no single seat chose, and takes what the rules ask next."""
        try:
            ask = self._send(value)
        except (StopIteration, ChanceNeeded, GameEnded) as stop:
            self._stop(stop)
            return
        self._open_question(ask, None)

    def _open_question(self, asks: Any, seat: int | None) -> None:
        """Takes what the rules ask after a choice of ``seat``: one question of any kind, or several at once."""
        if isinstance(asks, Question):
            self.single = asks
            self.group = None
            if self.table.blocks_undo or asks.seat != seat:
                self.barrier = len(self.events_before)
            return
        if not isinstance(asks, QuestionGroup):
            raise TypeError("A rule may yield a Question or a QuestionGroup, nothing else.")
        self.single = None
        self.group = asks
        self._sealed = {}
        self._timers_done = {HOLD} if self.imagined else set()
        self.barrier = len(self.events_before)

    def _stop(self, stop: StopIteration | ChanceNeeded | GameEnded) -> None:
        """The rules have come to their end or were ended, or wait for somebody to name what came up."""
        if isinstance(stop, ChanceNeeded):
            self._chance_needed = stop
        else:
            self.result = stop.result if isinstance(stop, GameEnded) else stop.value
        self.single = self.group = None
        self.barrier = len(self.events_before)

    def _check_sealed(self, seat: int, key: str) -> None:
        group = self.group
        assert group is not None
        if seat == CLOCK:
            if key not in self.pending_timer_keys() or (key == DEADLINE and HOLD not in self._timers_done):
                raise Refusal(NOT_OFFERED, status=409)
            return
        ask = group.asks.get(seat)
        if ask is None or seat in self._sealed:
            raise Refusal(NOT_ASKED, status=409)
        if key not in ask.options:
            raise Refusal(NOT_OFFERED, status=409)

    def _seal_answer(self, seat: int, key: str) -> None:
        group = self.group
        assert group is not None
        if seat == CLOCK:
            self._timers_done.add(key)
            if key == DEADLINE:
                for ask in group.asks.values():
                    self._sealed.setdefault(ask.seat, ask.options[PASS])
        else:
            self._sealed[seat] = group.asks[seat].options[key]
        if len(self._sealed) == len(group.asks) and (group.window is None or HOLD in self._timers_done):
            # In the order of the asks, so that who was quickest changes nothing.
            self._resume({seat: self._sealed[seat] for seat in group.asks})

    def _next_named(self) -> str | None:
        """The next stored answer about printed cards, for ``ManualSource``."""
        row = next(self._rows_ahead, None)
        if row is None:
            return None
        self.events_before.append(len(self.table.events))
        return row[1]

    def _name_chance(self, seat: int, key: str) -> None:
        """Somebody says what came up on printed cards; the rules were stopped there, so they are played again."""
        need = self._chance_needed
        assert need is not None
        if seat < 0 or seat >= self.table.seats or need.seat not in (None, seat):
            raise Refusal(NOT_ASKED, status=409)
        if key not in need.keys:
            raise Refusal(NOT_OFFERED, status=409)
        self.rows.append((seat, key))
        self._play_from_start(self.line)
