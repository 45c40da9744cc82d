"""Opens card tables: options, secret seed, free seats and a four-letter code."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction

from cardgames.engine import Deck, Record
from cardgames.games import find_game, house_deck, new_table
from cardgames.models import Seat, Table, new_code
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core.entries import TableOpened
from cardgames.tables.seats import seat_and_watch_passes
from log import services as log_services
from people import rate_limits
from people.models import Person
from people.requester import Who
from refusal import Refusal

MAX_OPEN_TABLES = 20
CODE_ATTEMPTS = 50
GUEST_TABLE_LIMIT = rate_limits.Limit(
    "guest_tables",
    "tables hosted by newcomers",
    target=rate_limits.Rate(200, 60),
    browser=rate_limits.Rate(5, 60),
    address=rate_limits.Rate(30, 60),
)
NO_CODE = "No free table code was found. Try again."


def open_table(
    who: Who,
    *,
    key: str,
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    deck: Deck | None = None,
) -> Table:
    """Opens a table; whoever opens it is the host. The same key opens it only once."""
    person = who.require_person()
    log_services.check_key(key)
    opening_key = f"{who.ref}/{key}"
    before = Table.objects.filter(opening_key=opening_key).first()
    if before:
        return before
    require_below_table_limit(who)
    deck = deck or house_deck(game)
    seats = seats if seats is not None else find_game(game).seat_limits(deck)[0]
    record = new_table(game, seats, seed=secrets.token_bytes(32), options=options, deck=deck)
    for _ in range(CODE_ATTEMPTS):
        try:
            return create_table(
                record, person, opening_key, lambda writer: append_entry(writer, TableOpened(), actor=person.pk)
            )
        except IntegrityError:  # a double tap, or a code that is taken
            before = Table.objects.filter(opening_key=opening_key).first()
            if before:
                return before
    raise Refusal(NO_CODE, status=503)


def require_below_table_limit(who: Who) -> None:
    if Table.objects.hosted_by(who).open().count() >= MAX_OPEN_TABLES:
        raise Refusal(f"You already host {MAX_OPEN_TABLES} open tables. Finish or call off one first.", status=409)


def create_table(
    record: Record, host: Person, opening_key: str, begin: Callable[[log_services.LogWriter], object] | None = None
) -> Table:
    """Creates a table with free seats and a random code. Raises IntegrityError if the code is taken."""
    with transaction.atomic():
        table = Table.objects.create(
            code=new_code(),
            opening_key=opening_key,
            log=log_services.create_log("table", begin),
            sealed=log_services.create_log("table-sealed"),
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
        seat_and_watch_passes.create_watch_pass(table)
    return table


def deck_text(deck: Deck) -> str:
    return json.dumps(deck.as_json(), ensure_ascii=False, sort_keys=True)
