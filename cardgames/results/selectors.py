"""Finished games, for whoever may see them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from cardgames.engine import OPEN
from cardgames.models import Result, Table
from cardgames.results.display import seat_names
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal


def visible_results(who: Who) -> QuerySet[Result]:
    """Ready for ``result_row``."""
    rows: QuerySet[Result] = (
        Result.objects.visible_to(who)
        .select_related("table")
        .prefetch_related("places__person__merged_into")
        .defer("table__deck", "table__seed")
    )
    return rows


def get_finished_game(table: Table) -> tuple[Result, list[str]]:
    """The result of a table and the names of its seats; refused while the game is running."""
    result: Result | None = getattr(table, "result", None)
    if result is None:
        if table.state == Table.State.OVER:
            raise Http404
        raise Refusal("You can watch the replay when the game is over.")
    return result, seat_names(list(result.places.select_related("person__merged_into").order_by("number")))


def parse_viewer(wanted: str, seats: int) -> int | None:
    """Through whose eyes: a seat, everybody's, or the TV's."""
    if wanted == "open":
        return OPEN
    if wanted == "wall":
        return None
    number = parse_int(wanted)
    if number is not None and number < seats:
        return number
    raise Refusal("This table has no such seat.", status=404)
