"""Card tables as JSON, with the data and refusals of the pages. A seat's view needs the seat's pass in the session."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.views import APIView

from cardgames.engine import UNDO
from cardgames.engine.game_definition import BlockedChoice, Choice, ScoreLine, SeatScore
from cardgames.engine.seat_reading import EventJson, SeatDisplay
from cardgames.models import Table
from cardgames.selectors import NO_TABLE, find_by_typed_code, get_held_seat, get_visible_table
from cardgames.tables import choice_services, host_actions, load_from_log, table_creation
from cardgames.tables.core import acts
from cardgames.tables.core.acts import ActAtTable, JoinTable, OpenTable, SendChoice, SentAct
from cardgames.tables.display import SeatRow, build_table_display
from cardgames.tables.seats import seating
from cardgames.tables.table_creation import can_host, remember_new_host
from dataclass_json import Whole
from json_input import MAX_NUMBER
from pages.api.operations import Query, Sent, Setting, operation
from pages.api_pagination import MAX_ROWS, Page, paginate
from pages.fields.columns_and_rows import as_rows, take
from people.accounts.log_ins import attach_requester
from people.passes.shown_secrets import link_address
from refusal import Refusal

NOT_PLAYABLE = (Table.State.LOBBY, Table.State.CLOSED)


# ── What a seat sees, as the engine writes it ────────────────────────────────────────────────────────────


class CardAsk(TypedDict):
    """The question of a seat."""

    seat: int | None
    kind: str | None
    stamp: int
    prompt: str
    choices: list[Choice]
    cannot: list[BlockedChoice]


class CardOpenQuestion(TypedDict):
    kind: str
    keys: list[str]
    about: Any  # each kind of question has its own


class CardNote(TypedDict):
    """Cards that the seat was shown."""

    key: str
    params: Mapping[str, Any]
    cards: list[str]
    stale: bool


class CardEnding(TypedDict):
    outcome: str
    winners: list[int]
    scores: list[int]
    lines: list[list[ScoreLine]]
    facts: Mapping[str, Any]


class CardZone(TypedDict):
    """A pile, the same pile once per seat, or named piles. Faces that the seat does not know are null."""

    zone: str
    count: NotRequired[int]
    counts: NotRequired[list[int] | list[list[int]]]
    cards: NotRequired[list[str | None]]
    each: NotRequired[list[list[str | None]] | list[list[list[str | None]]]]
    names: NotRequired[list[str]]
    spots: NotRequired[list[list[str | None]]]


class CardView(TypedDict):
    game: str
    seat: int | None
    seats: int
    version: int
    stamp: int
    fields: Mapping[str, Any]
    own: Mapping[str, Any]
    zones: list[CardZone]
    asked: list[int]
    kind: str | None
    ask: CardOpenQuestion | None
    undo: bool
    window: float | None
    result: CardEnding | None
    notes: NotRequired[list[CardNote]]


class CardEvent(EventJson):
    """Something that happened."""


class CardSeatView(TypedDict):
    """What one seat sees, what it has to choose, and what happened."""

    view: CardView
    ask: CardAsk | None
    waiting: str
    events: list[CardEvent]
    standing: list[SeatScore]
    outcome: str


def answer_seat_view(display: SeatDisplay) -> CardSeatView:
    return cast(CardSeatView, display.as_json())


@dataclass(frozen=True, slots=True)
class SinceEvent:
    since: Annotated[
        int, Whole("The number of an event", 0, MAX_NUMBER), "number of an event: those before it are left out"
    ] = 0


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CardTableRow:
    code: str
    game: str
    rules: int
    seats: int
    state: Table.State
    paused: bool
    asked: Annotated[tuple[int, ...], "seats that have to choose"]
    opened_at: dt.datetime


@dataclass(frozen=True, slots=True)
class CardClaim:
    """A phone that asks for a seat; only the host sees it, and answers with the act "decide"."""

    number: int
    claim: int
    claimed_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable(CardTableRow):
    """A table as everybody sees it; ``play`` is what the TV shows once the game has started."""

    people: tuple[SeatRow, ...]
    claims: tuple[CardClaim, ...]
    options: Mapping[str, Setting]
    deck: str
    play: CardSeatView | None
    live: Annotated[str, "stream of news: the table has changed"]


def _table_answer(table: Table, request: Request, since: int) -> CardTable:
    display = build_table_display(table, request.who)
    running = load_from_log.load_if_begun(table)
    return take(
        CardTable,
        table,
        people=tuple(display.seats),
        claims=tuple(as_rows(CardClaim)(display.claims)),
        deck=table.deck_title,
        live=f"/live/{table.log_id}/",
        play=answer_seat_view(running.seat_display(None, display.names, since)) if running else None,
    )


@dataclass(frozen=True, slots=True)
class OfGame:
    game: str = ""


class TableList(APIView):
    needs_no_log_in = ("POST",)

    @operation("tables_list")
    def get(self, request: Request, query: Query[OfGame]) -> Page[CardTableRow]:
        """The open tables you host or sit at, newest first."""
        rows = Table.objects.played_or_hosted_by(request.who).open().defer("deck", "seed")
        if game := query.value.game:
            rows = rows.filter(game=game)
        return paginate(request, rows, ("-opened_at", "-pk"), as_rows(CardTableRow), most=MAX_ROWS)

    @operation("tables_open", status=201)
    def post(self, request: Request, sent: Sent[OpenTable]) -> CardTableRow:
        """Open a table and be its host. The same key opens it once. Newcomers give a name."""
        wanted, key = sent.value, sent.key
        if wanted.name and can_host(request.who):
            remember_new_host(request._request, wanted.name, key=key)
        return take(CardTableRow, table_creation.open_table(request.who, wanted.table, key=key))


class TableDetail(APIView):
    needs_no_log_in = ("GET",)

    @operation("tables_show")
    def get(self, request: Request, code: str, query: Query[SinceEvent]) -> CardTable:
        """One table: its seats and what everybody can see."""
        return _table_answer(get_visible_table(request, code), request, query.value.since)


class TableActs(APIView):
    needs_no_log_in = ("POST",)

    @operation("tables_act", status=201)
    def post(self, request: Request, code: str, sent: Sent[ActAtTable], query: Query[SinceEvent]) -> CardTable:
        """Any act at a table but the choices of the game: sit down, fill with bots, start, pause, call off …"""
        table = get_visible_table(request, code)
        act, key, since = sent.value.read(), sent.key, query.value.since
        after = perform_act(request._request, table, act, key=key)
        attach_requester(request._request)  # seats came or went with the act
        return _table_answer(get_visible_table(request, after.code), request, since)


@dataclass(frozen=True, slots=True)
class Joined:
    table: Annotated[str, "code of the card table; empty for something else"]
    page: str


class JoinView(APIView):
    needs_no_log_in = ("POST",)

    @operation("tables_join")
    def post(self, request: Request, sent: Sent[JoinTable]) -> Joined:
        """Find what has this code. Without a log-in, a name is enough to sit down before the game begins."""
        wanted = sent.value
        table = find_by_typed_code(request._request, wanted.code)
        if not table:
            raise Refusal(NO_TABLE, status=404, field="code")
        if isinstance(table, str):
            return Joined(table="", page=table)
        if wanted.name:
            seating.sit_down_at_once(request._request, table, key=sent.key, name=wanted.name)
        return Joined(table.code, table.get_absolute_url())


# ── Seats ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeatLink:
    address: Annotated[str | None, "moves the seat to whoever accepts it; a token needs the scope play to see it"]


class SeatLinkView(APIView):
    @operation("tables_seat_link", status=201)
    def post(self, request: Request, code: str, number: int) -> SeatLink:
        """A link that moves a seat to another phone or token, which accepts it at links/accept/."""
        table = get_visible_table(request, code)
        row = seating.create_transfer_link(table, request.who, number)
        return SeatLink(link_address(request._request, row))


class SeatView(APIView):
    @operation("tables_seat")
    def get(self, request: Request, code: str, number: int, query: Query[SinceEvent]) -> CardSeatView:
        """The game as this seat sees it."""
        table, _, _ = get_held_seat(request, code, number)
        return _seat_answer(request, table, number, query.value.since)


class ChooseView(APIView):
    @operation("tables_choose", status=201)
    def post(
        self, request: Request, code: str, number: int, sent: Sent[SendChoice], query: Query[SinceEvent]
    ) -> CardSeatView:
        """Choose one of the offered keys. Returns the new view."""
        table, seat, token = get_held_seat(request, code, number)
        wanted, key, since = sent.value, sent.key, query.value.since
        replay = None if wanted.choice == UNDO else load_from_log.SeatReplay(number)
        choice_services.submit_choice(
            table, seat, token, key=key, choice=wanted.choice, stamp=wanted.stamp, replay=replay
        )
        return _seat_answer(request, get_visible_table(request, code), number, since, replay)


def _seat_answer(
    request: Request, table: Table, number: int, since: int, replay: load_from_log.SeatReplay | None = None
) -> CardSeatView:
    if table.state in NOT_PLAYABLE:
        raise Refusal(
            choice_services.NOT_BEGUN if table.state == Table.State.LOBBY else choice_services.OVER, status=409
        )
    names = load_from_log.get_seat_names(load_from_log.seats_seen_by(request.who, table))
    shown = replay is not None and replay.version == table.log.version
    running = replay.running if replay and shown else load_from_log.load_running_table(table)
    answer = answer_seat_view(running.seat_display(number, names, since))
    load_from_log.keep_game(table, running)
    return answer


# ── Acts: which service does what was sent ─────────────────────────────────────────────────────────────


# By what they ask of: the browser that acts, or whoever does.
BROWSER_ACTS: Mapping[type[SentAct], Callable[..., object]] = {
    acts.SitDown: seating.sit_down,
    acts.RestoreSeat: seating.restore_seat,
    acts.ClaimSeat: seating.claim_seat,
}
PERSON_ACTS: Mapping[type[SentAct], Callable[..., Table | None]] = {
    acts.LeaveSeat: seating.leave_seat,
    acts.SetBot: seating.set_bot,
    acts.FillWithBots: seating.fill_with_bots,
    acts.DecideClaim: seating.decide_claim,
    acts.ChangeRules: host_actions.change_rules,
    acts.StartGame: host_actions.start_game,
    acts.SetPaused: host_actions.set_paused,
    acts.CallOffTable: host_actions.call_off_table,
    acts.UndoCallOff: host_actions.undo_call_off,
    acts.SetCohost: host_actions.set_cohost,
    acts.TakeOverHosting: host_actions.take_over_hosting,
    acts.FreeSeat: host_actions.free_seat,
    acts.RenameGuest: host_actions.rename_seated_guest,
    acts.StartRematch: table_creation.start_rematch,
}


def perform_act(request: HttpRequest, table: Table, act: SentAct, *, key: str) -> Table:
    """Does what was sent, or refuses it as the pages do. Returns the table to look at next."""
    kind = type(act)
    if kind in BROWSER_ACTS:
        BROWSER_ACTS[kind](request, table, act, key=key)
        return table
    return PERSON_ACTS[kind](table, request.who, act, key=key) or table
