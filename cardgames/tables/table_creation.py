"""Opening a table: what is agreed at its start, a secret seed, free seats, and a code of four letters."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction

from cardgames.engine import Deck, Record
from cardgames.games import find_game, house_deck, new_table
from cardgames.models import Seat, Table, new_code
from log import door
from people.models import Person
from people.who import Who
from refusal import Refusal

OPEN_MOST = 20
TRIES = 50
NO_CODE = "No free code was found for the table. Try again."


def open_table(
    who: Who,
    *,
    key: str,
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    deck: Deck | None = None,
) -> Table:
    """A table in its lobby. Whoever opens it is its host. The same key opens it once."""
    person = who.must_be_known()
    door.must_be_key(key)
    opening_key = f"{who.ref}/{key}"
    before = Table.objects.filter(opening_key=opening_key).first()
    if before:
        return before
    must_have_room(who)
    deck = deck or house_deck(game)
    seats = seats if seats is not None else find_game(game).seating(deck)[0]
    record = new_table(game, seats, seed=secrets.token_bytes(32), options=options, deck=deck)
    for _ in range(TRIES):
        try:
            return lay(record, person, opening_key, lambda pen: pen.line("opened", actor=person.pk))
        except IntegrityError:  # the same tap twice at the same moment, or a code that is taken
            before = Table.objects.filter(opening_key=opening_key).first()
            if before:
                return before
    raise Refusal(NO_CODE, status=503)


def must_have_room(who: Who) -> None:
    if Table.objects.run_by(who).open().count() >= OPEN_MOST:
        raise Refusal(f"You host {OPEN_MOST} open tables. Finish or call off one of them first.", status=409)


def lay(record: Record, host: Person, opening_key: str, begin: Callable[[door.Pen], Any] | None = None) -> Table:
    """A table with free seats and a code drawn at random, which may be taken: then the database says so, and nothing is left."""
    with transaction.atomic():
        table = Table.objects.create(
            code=new_code(),
            opening_key=opening_key,
            log=door.open_log("table", begin),
            sealed=door.open_log("table-sealed"),
            host=host,
            game=record.game,
            rules=record.version,
            deck=deck_text(record.deck),
            deck_title=record.deck.title,
            seats=record.seats,
            options=dict(record.options),
            seed=record.seed,
        )
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(record.seats))
    return table


def deck_text(deck: Deck) -> str:
    return json.dumps(deck.as_json(), ensure_ascii=False, sort_keys=True)
