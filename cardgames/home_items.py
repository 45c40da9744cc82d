"""What card tables lay before people on the home page."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest

from cardgames.games import GAMES
from cardgames.models import Table
from pages import moves
from pages.moves import Move

MOST = 6


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    person = request.who.person
    if person is None:
        return
    ids = person.all_ids()
    tables = Table.objects.of(request.who).open().defer("deck", "seed").prefetch_related("seat_set")
    for table in tables[:MOST]:
        title = GAMES[table.game, table.rules].title
        mine = {seat.number for seat in table.seat_set.all() if seat.person_id in ids and not seat.bot}
        url = table.get_absolute_url()
        if table.state == Table.State.LOBBY:
            text = f"Table {table.code} is gathering."
            waits = "me" if table.host_id in ids else "tonight"
            yield Move(waits, title, text, url, "Go to the table", "c-cards")
        elif mine & set(table.asked) and not table.paused:
            yield Move("me", title, f"It is your turn at table {table.code}.", url, "Play", "c-cards")
        else:
            text = f"Table {table.code} is paused." if table.paused else f"Others choose at table {table.code}."
            yield Move("others", title, text, url, "Watch the table", "c-cards")
