"""Writes score sheets for printed cards: names, figures, options, the result. Changes go through the sheet's log.

Everybody with the link can write. Turns and hidden roles are in ``turns_and_roles``.
"""

import datetime as dt
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from cardgames.companion import entries
from cardgames.companion.display import ScoreDisplay, score_of, seat_rows
from cardgames.companion.entries import (
    MAX_NAME,
    EnterFigures,
    NameSeats,
    PlayAgain,
    RenameSeats,
    SaveResult,
    SetOptions,
    SheetAct,
    StartSheet,
)
from cardgames.companion.models import SHEET_LASTS, empty_state
from cardgames.engine import Deck, complete_options
from cardgames.engine.printed_game import Companion
from cardgames.engine.randomness import shuffle_list
from cardgames.games import find_companion, find_game, house_deck
from cardgames.models import Result, Sheet, SheetSeat
from cardgames.results.services import save_printed_result
from cardgames.selectors import get_chosen_deck
from chance import Dice
from log import services as log_services
from log.models import Log
from people import guests as guests_services, rate_limits
from people.accounts.log_ins import browser_of
from people.models import Person
from people.name_validation import clean_text
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

SHEET_LIMIT = rate_limits.Limit(
    "sheets",
    "new score sheets",
    target=rate_limits.Rate(60, 60),
    browser=rate_limits.Rate(30, 60),
    address=rate_limits.Rate(200, 60),
)
NO_ROLES = "This game has no roles. Leave the role out."
MOVED_ON = "The game has moved on. This is how it looks now."

Change = Callable[[Sheet, dict[int, SheetSeat]], None]


def set_up_options(companion: Companion, is_short: bool) -> dict[str, bool]:
    """The options asked before the set-up: whether the game is to be shorter, if it can be."""
    return {companion.shorter: True} if companion.shorter and is_short else {}


def new_dice() -> Dice:
    return Dice(secrets.token_bytes(16))


# ── Beginning ────────────────────────────────────────────────────────────────────────────────────────────


def start_sheet(request: HttpRequest, wanted: StartSheet, *, key: str) -> Sheet:
    """A new sheet for this browser, which holds its pass."""
    companion = find_companion(wanted.game)
    deck = get_chosen_deck(request.who, wanted.game, wanted.deck)
    SHEET_LIMIT.count_use(request)
    sheet = create_sheet(
        request.who,
        ref=_browser_ref(request),
        key=key,
        deck=deck,
        seats=wanted.seats,
        names=wanted.names,
        options=set_up_options(companion, wanted.brisk),
    )
    if sheet.owner is not None:
        passes_services.hold_pass(request, sheet.owner)
    return sheet


def play_again(request: HttpRequest, sheet: Sheet, *, key: str) -> Sheet:
    """A new sheet for the same people, deck and options, made once however many phones ask.

    This browser holds the keeper's pass if it made the sheet, otherwise the link's.
    """
    SHEET_LIMIT.count_use(request)
    log_services.check_key(key)
    if not sheet.state["over"]:
        raise Refusal("You can play again when this game is over.", status=409)
    who, ref = request.who, _browser_ref(request)
    following = Sheet.objects.filter(follows=sheet).first()
    if following is None:
        following = create_sheet(
            who,
            key=key,
            deck=sheet.read_deck(),
            seats=sheet.state["seats"],
            names=[seat.label for seat in sheet.seat_set.all()],
            options=sheet.options,
            ref=ref,
            follows=sheet,
        )
        write_sheet(sheet, who, PlayAgain(), lambda now, seats: None)
    is_maker = following.begun_key == f"{ref or who.ref}/{key}"
    if held := following.owner if is_maker else following.link:
        passes_services.hold_pass(request, held)
    return following


def _browser_ref(request: HttpRequest) -> str:
    """Who a guest is: ``who.ref`` of a guest changes with the passes they hold."""
    return "" if request.who.is_known else f"browser:{browser_of(request).id}"


def create_sheet(
    who: Who,
    *,
    key: str,
    deck: Deck,
    seats: int,
    names: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    ref: str = "",
    follows: Sheet | None = None,
) -> Sheet:
    """Creates a sheet. The browser that creates it holds ``sheet.owner``; others use ``sheet.link``."""
    game = find_game(deck.game)
    find_companion(game.key)
    log_services.check_key(key)
    begun_key = f"{ref or who.ref}/{key}"
    before = Sheet.objects.filter(begun_key=begun_key).first()
    if before:
        return before
    if seats not in game.seat_range(deck):
        low, high = game.seat_limits(deck)
        raise Refusal(f"{game.title} is for {f'{low}' if low == high else f'{low} to {high}'} players.", field="seats")
    try:
        with transaction.atomic():
            sheet = Sheet.objects.create(
                begun_key=begun_key,
                log=log_services.create_log("card_sheet"),
                keeper=who.person,
                follows=follows,
                game=game.key,
                deck=deck.text,
                deck_title=deck.title,
                options=dict(complete_options(game.options, options or {})),
                state=empty_state(seats),
                entered=[{} for _ in range(seats)],
            )
            SheetSeat.objects.bulk_create(
                SheetSeat(sheet=sheet, number=number, label=_clean_label(names[number] if number < len(names) else ""))
                for number in range(seats)
            )
            sheet.link = passes_services.create_pass(
                Sheet.PASS, sheet.pk, by=who, label=game.title, lasts=SHEET_LASTS, uses=None
            )
            sheet.owner = passes_services.create_pass(
                Sheet.KEEPER_PASS, sheet.pk, by=None, label=game.title, lasts=SHEET_LASTS, uses=1
            )
            sheet.save(update_fields=["link", "owner"])
    except IntegrityError:  # a double tap, or two phones at once
        return Sheet.objects.get(follows=follows) if follows else Sheet.objects.get(begun_key=begun_key)
    return sheet


