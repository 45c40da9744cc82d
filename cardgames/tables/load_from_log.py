"""Rebuilds a running game from its log. Nothing is cached between requests, so no seat sees another's cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from django.db.models import QuerySet

from cardgames.engine import UNDO, Deck, Record, RunningTable, read_deck
from cardgames.engine.stored_record import Row
from cardgames.games import find_game
from cardgames.models import Seat, Table
from cardgames.tables.changes_since import Past
from cardgames.tables.core import codec
from cardgames.tables.core.entries import ChoiceMade
from log.models import Entry
from people.name_validation import inline_name
from people.requester import Who
from prepared_queries import prepared_query

BOT_NAMES = ("Bramble", "Sorrel", "Tansy", "Burdock", "Campion", "Yarrow")


@lru_cache(maxsize=32)
def parse_deck(game: str, rules: int, text: str) -> Deck:
    return read_deck(find_game(game, rules).schema, text)


def choice_rows_of(table: Table) -> tuple[Row, ...]:
    return codec.load_rows(_choice_bodies(table.log_id))


@prepared_query
def _choice_bodies(log_id: int) -> QuerySet[Entry]:
    return Entry.objects.filter(log_id=log_id, act=ChoiceMade.key).order_by("number").values_list("body", flat=True)


def record_of(table: Table, rows: tuple[Row, ...] | None = None) -> Record:
    return Record(
        table.game,
        table.rules,
        parse_deck(table.game, table.rules, table.deck),
        table.seats,
        table.options,
        bytes(table.seed),
        choice_rows_of(table) if rows is None else rows,
    )


def load_running_table(table: Table, rows: tuple[Row, ...] | None = None) -> RunningTable:
    """The game as it is now, including sealed answers."""
    running = RunningTable(find_game(table.game, table.rules), record_of(table, rows))
    if running.window is not None:
        apply_sealed_answers(table, running)
    return running


class SeatReplay:
    """A game played once for one seat: how it is now, and what happened since the seat's last turn.

    A choice is checked and then shown with the same replay: see ``services.submit_choice``.
    """

    running: RunningTable
    _cut: int  # how many rows there were when the seat's last turn ended
    _moves: list[tuple[int, int, tuple[int, ...]]]

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._noted = 0  # rows that ``past`` tells of
        # The version of the log for which ``past`` was asked, if the game can be shown from here.
        self.version: int | None = None
        self._written: Table | None = None

    def load(self, table: Table, rows: tuple[Row, ...]) -> RunningTable:
        self._cut = self._end_of_last_turn(table, rows)
        self.running = RunningTable(find_game(table.game, table.rules), record_of(table, rows[: self._cut]))
        self._begin_here()
        for number, key in rows[self._cut :]:
            if key == UNDO:
                self.running.undo(number)
                self._moves = [move for move in self._moves if move[0] <= self.running.choice_count]
            else:
                self.running.choose(number, key)
            self.note_move()
        self._loaded = len(self._moves), self._noted
        if self.running.window is not None:
            apply_sealed_answers(table, self.running)
        return self.running

    def note_move(self) -> None:
        """One more choice was made."""
        now = self.running
        self._noted += 1
        self._moves.append((now.choice_count, len(now.table.events), _points(now, self.seat)))

    def continue_with(self, table: Table, rows: tuple[Row, ...], version: int, *, in_window: bool) -> None:
        """The table was written: these are its rows now. If others moved after this seat, it has to be loaded anew.

        What is answered in a window is not a move before the window closes; then those of others are moves too.
        """
        cut = self._end_of_last_turn(table, rows)
        if in_window:
            count, self._noted = self._loaded
            del self._moves[count:]
        if cut == len(rows) and cut != self._cut:
            self._cut = cut
            self._begin_here()
        self.version = version if cut == self._cut and self._noted == len(rows) else None
        self._written = table

    def bring_up_to_date(self, table: Table, who: Who) -> bool:
        """Makes the table that was read before the choice what it is after it. False if it must be read again."""
        now = self._written
        if now is None or self.version is None or now.state != Table.State.PLAY or now.log.version != table.log.version:
            return False
        seats = seats_seen_by(who, table)
        table.asked, table.asked_at, table.log.version = now.asked, now.asked_at, self.version
        who.read_once[_seats_key(table)] = seats
        return True

    def past(self) -> Past:
        moves = tuple((told, points) for _, told, points in self._moves)
        return Past(self._then, self._events, self._points, moves, is_first=not self._cut)

    def _begin_here(self) -> None:
        now = self.running
        self._then, self._events, self._points = now.view(self.seat), len(now.table.events), _points(now, self.seat)
        self._moves = []
        self._noted = self._cut

    def _end_of_last_turn(self, table: Table, rows: tuple[Row, ...]) -> int:
        return end_of_last_turn(rows, self.seat, self.seat in table.asked) if table.seats > 1 else len(rows)


def load_for_seat(table: Table, seat: int, replay: SeatReplay | None = None) -> tuple[RunningTable, Past]:
    """The game as it is now, and what happened since this seat's last turn. The rows are played once.

    ``replay`` played the choice that was just made. It is used if nothing has been written since.
    """
    if replay is None or replay.version != table.log.version:
        replay = SeatReplay(seat)
        replay.load(table, choice_rows_of(table))
    return replay.running, replay.past()


def end_of_last_turn(rows: Sequence[Row], seat: int, is_asked: bool) -> int:
    """How many rows there were when this seat's last turn ended; what it chose in the turn it is in does not count."""
    end = len(rows)
    while is_asked and end and rows[end - 1][0] == seat:
        end -= 1
    while end and rows[end - 1][0] != seat:
        end -= 1
    return end


