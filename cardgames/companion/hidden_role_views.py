"""Hidden roles on phones: dealt, taken by one browser each, shown while pressed, covered before the phone goes on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardgames import role_dealing, sheets
from cardgames.companion_sheet import seat_rows
from cardgames.companion_views import visible
from cardgames.drawing import pack_of
from cardgames.models import Sheet, SheetSeat
from pages.numbers import whole


def _seat(sheet: Sheet, place: int) -> SheetSeat:
    return get_object_or_404(sheet.seat_set.all(), number=place - 1)


@require_POST
def deal(request: HttpRequest, sheet: str) -> HttpResponse:
    row = visible(request, sheet)
    seen = whole(request.POST.get("step", ""))
    role_dealing.deal(row, request.who, key=request.POST.get("key", ""), seen=-1 if seen is None else seen)
    return redirect(f"{row.get_absolute_url()}#roles")


@never_cache
@require_safe
def role(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    """One seat's role: a cover while nobody has taken it, then the card for the phone that has."""
    row = visible(request, sheet)
    seat = _seat(row, place)
    context = {"sheet": row, "seat": seat, "next": _next(request, row, seat.number)}
    if seat.role and seat.token_id is None and not row.roles_open and seat.number != row.state.get("vizier"):
        return render(request, "cardgames/role_cover.html", context)
    face = role_dealing.role_for(request.who, row, seat)
    context |= {
        "face": face,
        "pack": pack_of(sheets.deck_of(row)),
        "is_open": seat.number == row.state.get("vizier") or row.roles_open,
    }
    return render(request, "cardgames/role.html", context)


@require_POST
def take(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    row = visible(request, sheet)
    role_dealing.take(request, row, _seat(row, place).number)
    return redirect("cardgames:sheet_role", row.code, place)


@require_POST
def seen(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    """Looked at: cover it, and on to the next seat whose role nobody has taken."""
    row = visible(request, sheet)
    seat = _seat(row, place)
    role_dealing.cover(row, request.who, seat.number)
    following = _next(request, row, seat.number)
    return redirect("cardgames:sheet_role", row.code, following) if following else redirect(row)


@require_POST
def lay_open(request: HttpRequest, sheet: str) -> HttpResponse:
    row = visible(request, sheet)
    role_dealing.lay_open(row, request.who)
    return redirect(f"{row.get_absolute_url()}#totals")


def _next(request: HttpRequest, sheet: Sheet, number: int) -> int | None:
    """The next seat, clockwise, whose role waits."""
    rows = seat_rows(sheet, request.who)
    for step in range(1, len(rows)):
        row = rows[(number + step) % len(rows)]
        if not row.is_taken and not row.is_vizier:
            return row.place
    return None
