"""Opens card tables: who may host one, its options, secret seed, free seats and code; and rematches.

Anybody at a table opens the next one, and each phone finds its seat there when it comes over.
"""

import json
import secrets
from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from cardgames.engine import Deck, Record
from cardgames.games import find_game, new_table
from cardgames.models import Seat, Table, new_code
from cardgames.selectors import get_chosen_deck
from cardgames.tables import load_from_log
from cardgames.tables.choice_services import append_entry, write_act
from cardgames.tables.core import entries
from cardgames.tables.core.acts import AcceptTransfer, HostTable, StartRematch
from cardgames.tables.core.entries import CameOver, RematchOpened, RematchWanted, TableOpened, TapAnswer
from cardgames.tables.seats import seat_and_watch_passes
from cardgames.tables.seats.seat_change_helpers import (
    State,
    create_seat_pass,
    held_seats,
    mark_as_used,
    person_pk,
    require_host,
    write_seat_change,
)
from log import services as log_services
from log.models import Entry
from people import rate_limits
from people.accounts import services as accounts_services
from people.guests import remember_new_guest
from people.models import Pass, Person
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

MAX_OPEN_TABLES = 20
CODE_ATTEMPTS = 50
GUEST_TABLE_LIMIT = rate_limits.Limit(
    "guest_tables",
    "tables hosted by newcomers",
    target=rate_limits.Rate(200, 60),
    browser=rate_limits.Rate(5, 60),
    address=rate_limits.Rate(30, 60),
)
NO_CODE = "No free table code was found. Try again."


def can_host(who: Who) -> bool:
    """Known people, and guests: where everybody may sign up, or in a browser that has been at a table."""
    held = any(row.kind in (Seat.PASS, seat_and_watch_passes.WATCH) for row in who.passes)
    return who.is_known or held or accounts_services.is_sign_up("open")


def remember_new_host(request: HttpRequest, name: str, *, key: str) -> None:
    """Somebody whom this browser does not know hosts under a name."""
    if not request.who.is_known:
        GUEST_TABLE_LIMIT.count_use(request)
        remember_new_guest(request, name, key=key)


def open_table(who: Who, wanted: HostTable, *, key: str, deck: Deck | None = None) -> Table:
    """Opens a table; whoever opens it is the host. The same key opens it only once. A form knows ``deck`` itself."""
    person = who.require_person()
    log_services.check_key(key)
    opening_key = f"{who.ref}/{key}"
    before = Table.objects.filter(opening_key=opening_key).first()
    if before:
        return before
    require_below_table_limit(who)
    game = find_game(wanted.game)
    deck = deck or get_chosen_deck(who, game.key, wanted.deck)
    seats = wanted.seats if wanted.seats is not None else game.seat_limits(deck)[0]
    record = new_table(game.key, seats, seed=secrets.token_bytes(32), options=wanted.options, deck=deck)
    for _ in range(CODE_ATTEMPTS):
        try:
            return create_table(
                record, person, opening_key, lambda writer: append_entry(writer, TableOpened(), actor=person.pk)
            )
        except IntegrityError:  # a double tap, or a code that is taken
            before = Table.objects.filter(opening_key=opening_key).first()
            if before:
                return before
    raise Refusal(NO_CODE, status=503)


def require_below_table_limit(who: Who) -> None:
    if Table.objects.hosted_by(who).open().count() >= MAX_OPEN_TABLES:
        raise Refusal(f"You already host {MAX_OPEN_TABLES} open tables. Finish or call off one first.", status=409)


def create_table(
    record: Record, host: Person, opening_key: str, begin: Callable[[log_services.LogWriter], object] | None = None
) -> Table:
    """Creates a table with free seats and a random code. Raises IntegrityError if the code is taken."""
    with transaction.atomic():
        table = Table.objects.create(
            code=new_code(),
            opening_key=opening_key,
            log=log_services.create_log("table", begin),
            sealed=log_services.create_log("table-sealed"),
            host=host,
            game=record.game,
            rules=record.version,
            deck=deck_text(record.deck),
            deck_title=record.deck.title,
            seats=record.seats,
            options=dict(record.options),
            seed=record.seed,
        )
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(record.seats))
        seat_and_watch_passes.create_watch_pass(table)
    return table


