"""A person's card tables on the home page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from django.http import HttpRequest

from cardgames.games import GAMES
from cardgames.models import Table
from pages import home_items as pages_home_items
from pages.home_items import HomeItem

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(table_items)


def table_items(request: HttpRequest) -> Iterator[HomeItem]:
    person = request.who.person
    if person is None:
        return
    ids = person.all_ids()
    tables = Table.objects.played_or_hosted_by(request.who).open().defer("deck", "seed").prefetch_related("seat_set")
    for table in tables[:MAX_ITEMS]:
        title = GAMES[table.game, table.rules].title
        mine = {seat.number for seat in table.seat_set.all() if seat.person_id in ids and not seat.bot}
        url = table.get_absolute_url()
        if table.state == Table.State.LOBBY:
            text = f"Table {table.code} is waiting for players."
            group: Literal["me", "tonight"] = "me" if table.host_id in ids else "tonight"
            yield HomeItem(group, title, text, url, "Go to the table", "c-cards", True)
        elif mine & set(table.asked) and not table.paused:
            yield HomeItem("me", title, f"It is your turn at table {table.code}.", url, "Play", "c-cards", True)
        else:
            text = f"Table {table.code} is paused." if table.paused else f"Waiting for others at table {table.code}."
            yield HomeItem("others", title, text, url, "Watch the game", "c-cards", True)
