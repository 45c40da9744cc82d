"""A person's card tables on the home page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from django.db.models import QuerySet
from django.http import HttpRequest

from cardgames.games import GAMES
from cardgames.models import Seat, Table
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.requester import Who
from people.requester_in_queries import WhoWithPasses
from prepared_queries import prepared_query

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(table_items, tonight=True)


@prepared_query
def _open_tables(who: Who) -> QuerySet[Table]:
    return Table.objects.played_or_hosted_by(who).open().defer("deck", "seed")[:MAX_ITEMS]


@prepared_query
def _seats_of(tables: tuple[int, ...]) -> QuerySet[Seat]:
    """Table, number and person of every seat that no bot plays."""
    return Seat.objects.filter(table__in=tables, bot="").values_list("table_id", "number", "person_id")


def table_items(request: HttpRequest) -> Iterator[HomeItem]:
    person = request.who.person
    if person is None:
        return
    ids = person.all_ids()
    tables = _open_tables(WhoWithPasses(request.who))
    seats = _seats_of(tuple(table.pk for table in tables)) if tables else []
    for table in tables:
        title = GAMES[table.game, table.rules].title
        mine = {seat for of, seat, sitter in seats if of == table.pk and sitter in ids}
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
