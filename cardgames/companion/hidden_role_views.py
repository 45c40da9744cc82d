"""Pages of hidden roles: deal them, take one, look at it, cover it and hand the phone on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardgames.companion import hidden_roles, services
from cardgames.companion.display import seat_rows
from cardgames.drawing import deck_pictures_of
from cardgames.games import find_companion, find_game
from cardgames.models import Sheet, SheetSeat
from cardgames.selectors import get_visible_sheet
from pages.number_parsing import parse_int


def _get_seat(sheet: Sheet, place: int) -> SheetSeat:
    return get_object_or_404(sheet.seat_set.all(), number=place - 1)


@require_POST
def deal_roles(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    seen = parse_int(request.POST.get("step", ""))
    hidden_roles.deal_roles(row, request.who, key=request.POST.get("key", ""), seen=-1 if seen is None else seen)
    return redirect(f"{row.get_absolute_url()}#roles")


@never_cache
@require_safe
def role_page(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    """One seat's role: a cover until somebody takes it, then the card on that phone only."""
    row = get_visible_sheet(request.who, sheet)
    seat = _get_seat(row, place)
    companion = find_companion(row.game)
    is_open = row.roles_open or seat.number == companion.leader(row.state)
    context = {
        "sheet": row,
        "game": find_game(row.game),
        "hidden": companion.hidden,
        "seat": seat,
        "next": _next_untaken_place(request, row, seat.number),
    }
    if seat.role and seat.token_id is None and not is_open:
        return render(request, "cardgames/companion/role_cover.html", context)
    context |= {
        "faces": hidden_roles.get_cards_for(request.who, row, seat),
        "pack": deck_pictures_of(services.deck_of(row)),
        "is_open": is_open,
    }
    return render(request, "cardgames/companion/role.html", context)


@require_POST
def take_role(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    hidden_roles.take_role(request, row, _get_seat(row, place).number)
    return redirect("cardgames:sheet_role", row.code, place)


@require_POST
def cover_role(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    """Covers the role and moves on to the next untaken one."""
    row = get_visible_sheet(request.who, sheet)
    seat = _get_seat(row, place)
    hidden_roles.cover_role(row, request.who, seat.number)
    following = _next_untaken_place(request, row, seat.number)
    return redirect("cardgames:sheet_role", row.code, following) if following else redirect(row)


@require_POST
def reveal_roles(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    hidden_roles.reveal_roles(row, request.who)
    return redirect(f"{row.get_absolute_url()}#totals")


def _next_untaken_place(request: HttpRequest, sheet: Sheet, number: int) -> int | None:
    """The next seat, clockwise, whose role is untaken."""
    rows = seat_rows(sheet, request.who)
    for step in range(1, len(rows)):
        row = rows[(number + step) % len(rows)]
        if not row.is_taken and not row.is_leader:
            return row.place
    return None
