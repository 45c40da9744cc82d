"""Companions for printed cards: set-up, who begins, whose turn it is, the score sheet, and keeping the result."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from cardgames import deck_copies, sheet_turns, sheets
from cardgames.companion_sheet import dice_words, read_seat, score_of, seat_rows, turn_of
from cardgames.drawing import pack_of
from cardgames.engine import Deck, Game
from cardgames.games import find_game, house_deck
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.faces import ROLE_FACES
from cardgames.games.monarchs import companion as monarchs
from cardgames.keeping_by_hand import keep_sheet
from cardgames.models import Sheet
from live.etag import tagged, unchanged
from log.door import new_key
from pages.address import guest_url
from pages.numbers import whole
from people import passes
from people.browser import browser_of
from people.models import Person
from people.wall import known_only
from refusal import Refusal


def visible(request: HttpRequest, code: str) -> Sheet:
    found = Sheet.objects.visible_to(request.who).select_related("log", "link", "result")
    return get_object_or_404(found, code=code)


@require_safe
def start(request: HttpRequest, game: str) -> HttpResponse:
    """The set-up calculator; the same form begins a sheet."""
    found = find_game(game)
    sent = request.GET
    context: dict[str, Any] = {"game": found, "key": new_key(), "decks": deck_copies.usable_by(request.who, game)}
    try:
        deck = deck_copies.chosen(request.who, game, sent.get("deck", ""))
    except Refusal as refusal:
        deck, context["refusal"] = house_deck(game), refusal
    low, high = found.seating(deck)
    seats = _number(sent.get("seats"), low, high, min(2, high) if low < high else low)
    brisk = sent.get("brisk") == "on"
    mine = Sheet.objects.visible_to(request.who).filter(game=game)[:5]
    context |= {
        "seat_range": range(low, high + 1),
        "seats": seats,
        "places": range(seats),
        "brisk": brisk,
        "deck_code": sent.get("deck", ""),
        "steps": set_up(found, deck, seats, brisk),
        "counts": _counts(found, deck, seats),
        "mine": mine,
    }
    return render(request, "cardgames/companion.html", context)


def set_up(game: Game, deck: Deck, seats: int, brisk: bool = False) -> list[str]:
    return menagerie.set_up(deck) if game.key == "menagerie" else monarchs.set_up(seats, deck, brisk)


def _counts(game: Game, deck: Deck, seats: int) -> list[tuple[int, str]]:
    """What must lie ready, as figures."""
    if game.key == "menagerie":
        return [
            (deck.count(("animals", "actions")), "cards in the play deck"),
            (4, "role cards"),
            (2, "animals before each"),
            (3, "cards in each hand"),
        ]
    court = deck.count(("court",))
    each = deck.count(("starting",))
    return [(each * seats, "starting cards"), (court, "court cards"), (8, "of them open"), (5, "cards in each hand")]


def _number(text: str | None, low: int, high: int, otherwise: int) -> int:
    number = whole(text or "")
    return number if number is not None and low <= number <= high else otherwise


@require_POST
def begin(request: HttpRequest, game: str) -> HttpResponse:
    sent = request.POST
    found = find_game(game)
    deck = deck_copies.chosen(request.who, game, sent.get("deck", ""))
    low, high = found.seating(deck)
    seats = _number(sent.get("seats"), low, high, low - 1)
    options = {"brisk_court": True} if found.key == "monarchs" and sent.get("brisk") == "on" else {}
    names = [sent.get(f"name{number}", "") for number in range(max(seats, 0))]
    sheets.BEGUN.spend(request)
    ref = "" if request.who.is_known else f"browser:{browser_of(request).id}"
    sheet = sheets.begin(
        request.who, ref=ref, key=sent.get("key", ""), deck=deck, seats=seats, names=names, options=options
    )
    if sheet.owner is not None:
        passes.hold(request, sheet.owner)
    return redirect(sheet)


@require_safe
def page(request: HttpRequest, sheet: str) -> HttpResponse:
    row = visible(request, sheet)
    brisk = row.options.get("brisk_court", False)
    context = _context(request, row) | {
        "link": guest_url(row.link.get_absolute_url()) if row.link and row.link.revoked_at is None else None,
        "set_up": set_up(find_game(row.game), sheets.deck_of(row), row.state["seats"], brisk),
        "role_faces": ROLE_FACES if row.game == "menagerie" else (),
        "people": Person.objects.in_circle_of(request.who).roots().order_by("name")[:200],
        "key": new_key(),
    }
    return render(request, "cardgames/sheet.html", context)


def _context(request: HttpRequest, row: Sheet) -> dict[str, Any]:
    seats = seat_rows(row, request.who)
    game = find_game(row.game)
    return {
        "sheet": row,
        "game": game,
        "pack": pack_of(sheets.deck_of(row)),
        "seats": seats,
        "turn": turn_of(row, seats),
        "dice": dice_words(row),
        "score": score_of(row, seats),
        "step": row.state.get("step", 0),
        "is_keeper": sheets.is_keeper(request.who, row),
        "options": [option for option in game.options if option.key in ("sum_tie", "tiebreak", "family_scoring")],
    }


@require_safe
def parts(request: HttpRequest, sheet: str) -> HttpResponse:
    """What changes while others enter: the turn, the roles' state and the totals. Each viewer's own, for it holds forms."""
    row = visible(request, sheet)
    mine = tuple(seat.number for seat in seat_rows(row, request.who) if seat.is_mine)
    if answer := unchanged(request, row.log.version, mine, sheets.is_keeper(request.who, row)):
        return answer
    return tagged(request, render(request, "cardgames/_sheet_parts.html", _context(request, row)))


@require_POST
def turn(request: HttpRequest, sheet: str) -> HttpResponse:
    row = visible(request, sheet)
    sent = request.POST
    seat = _number(sent.get("seat"), 0, row.state["seats"] - 1, -1)
    seen = _number(sent.get("step"), 0, 10**6, -1)
    try:
        sheet_turns.turn(
            row,
            request.who,
            sent.get("act", ""),
            seen=seen,
            seat=None if seat < 0 else seat,
            dice=[_number(sent.get(die), 0, 99, 0) for die in ("white", "black")] if "white" in sent else (),
            key=_key(request),
        )
    except Refusal as refusal:
        if refusal.sentence != sheets.MOVED_ON:
            raise
    return _written(request, row, "turn")


def _key(request: HttpRequest) -> str | None:
    """What the outbox sends has a key of its own; a plain form is such that a second sending does no harm."""
    return request.POST.get("key")


def _written(request: HttpRequest, row: Sheet, place: str) -> HttpResponse:
    """What has changed for the outbox, else back to the page."""
    if request.headers.get("X-Outbox"):
        row.log.refresh_from_db()
        return render(request, "cardgames/_sheet_parts.html", _context(request, row))
    return redirect(f"{row.get_absolute_url()}#{place}")


@require_POST
def scores(request: HttpRequest, sheet: str) -> HttpResponse:
    """One seat's figures, all of them each time: sent twice, they say the same. Or what the table agreed."""
    row = visible(request, sheet)
    seat = _number(request.POST.get("seat"), 0, row.state["seats"] - 1, -1)
    if seat >= 0:
        sheets.enter(row, request.who, seat, read_seat(row, request.POST, seat), key=_key(request))
    else:
        options = {
            option.key: _option(option, request.POST[option.key])
            for option in find_game(row.game).options
            if option.key in request.POST
        }
        sheets.agree(row, request.who, options)
    return _written(request, row, "totals")


def _option(option: Any, text: str) -> Any:
    return next((value for value, _ in option.choices if str(value) == text), option.default)


@require_POST
def names(request: HttpRequest, sheet: str) -> HttpResponse:
    row = visible(request, sheet)
    given = [request.POST.get(f"name{number}", "") for number in range(row.state["seats"])]
    if request.POST.get("lots"):
        given = sheets.by_lot(row, given)
    sheets.rename(row, request.who, given)
    return redirect(row)


@known_only
@require_POST
def keep(request: HttpRequest, sheet: str) -> HttpResponse:
    """Keep the result with its people."""
    row = visible(request, sheet)
    seats = seat_rows(row, request.who)
    who_is = [request.POST.get(f"who{seat.number}", "") for seat in seats]
    seconds = int((timezone.now() - row.opened_at).total_seconds())
    keep_sheet(row, request.who, seats, score_of(row, seats), who_is, key=request.POST.get("key", ""), seconds=seconds)
    return redirect(f"{row.get_absolute_url()}#kept")