def _points(running: RunningTable, seat: int) -> tuple[int, ...]:
    return tuple(score.points for score in running.game.current_scores(running.view(seat), running.record.deck))


def apply_sealed_answers(table: Table, running: RunningTable) -> None:
    """Applies the answers to the open window that are not in the table's own log yet."""
    stamp = running.stamp
    for body in _choice_bodies(table.sealed_id):
        answer = codec.load_sealed(body)
        if answer.stamp != stamp:
            continue
        if answer.choice == UNDO:
            running.undo(answer.seat)
        else:
            running.choose(answer.seat, answer.choice)


def rewind_to_step(running: RunningTable, step: int) -> RunningTable:
    """A finished game after this many choices."""
    return RunningTable(running.game, replace(running.record, rows=tuple(running.line[:step])))


def seats_of(table: Table) -> list[Seat]:
    seats = _seats_with_people(table.pk)
    for seat in seats:
        seat.table = table
    return seats


@prepared_query
def _seats_with_people(table: int) -> QuerySet[Seat]:
    people = ("person__merged_into", "claim_person__merged_into")
    return Seat.objects.filter(table=table).select_related(*people, "token", "claim").order_by("number")


def _seats_key(table: Table) -> str:
    return f"seats of table {table.pk} at {table.log.version}"


def seats_seen_by(who: Who, table: Table) -> list[Seat]:
    """The same, read once for a requester and a version of the table, however many parts of a page ask."""
    key = _seats_key(table)
    if key not in who.read_once:
        who.read_once[key] = seats_of(table)
    seats: list[Seat] = who.read_once[key]
    return seats


def get_bot_name(number: int, taken: Collection[str] = ()) -> str:
    """The name of the bot on this seat. No bot is called like a person at the table."""
    taken = {name.casefold() for name in taken}
    free = [name for name in BOT_NAMES if name.casefold() not in taken] or list(BOT_NAMES)
    return free[number % len(free)]


def get_seat_name(seat: Seat, people: Collection[str] = ()) -> str:
    """The name of the player or bot, as used in sentences; ``people`` are the names that no bot can have."""
    if seat.person is not None:
        return inline_name(seat.person.root.name)
    return get_bot_name(seat.number, people) if seat.bot else f"Seat {seat.number + 1}"


def get_seat_names(seats: list[Seat]) -> list[str]:
    """One name per seat, no two the same."""
    people = [inline_name(seat.person.root.name) for seat in seats if seat.person is not None]
    names: list[str] = []
    for seat in seats:
        name = get_seat_name(seat, people)
        names.append(f"{name} ({seat.number + 1})" if name in names else name)
    return names


def load_if_begun(table: Table) -> RunningTable | None:
    """The running or finished game, or None before the start."""
    return load_running_table(table) if table.state in (Table.State.PLAY, Table.State.OVER) else None
