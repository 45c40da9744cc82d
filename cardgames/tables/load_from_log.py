"""From rows to a table in play. Loading is replaying; nothing is kept between requests, so nothing can be served to a wrong seat."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from cardgames.engine import UNDO, Deck, Live, Record, read_deck
from cardgames.engine.record import Row
from cardgames.games import find_game
from cardgames.models import Seat, Table
from log.models import Entry
from people.names import said

CHOICE = "choice"
BOT_NAMES = ("Bramble", "Sorrel", "Tansy", "Burdock", "Campion", "Yarrow")


@lru_cache(maxsize=32)
def deck_of(game: str, rules: int, text: str) -> Deck:
    return read_deck(find_game(game, rules).schema, text)


def rows_of(table: Table) -> tuple[Row, ...]:
    bodies = Entry.objects.filter(log_id=table.log_id, act=CHOICE).order_by("number").values_list("body", flat=True)
    return tuple((body["seat"], body["key"]) for body in bodies)


def record_of(table: Table, rows: tuple[Row, ...] | None = None) -> Record:
    return Record(
        table.game,
        table.rules,
        deck_of(table.game, table.rules, table.deck),
        table.seats,
        table.options,
        bytes(table.seed),
        rows_of(table) if rows is None else rows,
    )


def load(table: Table, rows: tuple[Row, ...] | None = None) -> Live:
    """The table as it stands now, with what is answered under seal."""
    live = Live(find_game(table.game, table.rules), record_of(table, rows))
    if live.window is not None:
        add_sealed(table, live)
    return live


def add_sealed(table: Table, live: Live) -> None:
    """Answers to the open window that are not in the table's own log yet."""
    stamp = live.stamp
    bodies = Entry.objects.filter(log_id=table.sealed_id, act=CHOICE).order_by("number").values_list("body", flat=True)
    for body in bodies:
        if body["stamp"] != stamp:
            continue
        if body["key"] == UNDO:
            live.undo(body["seat"])
        else:
            live.choose(body["seat"], body["key"])


def at_step(live: Live, step: int) -> Live:
    """The finished table as it stood after so many choices."""
    return Live(live.game, replace(live.record, rows=tuple(live.line[:step])))


def seats_of(table: Table) -> list[Seat]:
    return list(table.seat_set.select_related("person__merged_into", "token", "claim").order_by("number"))


def name_of(seat: Seat) -> str:
    """Whoever sits there, as sentences say it."""
    if seat.person is not None:
        return said(seat.person.root.name)
    return BOT_NAMES[seat.number % len(BOT_NAMES)] if seat.bot else f"Seat {seat.number + 1}"


def names_of(seats: list[Seat]) -> list[str]:
    """One name per seat, no two alike: sentences must tell them apart."""
    names: list[str] = []
    for seat in seats:
        name = name_of(seat)
        names.append(f"{name} ({seat.number + 1})" if name in names else name)
    return names


def live_of(table: Table) -> Live | None:
    """The game itself, once it has begun."""
    return load(table) if table.state in (Table.State.PLAY, Table.State.OVER) else None