def deck_text(deck: Deck) -> str:
    return json.dumps(deck.as_json(), ensure_ascii=False, sort_keys=True)


# ── Rematches ──────────────────────────────────────────────────────────────────────────────────────────


def start_rematch(table: Table, who: Who, act: StartRematch, *, key: str) -> Table:
    """Opens the table of the next game with the same seats, people, bots, deck and options, once for everybody.

    Any player can. Nobody is moved: each phone comes over when its player wants to.
    """
    mine = held_seats(table, who)
    if not mine:
        require_host(table, who)

    def change(table: Table, seats: dict[int, Seat], writer: log_services.LogWriter) -> TapAnswer:
        if table.state != State.OVER:
            raise Refusal("You can start a rematch when this game is over.", status=409)
        new_game = Table.objects.filter(follows=table).first()
        if new_game is None:
            require_below_table_limit(Who.of(table.host))
            new_game = _create_rematch_table(table, seats, list(mine))
            starter = seats[next(iter(mine))].person_id if mine else person_pk(who)
            append_entry(writer, RematchWanted(), actor=starter)
        return {"table": new_game.pk}

    answer = write_seat_change(table, who.ref, key, act, change)
    return Table.objects.get(pk=answer["table"])


def _create_rematch_table(table: Table, seats: dict[int, Seat], cohosts: list[int]) -> Table:
    deck = load_from_log.parse_deck(table.game, table.rules, table.deck)
    record = new_table(table.game, table.seats, seed=secrets.token_bytes(32), options=table.options, deck=deck)
    for _ in range(CODE_ATTEMPTS):
        try:
            new_game = create_table(record, table.host, f"again/{table.pk}")
        except IntegrityError:  # a code that is taken
            continue
        break
    else:
        raise Refusal(NO_CODE, status=503)
    new_game.follows = table
    new_game.save(update_fields=["follows"])
    passes = {}
    for seat in new_game.seat_set.all():
        before = seats[seat.number]
        seat.person, seat.bot = before.person, before.bot
        # Whoever opens it can also begin: the host may have gone.
        seat.is_cohost = before.is_cohost or seat.number in cohosts
        if before.token is not None:
            seat.token = create_seat_pass(seat)
            passes[str(seat.number)] = seat.token.pk
        seat.save()
    writer = log_services.LogWriter(new_game.log)
    append_entry(writer, RematchOpened(passes), actor=table.host_id)
    new_game.log.save(update_fields=["length"])
    return new_game


def carry_seats_over(request: HttpRequest, table: Table) -> None:
    """Gives a phone the seat it has in the game before, unless that seat has since changed hands."""
    if table.follows_id is None or held_seats(table, request.who):
        return
    assert table.follows is not None
    before = held_seats(table.follows, request.who)
    if not before:
        return
    first = Entry.objects.filter(log_id=table.log_id, act=RematchOpened.key).first()
    opened = entries.load_entry(first.act, first.body) if first else None
    passes = opened.passes_of(before) if isinstance(opened, RematchOpened) else set()
    for token in Pass.objects.valid().filter(pk__in=passes):
        passes_services.hold_pass(request, token)
        _tell_arrival(table, table.follows, token)


def _tell_arrival(table: Table, before: Table, token: Pass) -> None:
    """Notifies both tables that the phone has come over: the new one, and people still looking at the scores."""
    seat = Seat.objects.get(pk=token.target)
    mark_as_used(token)

    def change(writer: log_services.LogWriter) -> TapAnswer:
        append_entry(writer, CameOver(seat.number), actor=seat.person_id)
        return {}

    for log_id in (table.log_id, before.log_id):
        write_act(log_id, f"pass:{token.pk}", f"arrive-{token.pk}-again", AcceptTransfer(), change)
