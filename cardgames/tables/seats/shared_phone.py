"""Several seats on one phone: a cover lies over the cards until whoever is to see them says so."""

from __future__ import annotations

from django.http import HttpRequest

from cardgames.models import Table
from cardgames.sheet import TableSheet

OPEN = "open_seats"  # by table, the one seat whose cards this browser shows


def open_seat(request: HttpRequest, sheet: TableSheet) -> int | None:
    """The seat whose cards may be shown now. A phone with one seat has no cover, and a finished game hides nothing."""
    seat = request.session.get(OPEN, {}).get(str(sheet.table.pk))
    if seat in sheet.mine:
        return seat
    if len(sheet.mine) == 1 or (sheet.mine and sheet.table.state == Table.State.OVER):
        return next(iter(sheet.mine))
    return None


def is_open(request: HttpRequest, sheet: TableSheet, seat: int) -> bool:
    """Whether this seat's page may be shown: its cover is off, or the game is over and all lies open anyway."""
    over = sheet.table.state == Table.State.OVER and seat in sheet.mine
    return over or open_seat(request, sheet) == seat


def uncover(request: HttpRequest, table: Table, seat: int) -> None:
    kept = {key: value for key, value in request.session.get(OPEN, {}).items() if key != str(table.pk)}
    request.session[OPEN] = dict([*kept.items(), (str(table.pk), seat)][-10:])


def cover(request: HttpRequest, table: Table) -> None:
    opened = request.session.get(OPEN, {})
    if str(table.pk) in opened:
        request.session[OPEN] = {key: value for key, value in opened.items() if key != str(table.pk)}