def _clean_label(text: str) -> str:
    label = clean_text(text).strip()
    if len(label) > MAX_NAME:
        raise Refusal(f"A name can have at most {MAX_NAME} characters.", field="names")
    return label


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write_sheet(sheet: Sheet, who: Who, act: SheetAct, change: Change, *, key: str | None = None) -> Sheet:
    """Changes the sheet under its log's lock. A change without a key must be safe to repeat."""
    body = entries.write_act(act)

    def work(writer: log_services.LogWriter) -> dict[str, Any]:
        now = Sheet.objects.get(pk=sheet.pk)
        change(now, {seat.number: seat for seat in now.seat_set.all()})
        now.touched_at = timezone.now()
        now.save()
        writer.append(act.key, actor=who.person.pk if who.person else None, body=body)
        return {}

    log_services.write(
        sheet.log_id,
        who=who.ref,
        key=log_services.new_key() if key is None else key,
        body={"act": act.key, **body},
        act=work,
    )
    sheet.refresh_from_db()
    return sheet


def rename_seats(sheet: Sheet, who: Who, wanted: NameSeats) -> Sheet:
    """Names the seats, or shuffles who sits where."""
    if wanted.shuffle and sheet.state["active"] is not None:
        raise Refusal("The game has already started. Shuffle the seats before the first turn.", status=409)
    names = shuffle_list(new_dice(), wanted.names) if wanted.shuffle else wanted.names
    labels = [_clean_label(name) for name in names]

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        for number, label in enumerate(labels):
            if number in seats:
                SheetSeat.objects.filter(pk=seats[number].pk).update(label=label)

    return write_sheet(sheet, who, RenameSeats(), change)


def enter_figures(sheet: Sheet, who: Who, entered: EnterFigures, *, key: str | None = None) -> Sheet:
    """Saves the figures of one seat, so that two phones do not overwrite each other's seats."""
    if entered.figures.role and not find_companion(sheet.game).roles(sheet.read_deck()):
        raise Refusal(NO_ROLES, field="figures.role")

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if entered.seat not in seats:
            raise Refusal("This table has no such seat.", field="seat")
        now.entered[entered.seat] = entries.write_figures(entered.figures)

    return write_sheet(sheet, who, entered, change, key=key)


def set_options(sheet: Sheet, who: Who, wanted: SetOptions) -> Sheet:
    """Saves what the players agreed about ties and family scoring."""
    game = find_game(sheet.game)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        now.options = dict(complete_options(game.options, {**now.options, **wanted.options}))

    return write_sheet(sheet, who, wanted, change)


def delete_old_sheets(now: dt.datetime) -> int:
    """Deletes sheets that nobody has changed for long, with the names on them."""
    old = list(Sheet.objects.filter(touched_at__lt=now - SHEET_LASTS).values_list("pk", "log_id")[:500])
    Sheet.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    Log.objects.filter(pk__in=[log for _, log in old]).delete()
    return len(old)


# ── The result ───────────────────────────────────────────────────────────────────────────────────────────


def save_result(sheet: Sheet, who: Who, wanted: SaveResult, *, key: str) -> Result:
    """As if it had been played here. Each seat is credited by name to somebody the user knows, or to a new guest. No
    name means nobody.
    """
    keeper = who.require_person()
    seats = seat_rows(sheet, who)
    score = score_of(sheet, seats)
    log_services.check_key(key)
    if sheet.result_id is not None:
        raise Refusal("The result of this game is already saved.", status=409)
    if not sheet.state["over"]:
        raise Refusal("The game is not over yet.", status=409)
    if score.refusal:
        raise Refusal(score.refusal)
    if not score.outcome:
        raise Refusal(score.why_no_winner)
    places = []
    for seat, count, name in zip(seats, score.counts, [*wanted.people, *[""] * len(seats)], strict=False):
        person = _find_or_add_person(who, name, key=f"{key}-{seat.number}")
        role = seat.role or str(sheet.entered[seat.number].get("role", ""))
        places.append((person, role, count.total, count.won or len(seats) == 1))
    result = save_printed_result(
        keeper,
        key=key,
        game=sheet.game,
        places=places,
        outcome=score.outcome,
        options=sheet.options,
        deck_title=sheet.deck_title,
        own_deck=sheet.read_deck() != house_deck(sheet.game),
        seconds=int((timezone.now() - sheet.opened_at).total_seconds()),
        kept=_ending_data(sheet, score),
    )
    Sheet.objects.filter(pk=sheet.pk, result=None).update(result=result)
    return result


def _ending_data(sheet: Sheet, score: ScoreDisplay) -> Mapping[str, Any]:
    """The data of the final sentence, in the shape in which a table's result has it."""
    assert score.played is not None
    played = score.played.as_json()
    result = {key: played[key] for key in ("outcome", "winners", "scores", "facts")}
    cards = {face.id: face.name for face in find_companion(sheet.game).roles(sheet.read_deck())}
    return {"outcome": score.played.sentence, "result": result, "cards": cards, "labels": {}}


def _find_or_add_person(who: Who, name: str, *, key: str) -> Person | None:
    name = name.strip()
    if not name:
        return None
    known = Person.objects.known_to(who).roots()
    return known.filter(name__iexact=name).order_by("pk").first() or guests_services.add_guest(who, name, key=key)
