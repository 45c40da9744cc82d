"""Writes score sheets for printed cards: names, figures and options. Each change goes through the sheet's log.

Everybody with the link can write. Turns are in ``turns``, roles in ``hidden_roles``.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from cardgames.companion import codec
from cardgames.companion.models import SHEET_LASTS, empty_state
from cardgames.companion.sheet_acts import EnterFigures, PlayAgain, RenameSeats, SeatFigures, SetOptions, SheetAct
from cardgames.engine import Deck, complete_options
from cardgames.engine.deck_data import read_deck
from cardgames.engine.printed_game import Companion
from cardgames.engine.randomness import shuffle_list
from cardgames.games import find_companion, find_game
from cardgames.models import Sheet, SheetSeat
from chance import Dice
from log import services as log_services
from log.models import Log
from people import rate_limits
from people.models import Pass
from people.name_validation import clean_text
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

MAX_NAME = 40
SHEET_LIMIT = rate_limits.Limit(
    "sheets",
    "new score sheets",
    target=rate_limits.Rate(60, 60),
    browser=rate_limits.Rate(30, 60),
    address=rate_limits.Rate(200, 60),
)
MOVED_ON = "The game has moved on. This is how it looks now."

Change = Callable[[Sheet, dict[int, SheetSeat]], None]


def deck_of(sheet: Sheet) -> Deck:
    return read_deck(find_game(sheet.game).schema, sheet.deck)


def set_up_options(companion: Companion, is_short: bool) -> dict[str, bool]:
    """The options asked before the set-up: whether the game is to be shorter, if it can be."""
    return {companion.shorter: True} if companion.shorter and is_short else {}


def new_dice() -> Dice:
    return Dice(secrets.token_bytes(16))


# ── Passes ───────────────────────────────────────────────────────────────────────────────────────────────


def register_passes() -> None:
    passes_services.register_kind(
        Sheet.PASS,
        "Score sheet of a card game",
        prompt=_prompt_for_sheet,
        on_accept=_open_sheet,
        belongs_to="game",
        holds=True,
        scope="play",
    )
    passes_services.register_kind(
        Sheet.KEEPER_PASS,
        "Score sheet of a card game, started here",
        prompt=_prompt_for_sheet,
        on_accept=_open_sheet,
        belongs_to="game",
        holds=True,
    )
    passes_services.register_kind(
        SheetSeat.PASS, "Role in a card game", prompt=lambda row, who: None, belongs_to="game", holds=True
    )


def _prompt_for_sheet(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    sheet = Sheet.objects.filter(pk=row.target).first()
    if sheet is None:
        return None
    return passes_services.PassPrompt(
        f"Join a game of {find_game(sheet.game).title} with printed cards.",
        button="Open the score sheet",
        more="You see the score sheet and whose turn it is, and can take a role if phones deal the roles.",
    )


def _open_sheet(row: Pass, request: HttpRequest) -> str:
    return reverse("cardgames:sheet", args=[Sheet.objects.get(pk=row.target).code])


def is_keeper(who: Who, sheet: Sheet) -> bool:
    """Whether they started the sheet: the person, or the browser if nobody was logged in."""
    if who.person is not None and sheet.keeper_id in who.person.all_ids():
        return True
    return sheet.owner_id is not None and any(held.pk == sheet.owner_id for held in who.passes)


# ── Beginning ────────────────────────────────────────────────────────────────────────────────────────────


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
    """Creates a sheet. The browser that creates it holds ``sheet.owner``; others use ``sheet.link``.

    ``ref`` identifies a guest's browser, because ``who.ref`` of a guest changes with the passes it holds.
    """
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


def create_next_sheet(sheet: Sheet, who: Who, *, key: str, ref: str = "") -> tuple[Sheet, Pass | None]:
    """A new sheet for the same people, deck and options, made once however many phones ask.

    Returns it with the pass that this browser gets: the keeper's if it made the sheet, otherwise the link's.
    """
    log_services.check_key(key)
    if not sheet.state["over"]:
        raise Refusal("You can play again when this game is over.", status=409)
    following = Sheet.objects.filter(follows=sheet).first()
    if following is None:
        following = create_sheet(
            who,
            key=key,
            deck=deck_of(sheet),
            seats=sheet.state["seats"],
            names=[seat.label for seat in sheet.seat_set.all()],
            options=sheet.options,
            ref=ref,
            follows=sheet,
        )
        write_sheet(sheet, who, PlayAgain(), lambda now, seats: None)
    is_maker = following.begun_key == f"{ref or who.ref}/{key}"
    return following, following.owner if is_maker else following.link


def _clean_label(text: str) -> str:
    label = clean_text(text).strip()
    if len(label) > MAX_NAME:
        raise Refusal(f"A name can have at most {MAX_NAME} characters.", field="names")
    return label


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write_sheet(sheet: Sheet, who: Who, act: SheetAct, change: Change, *, key: str | None = None) -> Sheet:
    """Changes the sheet under its log's lock. A change without a key must be safe to repeat."""
    body = codec.write_act(act)

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


def shuffle_names(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Shuffles who sits where, before the first turn."""
    if sheet.state["active"] is not None:
        raise Refusal("The game has already started. Shuffle the seats before the first turn.", status=409)
    return shuffle_list(new_dice(), names)


def rename_seats(sheet: Sheet, who: Who, names: Sequence[str]) -> Sheet:
    labels = [_clean_label(name) for name in names]

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        for number, label in enumerate(labels):
            if number in seats:
                SheetSeat.objects.filter(pk=seats[number].pk).update(label=label)

    return write_sheet(sheet, who, RenameSeats(), change)


def enter_figures(sheet: Sheet, who: Who, seat: int, figures: SeatFigures, *, key: str | None = None) -> Sheet:
    """Saves the figures of one seat, so that two phones do not overwrite each other's seats."""

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if seat not in seats:
            raise Refusal("This table has no such seat.", field="seat")
        entered = codec.write_figures(figures)
        now.entered = [entered if number == seat else each for number, each in enumerate(now.entered)]

    return write_sheet(sheet, who, EnterFigures(seat, figures), change, key=key)


def set_options(sheet: Sheet, who: Who, options: Mapping[str, Any]) -> Sheet:
    """Saves what the players agreed about ties and family scoring."""
    game = find_game(sheet.game)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        now.options = dict(complete_options(game.options, {**now.options, **options}))

    return write_sheet(sheet, who, SetOptions(dict(options)), change)


def delete_old_sheets(now: dt.datetime) -> int:
    """Deletes sheets that nobody has changed for long, with the names on them."""
    old = list(Sheet.objects.filter(touched_at__lt=now - SHEET_LASTS).values_list("pk", "log_id")[:500])
    Sheet.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    Log.objects.filter(pk__in=[log for _, log in old]).delete()
    return len(old)
