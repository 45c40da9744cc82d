"""Pages for printed cards: set-up, whose turn it is, the score sheet, and saving the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from cardgames.companion import services, turns
from cardgames.companion.display import (
    action_slots,
    dice_sentences,
    kings_mood,
    read_seat_figures,
    score_of,
    seat_rows,
    taken_actions,
    turn_of,
)
from cardgames.companion.save_result import save_sheet_result
from cardgames.companion.set_up import set_up_steps
from cardgames.decks import selectors as decks_selectors
from cardgames.drawing import deck_pictures_of
from cardgames.engine import Deck, Face, Game
from cardgames.games import find_companion_game, find_game, house_deck
from cardgames.games.majesty import companion as majesty
from cardgames.games.majesty.salon_arithmetic import LEVELS
from cardgames.games.menagerie.deck_definition import ROLE_FACES
from cardgames.games.moods.deck_definition import MOODS_DEALT, actions_dealt, cards_of
from cardgames.models import Sheet
from cardgames.selectors import get_visible_sheet
from live.etag import add_etag, not_modified_response
from log.services import new_key
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from people.accounts.known_browser_cookie import browser_of
from people.login_required import person_required
from people.models import Person
from people.passes import services as passes_services
from refusal import Refusal

# What the salon calculator asks: name, label, and what it starts with.
SALON_FIGURES = (
    ("of_muse", "Attendees of the reform's muse", 2),
    ("others", "Other attendees", 1),
    ("wealth", "Your wealth", 3),
    ("scandals", "Scandals at your court", 0),
)

# What players agree on beside the cards, by the key of the option.
AGREED_OPTIONS = frozenset({"sum_tie", "tiebreak", "family_scoring", "two_cards_when_same", "paycheck"})


@require_safe
def companion_page(request: HttpRequest, game: str) -> HttpResponse:
    """The set-up calculator, and the form that starts a score sheet."""
    found = find_companion_game(game)
    sent = request.GET
    context: dict[str, Any] = {
        "game": found,
        "key": new_key(),
        "decks": decks_selectors.usable_copies(request.who, game),
    }
    try:
        deck = decks_selectors.get_chosen_deck(request.who, game, sent.get("deck", ""))
    except Refusal as refusal:
        deck, context["refusal"] = house_deck(game), refusal
    if game == "majesty":
        return _majesty_page(request, found, deck, context)
    low, high = found.seat_limits(deck)
    seats = _parse_number(sent.get("seats"), low, high, min(2, high) if low < high else low)
    brisk = sent.get("brisk") == "on"
    mine = Sheet.objects.visible_to(request.who).filter(game=game)[:5]
    context |= {
        "seat_range": range(low, high + 1),
        "seats": seats,
        "places": range(seats),
        "brisk": brisk,
        "deck_code": sent.get("deck", ""),
        "steps": set_up_steps(found, deck, seats, brisk),
        "warnings": found.warnings(deck, seats, {"brisk_court": brisk}),
        "counts": _set_up_counts(found, deck, seats),
        "mine": mine,
    }
    return render(request, "cardgames/companion/companion.html", context)


def _majesty_page(request: HttpRequest, game: Game, deck: Deck, shared: Mapping[str, object]) -> HttpResponse:
    """Set-up and salon calculator, and the form that starts a prestige sheet."""
    sent = request.GET
    low, high = game.seat_limits(deck)
    seats = _parse_number(sent.get("seats"), low, high, min(4, high))
    figures = [
        (name, label, _parse_number(sent.get(name), 0, majesty.MOST, otherwise))
        for name, label, otherwise in SALON_FIGURES
    ]
    salon: dict[str, int] = {name: number for name, _, number in figures}
    level = _parse_number(sent.get("level"), 1, 5, 1)
    level = level if level in LEVELS else 1
    colonies, per_muse = (_parse_optional(sent.get(name), majesty.MOST_CARDS) for name in ("colonies", "per_muse"))
    faux_pas = "faux_pas" in sent
    context = {
        **shared,
        "seat_range": range(low, high + 1),
        "seats": seats,
        "deck_code": sent.get("deck", ""),
        "levels": LEVELS,
        "figures": figures,
        "salon": {"level": level, "faux_pas": faux_pas},
        "odds": majesty.work_out_salon(deck, level=level, faux_pas=faux_pas, **salon),
        "steps": majesty.set_up(deck, seats, colonies=colonies, per_muse=per_muse),
        "own_box": {"colonies": colonies, "per_muse": per_muse},
        "warnings": game.warnings(deck, seats, {}),
        "all_places": range(high),
        "mine": Sheet.objects.visible_to(request.who).filter(game=game.key)[:5],
    }
    return render(request, "cardgames/companion/majesty.html", context)


def _set_up_counts(game: Game, deck: Deck, seats: int) -> list[tuple[int, str]]:
    """How many cards the set-up needs."""
    if game.key == "menagerie":
        return [
            (deck.count(("animals", "actions")), "cards in the play deck"),
            (4, "role cards"),
            (2, "animals per player"),
            (3, "cards in each hand"),
        ]
    if game.key == "moods":
        return [
            (deck.count(("play",)), "play cards"),
            (actions_dealt(deck, seats), "action cards per player"),
            (1, "Muse per player"),
            (MOODS_DEALT[seats], "Moods per player" if MOODS_DEALT[seats] > 1 else "Mood per player"),
        ]
    court = deck.count(("court",))
    each = deck.count(("starting",))
    return [(each * seats, "starting cards"), (court, "court cards"), (8, "of them face up"), (5, "cards in each hand")]


def _parse_number(text: str | None, low: int, high: int, otherwise: int) -> int:
    number = parse_int(text or "")
    return number if number is not None and low <= number <= high else otherwise


def _parse_optional(text: str | None, high: int) -> int | None:
    number = parse_int(text or "")
    return number if number is not None and 0 <= number <= high else None


@require_POST
def create_sheet(request: HttpRequest, game: str) -> HttpResponse:
    sent = request.POST
    found = find_companion_game(game)
    deck = decks_selectors.get_chosen_deck(request.who, game, sent.get("deck", ""))
    low, high = found.seat_limits(deck)
    seats = _parse_number(sent.get("seats"), low, high, low - 1)
    options = {"brisk_court": True} if found.key == "monarchs" and sent.get("brisk") == "on" else {}
    names = [sent.get(f"name{number}", "") for number in range(max(seats, 0))]
    services.SHEET_LIMIT.count_use(request)
    ref = "" if request.who.is_known else f"browser:{browser_of(request).id}"
    sheet = services.create_sheet(
        request.who, ref=ref, key=sent.get("key", ""), deck=deck, seats=seats, names=names, options=options
    )
    if sheet.owner is not None:
        passes_services.hold_pass(request, sheet.owner)
    return redirect(sheet)


@require_POST
def play_again(request: HttpRequest, sheet: str) -> HttpResponse:
    """A new sheet with the same players, for everybody at this one."""
    row = get_visible_sheet(request.who, sheet)
    services.SHEET_LIMIT.count_use(request)
    ref = "" if request.who.is_known else f"browser:{browser_of(request).id}"
    following, held = services.create_next_sheet(row, request.who, key=request.POST.get("key", ""), ref=ref)
    if held is not None:
        passes_services.hold_pass(request, held)
    return redirect(following)


@require_safe
def sheet_page(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    brisk = row.options.get("brisk_court", False)
    context = _sheet_context(request, row) | {
        "link": guest_url(row.link.get_absolute_url()) if row.link and row.link.revoked_at is None else None,
        "set_up": set_up_steps(find_game(row.game), services.deck_of(row), row.state["seats"], brisk),
        "role_faces": _role_faces(row),
        "people": Person.objects.known_to(request.who).roots().order_by("name")[:200],
        "key": new_key(),
    }
    return render(request, "cardgames/companion/sheet.html", context)


def _role_faces(row: Sheet) -> tuple[Face, ...]:
    """The roles or Muses to choose from where printed cards are used."""
    if row.game == "moods":
        return cards_of(services.deck_of(row), "muse")
    return ROLE_FACES if row.game == "menagerie" else ()


def _sheet_context(request: HttpRequest, row: Sheet) -> dict[str, Any]:
    seats = seat_rows(row, request.who)
    game = find_game(row.game)
    deck = services.deck_of(row)
    return {
        "sheet": row,
        "game": game,
        "pack": deck_pictures_of(deck),
        "seats": seats,
        "turn": turn_of(row, seats),
        "dice": dice_sentences(row),
        "score": score_of(row, seats),
        "step": row.state.get("step", 0),
        "is_followed": row.state["over"] and Sheet.objects.filter(follows=row).exists(),
        "is_keeper": services.is_keeper(request.who, row),
        "options": [option for option in game.options if option.key in AGREED_OPTIONS],
    } | _court_context(row, deck)


def _court_context(row: Sheet, deck: Deck) -> dict[str, Any]:
    """What the trackers of Your Majesty and Moods of the Mad King need."""
    if row.game == "majesty":
        active = row.state["active"]
        figures = {"seats": row.state["seats"]}
        if active is not None:
            figures |= {"wealth": row.entered[active].get("wealth", 0), "scandals": row.state["scandals"][active]}
        return {
            "slots": action_slots(row),
            "taken": taken_actions(row),
            "lingering_cards": majesty.lingering_cards(deck),
            "salon_url": f"{reverse('cardgames:companion', args=['majesty'])}?{urlencode(figures)}#calculated",
        }
    if row.game == "moods":
        return {"mood_faces": cards_of(deck, "mood"), "king": kings_mood(row)}
    return {}


@require_safe
def sheet_parts(request: HttpRequest, sheet: str) -> HttpResponse:
    """What changes while others enter figures: turn, roles and totals, with forms of this viewer's own."""
    row = get_visible_sheet(request.who, sheet)
    mine = tuple(seat.number for seat in seat_rows(row, request.who) if seat.is_mine)
    if answer := not_modified_response(request, row.log.version, mine, services.is_keeper(request.who, row)):
        return answer
    return add_etag(request, render(request, "cardgames/companion/_sheet_parts.html", _sheet_context(request, row)))


