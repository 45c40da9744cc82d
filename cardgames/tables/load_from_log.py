"""Rebuilds a running game from its log, or goes on with one that this process has read before.

Only the game itself is kept between requests, as the server knows it: what a seat sees is worked out for each request.
"""

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from cardgames.engine import UNDO, Deck, Record, RunningTable, read_deck
from cardgames.engine.stored_record import Row
from cardgames.games import find_game
from cardgames.models import Seat, Table
from cardgames.tables.board_frame import Past
from cardgames.tables.core import entries
from cardgames.tables.core.entries import ChoiceMade
from log.models import Entry
from people.models import Pass, Person
from people.name_validation import inline_name
from people.requester import Who
from prepared_queries import prepared_query

BOT_NAMES = ("Bramble", "Sorrel", "Tansy", "Burdock", "Campion", "Yarrow")
MAX_KEPT = 150  # games in one process


@lru_cache(maxsize=32)
def parse_deck(game: str, rules: int, text: str) -> Deck:
    return read_deck(find_game(game, rules).schema, text)


def choice_rows_of(table: Table) -> tuple[Row, ...]:
    return entries.load_rows(_choice_bodies(table.log_id))


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


class _SeatMemory:
    """The game when a seat's last turn ended, and each move since."""

    __slots__ = ("cut", "events", "moves", "points", "view")

    def __init__(self, now: RunningTable, seat: int) -> None:
        self.cut = len(now.rows)
        self.view, self.events, self.points = now.view(seat), len(now.table.events), _points(now, seat)
        self.moves: list[tuple[int, int, tuple[int, ...]]] = []

    def note_move(self, now: RunningTable, seat: int) -> None:
        count = now.choice_count
        self.moves = [move for move in self.moves if move[0] <= count]  # the others were undone
        self.moves.append((count, len(now.table.events), _points(now, seat)))

    def past(self) -> Past:
        moves = tuple((told, points) for _, told, points in self.moves)
        return Past(self.view, self.events, self.points, moves, is_first=not self.cut)


class PlayedGame(RunningTable):
    """A game with what happened since each seat's last turn. It goes on with every choice."""

    __slots__ = ("_memories", "has_sealed", "length", "stored")

    length: int  # of the table's log when the game was read from it
    stored: int  # rows in that log; sealed answers come after them

    def __init__(self, table: Table, rows: tuple[Row, ...]) -> None:
        self.has_sealed = True  # so nothing is noted yet
        self._memories: dict[int, _SeatMemory] = {}
        cuts = {seat: _end_of_last_turn(rows, table.seats, seat, table.asked) for seat in range(table.seats)}
        first = min(cuts.values())
        super().__init__(find_game(table.game, table.rules), record_of(table, rows[:first]))
        for number in range(first, len(rows) + 1):
            if number > first:
                self._play(rows[number - 1])
                for seat, memory in self._memories.items():
                    memory.note_move(self, seat)
            for seat, cut in cuts.items():
                if cut == number:
                    self._memories[seat] = _SeatMemory(self, seat)
        self.has_sealed = False

    def choose(self, seat: int, key: str, *, stamp: int | None = None) -> None:
        super().choose(seat, key, stamp=stamp)
        self._note_move(seat)

    def undo(self, seat: int, *, stamp: int | None = None) -> None:
        super().undo(seat, stamp=stamp)
        self._note_move(seat)

    def note_written(self, length: int) -> None:
        """All its choices are in the log now, which has this length."""
        self.length, self.stored = length, len(self.rows)

    def play_on(self, rows: tuple[Row, ...]) -> None:
        """Others have chosen."""
        for row in rows:
            self._play(row)

    def _play(self, row: Row) -> None:
        seat, key = row
        if key == UNDO:
            self.undo(seat)
        else:
            self.choose(seat, key)

    def _note_move(self, chooser: int) -> None:
        """What is answered in a window is no move before the window closes; then those of others are moves too."""
        if self.has_sealed:
            return
        if chooser >= 0 and (chooser not in self.asked_seats or self.table.seats == 1):
            self._memories[chooser] = _SeatMemory(self, chooser)
        for seat, memory in self._memories.items():
            if memory.cut < len(self.rows):
                memory.note_move(self, seat)

    def past_of(self, seat: int, rows: Sequence[Row], asked: Collection[int]) -> Past | None:
        """What happened since this seat's last turn, or None if it was not noted when that turn ended."""
        memory = self._memories.get(seat)
        is_noted = memory is not None and memory.cut == _end_of_last_turn(rows, self.table.seats, seat, asked)
        return memory.past() if memory is not None and is_noted else None


