"""Finds the card tables, seats, score sheets and decks that a visitor may see; and table codes in addresses."""

import datetime as dt

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import register_converter
from django.utils import timezone

from cardgames import registry
from cardgames.engine import Deck
from cardgames.engine.deck_data import read_deck
from cardgames.games import find_game, house_deck
from cardgames.models import CODE_LETTERS, CODE_PATTERN, PRIVATE_CODE, VISIBLE_AFTER_END, DeckCopy, Seat, Sheet, Table
from cardgames.tables import load_from_log
from cardgames.tables.seats import seat_and_watch_passes, seat_change_helpers
from people import rate_limits
from people.models import Pass
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query
from refusal import Refusal

NO_TABLE = "No table has this code. Check the code on the host's phone."


@prepared_query
def _visible_table(who: Who, code: str, ended_after: dt.datetime) -> QuerySet[Table]:
    rows = Table.objects.select_related("log", "sealed", "host__merged_into", "result").filter(code=code)
    return rows.visible_to(who, ended_after)


def _find_own_table(who: Who, code: str) -> Table | None:
    """The table, if this person or browser hosts it or sits at it: see ``TableQuerySet.played_or_hosted_by``."""
    if not who.passes and not who.is_known:
        return None
    seats = load_from_log.read_table(code)
    if not seats:
        return None
    table = seats[0].table
    ids = who.person.all_ids() if who.person is not None else ()
    passes = {held.pk for held in who.passes if held.kind == Seat.PASS}
    if table.host_id in ids or any(seat.person_id in ids or seat.token_id in passes for seat in seats):
        load_from_log.remember_seats(who, table, seats)
        return table
    return None


def get_visible_table(request: HttpRequest, code: str) -> Table:
    """The table with this code. A wrong code counts as a guess."""
    table = _find_own_table(request.who, code)
    if table is None:
        who = WhoWithPasses(request.who)
        with CODE_LIMIT.attempt(request) as attempt:
            table = _visible_table.first(who, code, timezone.now() - VISIBLE_AFTER_END)
            if table is None:
                attempt.fail()
    if table is None:
        raise Http404
    return table


def find_by_typed_code(request: HttpRequest, typed: str) -> Table | str:
    """The table or the address that has this code, however it was typed ("jh pp", "JH-PP"), or "".

    A wrong code is a guess.
    """
    code = "".join(letter for letter in typed.upper() if letter.isalnum())
    if not CODE_PATTERN.fullmatch(code):
        return ""
    with CODE_LIMIT.attempt(request) as attempt:
        if url := registry.find_by_code(code, request.who):
            return url
        if table := Table.objects.visible_to(request.who).filter(code=code).first():
            return table
        attempt.fail()
    return ""


def get_held_seat(request: HttpRequest, code: str, number: int) -> tuple[Table, Seat, Pass]:
    """The seat, if this browser holds its pass. A phone that lost the pass gets a refusal, others a 404."""
    table = get_visible_table(request, code)
    return table, *get_held_seat_of(request, table, number)


def get_held_seat_of(request: HttpRequest, table: Table, number: int) -> tuple[Seat, Pass]:
    """The same at a table that was looked up already."""
    held = seat_change_helpers.held_seats(table, request.who).get(number)
    if held is None:
        if seat_and_watch_passes.has_held_seat(request, table, number):
            raise Refusal(seat_and_watch_passes.NOT_HERE, status=409)
        raise Http404
    return held


def get_visible_sheet(who: Who, code: str) -> Sheet:
    rows = Sheet.objects.visible_to(who).select_related("log", "link", "result")
    return get_object_or_404(rows, code=code)


# ── Codes in addresses ─────────────────────────────────────────────────────────────────────────────────


# Four letters can be guessed, so wrong codes are limited, also those from everywhere together: with twenty tables open,
# a thousand strangers at once open a table every other hour at best, and newcomers who mistype still have their tries.
CODE_LIMIT = rate_limits.Limit(
    "table_codes",
    "wrong table codes",
    target=rate_limits.Rate(100, 10),
    browser=rate_limits.Rate(20, 60),
    address=rate_limits.Rate(300, 10),
    site=rate_limits.Rate(3600, 60),
)


class TableCodeConverter:
    regex = f"[{CODE_LETTERS}{CODE_LETTERS.lower()}]{{4,{PRIVATE_CODE}}}"

    def to_python(self, value: str) -> str:
        """Accepts lower case, as people type it."""
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCodeConverter, "table")


# ── Decks: the house deck, one's own copies, and those that people one plays with share ────────────────


def deck_of(copy: DeckCopy) -> Deck:
    return read_deck(find_game(copy.game).schema, copy.text)


def get_visible_copy(who: Who, code: str) -> DeckCopy:
    return get_object_or_404(DeckCopy.objects.visible_to(who).select_related("owner__merged_into"), code=code)


def get_own_copy(who: Who, code: str) -> DeckCopy:
    copy = get_visible_copy(who, code)
    require_owner(who, copy)
    return copy


def require_owner(who: Who, copy: DeckCopy) -> None:
    if not DeckCopy.objects.owned_by(who).filter(pk=copy.pk).exists():
        raise Refusal("Only the owner can edit this deck. Make your own copy.", status=403)


def usable_copies(who: Who, game: str) -> list[DeckCopy]:
    """The copies they can play with, besides the house deck."""
    return list(DeckCopy.objects.visible_to(who).filter(game=game))


def get_chosen_deck(who: Who, game: str, code: str) -> Deck:
    """The deck with this code, or the house deck if the code is empty."""
    if not code:
        return house_deck(game)
    copy = DeckCopy.objects.visible_to(who).filter(game=game, code=code).first()
    if copy is None:
        raise Refusal("You cannot use this deck, or it was deleted. Choose another one.", field="deck")
    return deck_of(copy)


def decks_for(who: Who, game: str) -> list[tuple[str, Deck]]:
    """A key and a deck each; never empty."""
    copies = [(copy.code, deck_of(copy)) for copy in usable_copies(who, game)]
    return [("house", house_deck(game)), *copies]
