"""A person's card tables on the home page."""

from collections.abc import Iterator
from typing import Literal

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from cardgames.games import GAMES
from cardgames.models import Seat, Table
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.models import JoinedNumbers, split_numbers
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(table_items, tonight=True)


@prepared_query
def _open_tables(who: Who) -> QuerySet[Table]:
    """With the numbers of their own seats."""
    own = Seat.objects.filter(table=OuterRef("pk"), bot="", person__in=who.person.all_ids() if who.person else ())
    numbers = own.order_by().values("table").annotate(numbers=JoinedNumbers("number")).values("numbers")
    rows = Table.objects.played_or_hosted_by(who).open().annotate(own_seats=Subquery(numbers))
    return rows.defer("deck", "seed")[:MAX_ITEMS]


def table_items(request: HttpRequest) -> Iterator[HomeItem]:
    person = request.who.person
    if person is None:
        return
    ids = person.all_ids()
    for table in _open_tables(WhoWithPasses(request.who)):
        title = GAMES[table.game, table.rules].title
        mine = set(split_numbers(table.own_seats))
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