class _KeptGames:
    """The games that were read last. Each is the server's own: a seat gets only its view of one.

    Whoever takes a game has it alone, because a choice changes it. They put it back as it is in the log, or not at all.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[int, bytes], PlayedGame] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, table: Table) -> PlayedGame | None:
        with self._lock:
            return self._games.pop(_game_key(table), None)

    def put(self, table: Table, game: PlayedGame) -> None:
        if settings.PLAIN:
            return
        key = _game_key(table)
        with self._lock:
            other = self._games.get(key)
            if other is None or other.length <= game.length:
                self._games[key] = game
                self._games.move_to_end(key)
            while len(self._games) > MAX_KEPT:
                self._games.popitem(last=False)

    def rows_of(self, table: Table) -> tuple[Row, ...] | None:
        """The rows of a kept game that is at least as new as this table."""
        with self._lock:
            game = self._games.get(_game_key(table))
            return tuple(game.rows) if game is not None and game.length >= table.log.length else None

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


kept_games = _KeptGames()


def _game_key(table: Table) -> tuple[int, bytes]:
    """With the seed, so that another table with the same number is never taken for this one."""
    return table.log_id, bytes(table.seed)


def open_game(table: Table, rows: tuple[Row, ...] | None = None) -> tuple[tuple[Row, ...], PlayedGame]:
    """The choices of this version of the table, and the game after them with sealed answers, for the caller alone.

    Entries never change, so a game that was played before goes on with the new ones. Give it to ``keep_game`` when
    nothing reads it any more. With ``rows`` it is played from the beginning.
    """
    length = table.log.length
    game = kept_games.take(table) if rows is None else None
    if game is not None and game.length > length:
        kept_games.put(table, game)
        game = None
    if game is None:
        game = PlayedGame(table, _rows_between(table, 0, length) if rows is None else rows)
    elif game.length < length:
        game.play_on(_rows_between(table, game.length, length))
    game.note_written(length)
    stored = tuple(game.rows)
    if game.window is not None:
        game.has_sealed = True
        apply_sealed_answers(table, game)
    return stored, game


def _rows_between(table: Table, after: int, until: int) -> tuple[Row, ...]:
    return entries.load_rows(_choice_bodies_between(table.log_id, after, until))


@prepared_query
def _choice_bodies_between(log_id: int, after: int, until: int) -> QuerySet[Entry]:
    rows = Entry.objects.filter(log_id=log_id, act=ChoiceMade.key, number__gt=after, number__lte=until)
    return rows.order_by("number").values_list("body", flat=True)


def keep_game(table: Table, running: RunningTable) -> None:
    """Keeps a game of ``open_game`` for the next request, if it is as its log says.

    In a transaction only after the commit: what is rolled back never was. Nobody reads the game after this.
    """
    if not isinstance(running, PlayedGame) or running.has_sealed:
        return
    if running.window is None and running.result is None:
        transaction.on_commit(partial(kept_games.put, table, running))


def replay_to_look_ahead(running: RunningTable) -> RunningTable:
    """Another copy of a game of ``open_game``. What a selected choice would do is played in it; it is never kept."""
    if not isinstance(running, PlayedGame):
        return running
    return RunningTable(running.game, replace(running.record, rows=tuple(running.rows)))


def note_written(running: RunningTable, length: int) -> None:
    """All choices of a game of ``open_game`` are in its log now, which has this length."""
    if isinstance(running, PlayedGame):
        running.note_written(length)


def known_rows_of(table: Table) -> tuple[Row, ...]:
    """The choices up to this version of the table, without a query if a game that has them is kept."""
    rows = kept_games.rows_of(table)
    return choice_rows_of(table) if rows is None else rows


class SeatReplay:
    """The game that a choice was made in, for whoever shows it to the seat afterwards: it need not be read again."""

    running: PlayedGame

    def __init__(self, seat: int) -> None:
        self.seat = seat
        # The version of the log that the game shows, if the choice is all that is new.
        self.version: int | None = None
        self._written: Table | None = None

    def continue_with(self, table: Table, running: PlayedGame, version: int | None) -> None:
        """The table was written. Without a version the game has to be read again."""
        self._written, self.running, self.version = table, running, version

    def bring_up_to_date(self, table: Table, who: Who) -> bool:
        """Makes the table that was read before the choice what it is after it. False if it must be read again."""
        now = self._written
        if now is None or self.version is None or now.state != Table.State.PLAY or now.log.version != table.log.version:
            return False
        seats = seats_seen_by(who, table)
        table.asked, table.asked_at, table.log.version = now.asked, now.asked_at, self.version
        table.log.length = self.running.length
        who.read_once[_seats_key(table)] = seats
        return True


def load_for_seat(table: Table, seat: int, replay: SeatReplay | None = None) -> tuple[RunningTable, Past]:
    """The game as it is now, and what happened since this seat's last turn.

    ``replay`` has the choice that was just made. It is used if nothing has been written since.
    """
    if replay is not None and replay.version == table.log.version:
        game = replay.running
        rows = tuple(game.rows[: game.stored])
    else:
        rows, game = open_game(table)
    past = game.past_of(seat, rows, table.asked)
    if past is None:
        game = open_game(table, rows)[1]
        past = game.past_of(seat, rows, table.asked)
    assert past is not None
    return game, past


def _end_of_last_turn(rows: Sequence[Row], seats: int, seat: int, asked: Collection[int]) -> int:
    return end_of_last_turn(rows, seat, seat in asked) if seats > 1 else len(rows)


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
        answer = entries.load_sealed(body)
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


# What no page of a table shows. Whoever asks for it nevertheless reads it then.
_UNSHOWN = {
    Person: (
        *("invited_by", "masters_may_reset", "joined_to", "joined_by", "joined_at", "credentials_ended_at"),
        *("entry_key", "created_at"),
    ),
    Pass: ("seed", "token_hash", "made_by", "made_at", "label", "uses_left", "expires_at"),
}


def read_table(code: str) -> list[Seat]:
    """The seats of the table with this code, and with them the table and its logs, in one query.

    Every phone asks for this after every move, so it has what each of them shows. The deck, a claim to a seat, a host
    who does not sit here and whom somebody was merged into are read where they are needed.
    """
    seats: list[Seat] = _seats_with_table(code)
    for seat in seats:
        seat.table = table = seats[0].table
        if seat.person is not None and seat.person_id == table.host_id:
            table.host = seat.person
    return seats


@prepared_query
def _seats_with_table(code: str) -> QuerySet[Seat]:
    unshown = [f"person__{name}" for name in _UNSHOWN[Person]] + [f"token__{name}" for name in _UNSHOWN[Pass]]
    unshown += ["table__deck", "table__opening_key", "table__sealed__kind"]
    rows = Seat.objects.filter(table__code=code).select_related("person", "token", "table__log", "table__sealed")
    return rows.defer(*unshown).order_by("number")


@prepared_query
def _seats_with_people(table: int) -> QuerySet[Seat]:
    people = ("person__merged_into", "claim_person__merged_into")
    return Seat.objects.filter(table=table).select_related(*people, "token", "claim").order_by("number")


def remember_seats(who: Who, table: Table, seats: list[Seat]) -> None:
    """They were read with this version of the table: see ``seats_seen_by``."""
    who.read_once[_seats_key(table)] = seats


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