@require_POST
def change_turn(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    sent = request.POST
    seat = _parse_number(sent.get("seat"), 0, row.state["seats"] - 1, -1)
    seen = _parse_number(sent.get("step"), 0, 10**6, -1)
    try:
        turns.change_turn(
            row,
            request.who,
            sent.get("act", ""),
            seen=seen,
            seat=None if seat < 0 else seat,
            dice=[_parse_number(sent.get(die), 0, 99, 0) for die in ("white", "black")] if "white" in sent else (),
            what=sent.get("what", ""),
            key=_outbox_key(request),
        )
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
        services.enter_figures(
            row, request.who, seat, read_seat_figures(row, request.POST, seat), key=_outbox_key(request)
        )
    else:
        options = {
            option.key: _parse_option(option, request.POST[option.key])
            for option in find_game(row.game).options
            if option.key in request.POST
        }
        services.set_options(row, request.who, options)
    return _changed_response(request, row, "totals")


def _parse_option(option: Any, text: str) -> Any:
    return next((value for value, _ in option.choices if str(value) == text), option.default)


@require_POST
def rename_seats(request: HttpRequest, sheet: str) -> HttpResponse:
    row = get_visible_sheet(request.who, sheet)
    given = [request.POST.get(f"name{number}", "") for number in range(row.state["seats"])]
    if request.POST.get("lots"):
        given = services.shuffle_names(row, given)
    services.rename_seats(row, request.who, given)
    return redirect(row)


@person_required
@require_POST
def save_result(request: HttpRequest, sheet: str) -> HttpResponse:
    """Saves the result with its players."""
    row = get_visible_sheet(request.who, sheet)
    seats = seat_rows(row, request.who)
    who_is = [request.POST.get(f"who{seat.number}", "") for seat in seats]
    seconds = int((timezone.now() - row.opened_at).total_seconds())
    save_sheet_result(
        row, request.who, seats, score_of(row, seats), who_is, key=request.POST.get("key", ""), seconds=seconds
    )
    return redirect(f"{row.get_absolute_url()}#result")
