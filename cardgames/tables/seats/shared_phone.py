"""Several seats on one phone: cards stay covered until the right player uncovers them."""

from __future__ import annotations

from django.http import HttpRequest

from cardgames.models import Table
from cardgames.tables.display import TableDisplay

UNCOVERED = "open_seats"  # by table, the one seat whose cards this browser shows


def get_uncovered_seat(request: HttpRequest, display: TableDisplay) -> int | None:
    """The seat whose cards can be shown. A phone with one seat needs no cover, and a finished game hides nothing."""
    seat = request.session.get(UNCOVERED, {}).get(str(display.table.pk))
    if seat in display.mine:
        return seat
    if len(display.mine) == 1 or (display.mine and display.table.state == Table.State.OVER):
        return next(iter(display.mine))
    return None


def is_uncovered(request: HttpRequest, display: TableDisplay, seat: int) -> bool:
    """Whether this seat's page can be shown: it is uncovered, or the game is over."""
    over = display.table.state == Table.State.OVER and seat in display.mine
    return over or get_uncovered_seat(request, display) == seat


def uncover_seat(request: HttpRequest, table: Table, seat: int) -> None:
    kept = {key: value for key, value in request.session.get(UNCOVERED, {}).items() if key != str(table.pk)}
    request.session[UNCOVERED] = dict([*kept.items(), (str(table.pk), seat)][-10:])


def cover_cards(request: HttpRequest, table: Table) -> None:
    opened = request.session.get(UNCOVERED, {})
    if str(table.pk) in opened:
        request.session[UNCOVERED] = {key: value for key, value in opened.items() if key != str(table.pk)}
