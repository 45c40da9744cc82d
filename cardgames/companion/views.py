"""Pages for printed cards: set-up, whose turn it is, the score sheet, its result, and hidden roles."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardgames import selectors
from cardgames.companion import services, turns_and_roles
from cardgames.companion.display import read_seat_figures, score_of, seat_rows, sheet_now, turn_of
from cardgames.companion.entries import (
    MAX_STEP,
    ChangeTurn,
    EnterFigures,
    NameSeats,
    SaveResult,
    SetOptions,
    StartSheet,
)
from cardgames.drawing import deck_pictures_of
from cardgames.games import find_companion, find_game, house_deck
from cardgames.models import Sheet, SheetSeat
from cardgames.selectors import get_visible_sheet
from live.shared_parts import add_etag, not_modified_response
from log.services import new_key
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from people.login_required import person_required
from people.models import Person
from refusal import Refusal


@require_safe
def companion_page(request: HttpRequest, game: str) -> HttpResponse:
    """The set-up calculator, and the form that starts a score sheet. A game may have a page of its own."""
    companion, definition, sent = find_companion(game), find_game(game), request.GET
    context: dict[str, Any] = {"decks": selectors.usable_copies(request.who, game)}
    try:
        deck = selectors.get_chosen_deck(request.who, game, sent.get("deck", ""))
    except Refusal as refusal:
        deck, context["refusal"] = house_deck(game), refusal
    low, high = definition.seat_limits(deck)
    seats = _parse_number(sent.get("seats"), low, high, min(max(companion.usual_players, low), high))
    brisk = sent.get("brisk") == "on"
    options = services.set_up_options(companion, brisk)
    context |= {
        "game": definition,
        "companion": companion,
        "key": new_key(),
        "seat_range": range(low, high + 1),
        "seats": seats,
        "places": range(seats),
        "all_places": range(high),
        "brisk": brisk,
        "deck_code": sent.get("deck", ""),
        "steps": companion.set_up(deck, seats, options),
        "warnings": definition.warnings(deck, seats, options),
        "counts": companion.set_up_counts(deck, seats),
        "mine": Sheet.objects.visible_to(request.who).filter(game=game)[:5],
        **companion.set_up_values(deck, seats, sent),
    }
    pages = [f"cardgames/games/{definition.key}/companion.html", "cardgames/companion/companion.html"]
    return render(request, pages, context)


def _parse_number(text: str | None, low: int, high: int, otherwise: int) -> int:
    number = parse_int(text or "")
    return number if number is not None and low <= number <= high else otherwise


@require_POST
def create_sheet(request: HttpRequest, game: str) -> HttpResponse:
    sent = request.POST
    low, high = find_game(game).seat_limits(selectors.get_chosen_deck(request.who, game, sent.get("deck", "")))
    seats = _parse_number(sent.get("seats"), low, high, low - 1)
    names = tuple(sent.get(f"name{number}", "") for number in range(seats))
    wanted = StartSheet(game, seats, names, sent.get("deck", ""), brisk=sent.get("brisk") == "on")
    return redirect(services.start_sheet(request, wanted, key=sent.get("key", "")))


@require_POST
def play_again(request: HttpRequest, sheet: str) -> HttpResponse:
    """A new sheet with the same players, for everybody at this one."""
    row = get_visible_sheet(request.who, sheet)
    return redirect(services.play_again(request, row, key=request.POST.get("key", "")))


@require_safe
def sheet_page(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    context = _sheet_context(request, row) | {
        "link": guest_url(row.link.get_absolute_url()) if row.link and row.link.revoked_at is None else None,
        "set_up": find_companion(row.game).set_up(row.read_deck(), row.state["seats"], row.options),
        "people": Person.objects.known_to(request.who).roots().order_by("name")[:200],
        "key": new_key(),
    }
    return render(request, "cardgames/companion/sheet.html", context)


def _sheet_context(request: HttpRequest, row: Sheet) -> dict[str, Any]:
    game, companion, seats = find_game(row.game), find_companion(row.game), seat_rows(row, request.who)
    now = sheet_now(row, seats)
    return {
        "sheet": row,
        "game": game,
        "companion": companion,
        "pack": deck_pictures_of(now.deck),
        "seats": seats,
        "turn": turn_of(row, seats),
        "score": score_of(row, seats),
        "step": row.state.get("step", 0),
        "is_followed": row.state["over"] and Sheet.objects.filter(follows=row).exists(),
        "is_keeper": row.is_kept_by(request.who),
        "options": [option for option in game.options if option.key in companion.agreed],
        "role_faces": companion.roles(now.deck),
        "own": companion.own_values(now),
    }


@require_safe
def sheet_parts(request: HttpRequest, sheet: str) -> HttpResponse:
    """What changes while others enter figures: turn, roles and totals, with forms of this viewer's own."""
    row = get_visible_sheet(request.who, sheet)
    mine = tuple(seat.number for seat in seat_rows(row, request.who) if seat.is_mine)
    if answer := not_modified_response(request, row.log.version, mine, row.is_kept_by(request.who)):
        return answer
    return add_etag(request, render(request, "cardgames/companion/_sheet_parts.html", _sheet_context(request, row)))


