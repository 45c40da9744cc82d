"""Rebuilds a running game from its log. Nothing is cached between requests, so no seat sees another's cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from cardgames.engine import UNDO, Deck, Record, RunningTable, read_deck
from cardgames.engine.stored_record import Row
from cardgames.games import find_game
from cardgames.models import Seat, Table
from cardgames.tables.board_layout import Past
from log.models import Entry
from people.name_validation import inline_name

CHOICE = "choice"
BOT_NAMES = ("Bramble", "Sorrel", "Tansy", "Burdock", "Campion", "Yarrow")


@lru_cache(maxsize=32)
def parse_deck(game: str, rules: int, text: str) -> Deck:
    return read_deck(find_game(game, rules).schema, text)


def choice_rows_of(table: Table) -> tuple[Row, ...]:
    bodies = Entry.objects.filter(log_id=table.log_id, act=CHOICE).order_by("number").values_list("body", flat=True)
    return tuple((body["seat"], body["key"]) for body in bodies)


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


def load_for_seat(table: Table, seat: int) -> tuple[RunningTable, Past]:
    """The game as it is now, and what happened since this seat's last turn. The rows are played once."""
    rows = choice_rows_of(table)
    game, record = find_game(table.game, table.rules), record_of(table, rows)
    cut = end_of_last_turn(rows, seat, seat in table.asked) if table.seats > 1 else len(rows)
    running = RunningTable(game, replace(record, rows=rows[:cut]))
    then, events, points = running.view(seat), len(running.table.events), _points(running, seat)
    moves: list[tuple[int, int, tuple[int, ...]]] = []
    for number, key in rows[cut:]:
        if key == UNDO:
            running.undo(number)
            moves = [move for move in moves if move[0] <= len(running.line)]
        else:
            running.choose(number, key)
        moves.append((len(running.line), len(running.table.events), _points(running, seat)))
    if running.window is not None:
        apply_sealed_answers(table, running)
    return running, Past(then, events, points, tuple((told, now) for _, told, now in moves), is_first=not cut)


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
    bodies = Entry.objects.filter(log_id=table.sealed_id, act=CHOICE).order_by("number").values_list("body", flat=True)
    for body in bodies:
        if body["stamp"] != stamp:
            continue
        if body["key"] == UNDO:
            running.undo(body["seat"])
        else:
            running.choose(body["seat"], body["key"])


def rewind_to_step(running: RunningTable, step: int) -> RunningTable:
    """A finished game after this many choices."""
    return RunningTable(running.game, replace(running.record, rows=tuple(running.line[:step])))


def seats_of(table: Table) -> list[Seat]:
    people = ("person__merged_into", "claim_person__merged_into")
    return list(table.seat_set.select_related(*people, "token", "claim").order_by("number"))


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
