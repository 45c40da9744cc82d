"""Any act at a card table, as the API sends it: which service does it. The pages call the same services."""

from __future__ import annotations

from typing import assert_never

from django.http import HttpRequest

from cardgames.decks.selectors import get_chosen_deck
from cardgames.games import find_game
from cardgames.models import Table
from cardgames.tables import host_actions, rematch, table_creation
from cardgames.tables.core.acts import (
    CallOffTable,
    ChangeRules,
    ClaimSeat,
    DecideClaim,
    FillWithBots,
    FreeSeat,
    HostTable,
    LeaveSeat,
    RenameGuest,
    RestoreSeat,
    SentAct,
    SetBot,
    SetCohost,
    SetPaused,
    SitDown,
    StartGame,
    StartRematch,
    TakeOverHosting,
    UndoCallOff,
)
from cardgames.tables.seats import phone_transfer, seat_change_helpers, seating
from people.requester import Who


def host_table(who: Who, act: HostTable, *, key: str) -> Table:
    """Opens a table for a known person; they sit down by an act of their own."""
    who.require_person()
    find_game(act.game)  # or there is no such game
    deck = get_chosen_deck(who, act.game, act.deck)
    return table_creation.open_table(who, key=key, game=act.game, seats=act.seats, options=act.options, deck=deck)


def perform_act(request: HttpRequest, table: Table, act: SentAct, *, key: str) -> Table:
    """Does what was sent, or refuses it as the pages do. Returns the table to look at next."""
    who = request.who
    match act:
        case SitDown(seat=seat, name=name):
            seating.sit_down(request, table, key=key, number=seat, name=name)
        case LeaveSeat(seat=seat):
            seating.leave_seat(table, who, key=key, number=seat)
        case RestoreSeat(seat=seat):
            seating.restore_seat(request, table, key=key, number=seat)
        case SetBot(seat=seat, level=level):
            seating.set_bot(table, who, key=key, number=seat, level=level)
        case FillWithBots(level=level):
            seating.fill_with_bots(table, who, key=key, level=level)
        case ClaimSeat(seat=seat):
            phone_transfer.claim_seat(request, table, key=key, number=seat)
        case DecideClaim(seat=seat, yes=yes, claim=claim):
            phone_transfer.decide_claim(table, who, key=key, number=seat, yes=yes, claim=claim)
        case StartGame(level=level):
            host_actions.start_game(table, who, key=key, level=level)
        case SetPaused(paused=paused):
            host_actions.set_paused(table, who, key=key, paused=paused)
        case CallOffTable():
            host_actions.call_off_table(table, who, key=key)
        case UndoCallOff():
            host_actions.undo_call_off(table, who, key=key)
        case SetCohost(seat=seat, yes=yes):
            host_actions.set_cohost(table, who, key=key, number=seat, yes=yes)
        case TakeOverHosting(seat=seat):
            host_actions.take_over_hosting(table, who, key=key, number=seat)
        case FreeSeat(seat=seat):
            host_actions.free_seat(table, who, key=key, number=seat)
        case RenameGuest(seat=seat, name=name):
            host_actions.rename_seated_guest(table, who, key=key, number=seat, name=name)
        case ChangeRules(seats=seats, options=options, deck=deck):
            seat_change_helpers.require_host(table, who)  # before a look at the decks
            chosen = get_chosen_deck(who, table.game, deck)
            host_actions.change_rules(table, who, key=key, seats=seats, options=options, deck=chosen)
        case StartRematch():
            return rematch.start_rematch(table, who, key=key)
        case _:
            assert_never(act)
    return table