@require_POST
def change_turn(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    sent = request.POST
    seat = _parse_number(sent.get("seat"), 0, row.state["seats"] - 1, -1)
    wanted = ChangeTurn(
        turn=sent.get("act", ""),
        seat=None if seat < 0 else seat,
        seen=_parse_number(sent.get("step"), 0, MAX_STEP, -1),
        dice=tuple(_parse_number(sent.get(die), 0, 99, 0) for die in ("white", "black")) if "white" in sent else (),
        what=sent.get("what", ""),
    )
    try:
        turns_and_roles.change_turn(row, request.who, wanted, key=_outbox_key(request))
    except Refusal as refusal:
        if refusal.sentence != services.MOVED_ON:
            raise
    return _changed_response(request, row, "turn")


def _outbox_key(request: HttpRequest) -> str | None:
    """The outbox sends a key. Plain forms need none: they are safe to repeat."""
    return request.POST.get("key")


def _changed_response(request: HttpRequest, row: Sheet, place: str) -> HttpResponse:
    """The changed parts for the outbox, otherwise back to the page."""
    if request.headers.get("X-Outbox"):
        row.log.refresh_from_db()
        return render(request, "cardgames/companion/_sheet_parts.html", _sheet_context(request, row))
    return redirect(f"{row.get_absolute_url()}#{place}")


@require_POST
def enter_scores(request: HttpRequest, sheet: str) -> HttpResponse:
    """Saves all figures of one seat, or what the players agreed. Both are safe to repeat."""
    row = get_visible_sheet(request.who, sheet)
    seat = _parse_number(request.POST.get("seat"), 0, row.state["seats"] - 1, -1)
    if seat >= 0:
        figures = EnterFigures(seat, read_seat_figures(row, request.POST, seat))
        services.enter_figures(row, request.who, figures, key=_outbox_key(request))
    else:
        options = {
            option.key: _parse_option(option, request.POST[option.key])
            for option in find_game(row.game).options
            if option.key in request.POST
        }
        services.set_options(row, request.who, SetOptions(options))
    return _changed_response(request, row, "totals")


def _parse_option(option: Any, text: str) -> Any:
    return next((value for value, _ in option.choices if str(value) == text), option.default)


@require_POST
def rename_seats(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    names = tuple(request.POST.get(f"name{number}", "") for number in range(row.state["seats"]))
    services.rename_seats(row, request.who, NameSeats(names, shuffle=bool(request.POST.get("lots"))))
    return redirect(row)


@person_required
@require_POST
def save_result(request: HttpRequest, sheet: str) -> HttpResponse:
    """Saves the result with its players."""
    row = get_visible_sheet(request.who, sheet)
    people = tuple(request.POST.get(f"who{number}", "") for number in range(row.state["seats"]))
    services.save_result(row, request.who, SaveResult(people), key=request.POST.get("key", ""))
    return redirect(f"{row.get_absolute_url()}#result")


# ── Hidden roles: deal them, take one, look at it, cover it and hand the phone on ──────────────────────────


def _get_seat(sheet: Sheet, place: int) -> SheetSeat:
    return get_object_or_404(sheet.seat_set.all(), number=place - 1)


@require_POST
def deal_roles(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    seen = parse_int(request.POST.get("step", ""))
    turns_and_roles.deal_roles(row, request.who, key=request.POST.get("key", ""), seen=-1 if seen is None else seen)
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
        "faces": turns_and_roles.get_cards_for(request.who, row, seat),
        "pack": deck_pictures_of(row.read_deck()),
        "is_open": is_open,
    }
    return render(request, "cardgames/companion/role.html", context)


@require_POST
def take_role(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    turns_and_roles.take_role(request, row, _get_seat(row, place).number)
    return redirect("cardgames:sheet_role", row.code, place)


@require_POST
def cover_role(request: HttpRequest, sheet: str, place: int) -> HttpResponse:
    """Covers the role and moves on to the next untaken one."""
    row = get_visible_sheet(request.who, sheet)
    seat = _get_seat(row, place)
    turns_and_roles.cover_role(row, request.who, seat.number)
    following = _next_untaken_place(request, row, seat.number)
    return redirect("cardgames:sheet_role", row.code, following) if following else redirect(row)


@require_POST
def reveal_roles(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    turns_and_roles.reveal_roles(row, request.who)
    return redirect(f"{row.get_absolute_url()}#totals")


def _next_untaken_place(request: HttpRequest, sheet: Sheet, number: int) -> int | None:
    """The next seat, clockwise, whose role is untaken."""
    rows = seat_rows(sheet, request.who)
    for step in range(1, len(rows)):
        row = rows[(number + step) % len(rows)]
        if not row.is_taken and not row.is_leader:
            return row.place
    return None
