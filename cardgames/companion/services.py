"""Sheets beside printed cards: begun, named, counted, and one day forgotten. Each change goes through the sheet's log.

Everyone who came by the link may write: they sit round one table. Turns are in ``sheet_turns``, roles in ``role_dealing``.
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

from cardgames.engine import Deck, settle
from cardgames.engine.decks import read_deck
from cardgames.engine.sources import shuffled
from cardgames.games import find_game
from cardgames.models import Sheet, SheetSeat
from cardgames.side_models import SHEET_LASTS, empty_state
from chance import Dice
from log import door
from log.models import Log
from people import limits, passes
from people.models import Pass
from people.names import clean_text
from people.who import Who
from refusal import Refusal

NAME_MOST = 40
BEGUN = limits.Limit(
    "sheets", "sheets begun", target=limits.Rate(60, 60), browser=limits.Rate(30, 60), address=limits.Rate(200, 60)
)
MOVED_ON = "The table has moved on since you looked. Here it is as it stands now."

Change = Callable[[Sheet, dict[int, SheetSeat]], None]


def deck_of(sheet: Sheet) -> Deck:
    return read_deck(find_game(sheet.game).schema, sheet.deck)


def fresh_dice() -> Dice:
    return Dice(secrets.token_bytes(16))


# ── Passes ───────────────────────────────────────────────────────────────────────────────────────────────


def register() -> None:
    passes.register(Sheet.PASS, "Score sheet of a card game", ask=_ask, on_accept=_accept, holds=True)
    passes.register(
        Sheet.KEEPER_PASS, "Score sheet of a card game, begun here", ask=_ask, on_accept=_accept, holds=True
    )
    passes.register(SheetSeat.PASS, "Role in a card game", ask=lambda row, who: None, holds=True)


def _ask(row: Pass, who: Who) -> passes.Ask | None:
    sheet = Sheet.objects.filter(pk=row.target).first()
    if sheet is None:
        return None
    return passes.Ask(
        f"You come to a game of {find_game(sheet.game).title} with printed cards.",
        button="Come to the table",
        more="You see the score sheet and whose turn it is, and take your role if roles are dealt on phones.",
    )


def _accept(row: Pass, request: HttpRequest) -> str:
    return reverse("cardgames:sheet", args=[Sheet.objects.get(pk=row.target).code])


def is_keeper(who: Who, sheet: Sheet) -> bool:
    """Who began it: the person, or the browser where nobody was logged in."""
    if who.person is not None and sheet.keeper_id in who.person.all_ids():
        return True
    return sheet.owner_id is not None and any(held.pk == sheet.owner_id for held in who.passes)


# ── Beginning ────────────────────────────────────────────────────────────────────────────────────────────


def begin(
    who: Who,
    *,
    key: str,
    deck: Deck,
    seats: int,
    names: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    ref: str = "",
) -> Sheet:
    """A sheet for so many. The browser that begins it holds ``sheet.owner``; others come by ``sheet.link``.

    ``ref`` names a guest's browser, because what else is known of a guest changes with the passes it holds.
    """
    game = find_game(deck.game)
    door.must_be_key(key)
    begun_key = f"{ref or who.ref}/{key}"
    before = Sheet.objects.filter(begun_key=begun_key).first()
    if before:
        return before
    if seats not in game.seat_range(deck):
        low, high = game.seating(deck)
        raise Refusal(f"{game.title} is for {f'{low}' if low == high else f'{low} to {high}'} players.", field="seats")
    try:
        with transaction.atomic():
            sheet = Sheet.objects.create(
                begun_key=begun_key,
                log=door.open_log("card_sheet"),
                keeper=who.person,
                game=game.key,
                deck=deck.text,
                deck_title=deck.title,
                options=dict(settle(game.options, options or {})),
                state=empty_state(seats),
                entered=[{} for _ in range(seats)],
            )
            SheetSeat.objects.bulk_create(
                SheetSeat(sheet=sheet, number=number, label=_label(names[number] if number < len(names) else ""))
                for number in range(seats)
            )
            sheet.link = passes.make(Sheet.PASS, sheet.pk, by=who, label=game.title, lasts=SHEET_LASTS, uses=None)
            sheet.owner = passes.make(Sheet.KEEPER_PASS, sheet.pk, by=None, label=game.title, lasts=SHEET_LASTS, uses=1)
            sheet.save(update_fields=["link", "owner"])
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Sheet.objects.get(begun_key=begun_key)
    return sheet


def _label(text: str) -> str:
    label = clean_text(text).strip()
    if len(label) > NAME_MOST:
        raise Refusal(f"A name on the sheet has at most {NAME_MOST} characters.", field="names")
    return label


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write(
    sheet: Sheet, who: Who, act: str, body: Mapping[str, Any], change: Change, *, key: str | None = None
) -> Sheet:
    """Change the sheet with its log held. Without a key the change is such that sending it twice does no harm."""

    def work(pen: door.Pen) -> dict[str, Any]:
        now = Sheet.objects.get(pk=sheet.pk)
        change(now, {seat.number: seat for seat in now.seat_set.all()})
        now.touched_at = timezone.now()
        now.save()
        pen.line(act, actor=who.person.pk if who.person else None, body=body)
        return {}

    door.write(
        sheet.log_id, who=who.ref, key=door.new_key() if key is None else key, body={"act": act, **body}, act=work
    )
    sheet.refresh_from_db()
    return sheet


def by_lot(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Who sits where, drawn by lot, as long as nobody has played."""
    if sheet.state["active"] is not None:
        raise Refusal("The game has begun. Seats are drawn before.", status=409)
    return shuffled(fresh_dice(), names)


def rename(sheet: Sheet, who: Who, names: Sequence[str]) -> Sheet:
    labels = [_label(name) for name in names]

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        for number, label in enumerate(labels):
            if number in seats:
                SheetSeat.objects.filter(pk=seats[number].pk).update(label=label)

    return write(sheet, who, "names", {}, change)


def enter(sheet: Sheet, who: Who, seat: int, figures: Mapping[str, Any], *, key: str | None = None) -> Sheet:
    """What one seat has. Each seat by itself, so that two phones at two menageries do not overwrite each other."""

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if seat not in seats:
            raise Refusal("This seat is not at the table.", field="seat")
        now.entered = [dict(figures) if number == seat else each for number, each in enumerate(now.entered)]

    return write(sheet, who, "scores", {"seat": seat, "figures": dict(figures)}, change, key=key)


def agree(sheet: Sheet, who: Who, options: Mapping[str, Any]) -> Sheet:
    """What the table agreed about ties and family scoring."""
    game = find_game(sheet.game)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        now.options = dict(settle(game.options, {**now.options, **options}))

    return write(sheet, who, "options", {"options": dict(options)}, change)


def forget_old(now: dt.datetime) -> int:
    """Sheets nobody has touched for long go, and the names on them."""
    old = list(Sheet.objects.filter(touched_at__lt=now - SHEET_LASTS).values_list("pk", "log_id")[:500])
    Sheet.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    Log.objects.filter(pk__in=[log for _, log in old]).delete()
    return len(old)
