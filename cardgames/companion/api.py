"""Score sheets beside printed cards by API: the same services as the pages. And points alone, without a sheet."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from cardgames.companion import services, turns_and_roles
from cardgames.companion.display import ScoreDisplay, SheetSeatRow, score_of, seat_rows, turn_of
from cardgames.companion.entries import (
    DealAgain,
    NameSeats,
    SaveResult,
    SendFigures,
    SendTurn,
    SetOptions,
    StartSheet,
)
from cardgames.engine.game_definition import ScoreLine
from cardgames.engine.printed_game import SheetWarning, TurnDisplay
from cardgames.games import SHELF, find_companion, find_game
from cardgames.models import Sheet, SheetSeat
from cardgames.selectors import get_chosen_deck, get_visible_sheet
from cardgames.tables.api import OfGame
from dataclass_json import Check, Count, Shape, Text
from pages.api.operations import Nothing, Query, Sent, SentAgain, Setting, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import as_rows, take
from people.api_tokens.scopes import READ
from people.passes.shown_secrets import link_address, show_secret
from refusal import Refusal

MAX_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class ScoreSheetRow:
    code: str
    game: str
    opened_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheetAnswer(ScoreSheetRow):
    api_name = "ScoreSheet"

    version: int
    step: int
    over: bool
    seats: tuple[SheetSeatRow, ...]
    turn: TurnDisplay
    score: ScoreDisplay
    options: Mapping[str, Setting]
    is_keeper: bool
    link: Annotated[str | None, "address for the other phones; a token needs the scope play to see it"]
    has_result: bool


def _show(request: Request, code: str) -> ScoreSheetAnswer:
    """The sheet as it is now."""
    sheet = get_visible_sheet(request.who, code)
    seats = seat_rows(sheet, request.who)
    return take(
        ScoreSheetAnswer,
        sheet,
        version=sheet.log.version,
        step=sheet.state.get("step", 0),
        over=bool(sheet.state["over"]),
        seats=tuple(seats),
        turn=turn_of(sheet, seats),
        score=score_of(sheet, seats),
        is_keeper=sheet.is_kept_by(request.who),
        link=link_address(request._request, sheet.link) if sheet.link else None,
        has_result=sheet.result_id is not None,
    )


@dataclass(frozen=True, slots=True)
class AskForSetUp:
    seats: int | None = None
    deck: str = ""
    brisk: bool = False


@dataclass(frozen=True, slots=True)
class SetUpAnswer:
    api_name = "CompanionSetUp"

    steps: tuple[str, ...]
    seats: Annotated[tuple[int, ...], "fewest and most players"]
    warnings: tuple[str, ...]


class CompanionSetUp(APIView):
    needs_no_log_in = ("GET",)

    @operation("tables_companion")
    def get(self, request: Request, game: str, query: Query[AskForSetUp]) -> SetUpAnswer:
        """How to set up a game with printed cards."""
        companion, definition, asked = find_companion(game), find_game(game), query.value
        deck = get_chosen_deck(request.who, game, asked.deck)
        low, high = definition.seat_limits(deck)
        seats = asked.seats if asked.seats is not None and low <= asked.seats <= high else low
        options = services.set_up_options(companion, asked.brisk)
        warnings = definition.warnings(deck, seats, options)
        return SetUpAnswer(tuple(companion.set_up(deck, seats, options)), (low, high), tuple(map(str, warnings)))


# ── Sheets ───────────────────────────────────────────────────────────────────────────────────────────────


class SheetList(APIView):
    needs_no_log_in = ("POST",)

    @operation("tables_sheets")
    def get(self, request: Request, query: Query[OfGame]) -> Page[ScoreSheetRow]:
        """Your score sheets, newest first."""
        rows = Sheet.objects.visible_to(request.who)
        if game := query.value.game:
            rows = rows.filter(game=game)
        return paginate(request, rows, ("-pk",), as_rows(ScoreSheetRow))

    @operation("tables_sheet_create", status=201)
    def post(self, request: Request, sent: Sent[StartSheet]) -> ScoreSheetAnswer:
        """Start a score sheet for a game with printed cards."""
        sheet = services.start_sheet(request._request, sent.value, key=sent.key)
        return _show(request, sheet.code)


class SheetDetail(APIView):
    @operation("tables_sheet")
    def get(self, request: Request, sheet: str) -> ScoreSheetAnswer:
        """A score sheet: whose turn it is, and the points so far."""
        return _show(request, sheet)


class SheetTurn(APIView):
    @operation("tables_sheet_turn")
    def post(self, request: Request, sheet: str, sent: Sent[SendTurn]) -> ScoreSheetAnswer:
        """The next turn, the end, an action: whatever the turn tracker knows."""
        row = get_visible_sheet(request.who, sheet)
        turns_and_roles.change_turn(row, request.who, sent.value.turn, key=sent.key)
        return _show(request, sheet)


class SheetScores(APIView):
    @operation("tables_sheet_scores")
    def post(self, request: Request, sheet: str, sent: Sent[SendFigures]) -> ScoreSheetAnswer:
        """Enter everything one seat has."""
        row = get_visible_sheet(request.who, sheet)
        services.enter_figures(row, request.who, sent.value.figures, key=sent.key)
        return _show(request, sheet)


class SheetOptions(APIView):
    @operation("tables_sheet_options")
    def put(self, request: Request, sheet: str, sent: SentAgain[SetOptions]) -> ScoreSheetAnswer:
        """What the players agreed about ties and family scoring."""
        row = get_visible_sheet(request.who, sheet)
        services.set_options(row, request.who, sent.value)
        return _show(request, sheet)


class SheetNames(APIView):
    @operation("tables_sheet_names")
    def put(self, request: Request, sheet: str, sent: SentAgain[NameSeats]) -> ScoreSheetAnswer:
        """Name the seats, or shuffle who sits where before the first turn."""
        row = get_visible_sheet(request.who, sheet)
        services.rename_seats(row, request.who, sent.value)
        return _show(request, sheet)


class SheetResult(APIView):
    @operation("tables_sheet_result")
    def post(self, request: Request, sheet: str, sent: Sent[SaveResult]) -> ScoreSheetAnswer:
        """Save the result with its players."""
        row = get_visible_sheet(request.who, sheet)
        request.who.require_person()
        services.save_result(row, request.who, sent.value, key=sent.key)
        return _show(request, sheet)


class SheetAgain(APIView):
    @operation("tables_sheet_again", status=201)
    def post(self, request: Request, sheet: str, sent: Sent[Nothing]) -> ScoreSheetAnswer:
        """A new sheet with the same players."""
        row = get_visible_sheet(request.who, sheet)
        return _show(request, services.play_again(request._request, row, key=sent.key).code)


# ── Hidden roles ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Role:
    cards: tuple[str, ...]


class SheetRoles(APIView):
    @operation("tables_sheet_deal")
    def post(self, request: Request, sheet: str, sent: Sent[DealAgain]) -> ScoreSheetAnswer:
        """Deal the hidden roles."""
        row = get_visible_sheet(request.who, sheet)
        turns_and_roles.deal_roles(row, request.who, key=sent.key, seen=sent.value.seen)
        return _show(request, sheet)

    @operation("tables_sheet_reveal")
    def delete(self, request: Request, sheet: str) -> ScoreSheetAnswer:
        """Turn all roles face up."""
        turns_and_roles.reveal_roles(get_visible_sheet(request.who, sheet), request.who)
        return _show(request, sheet)


class SheetRole(APIView):
    @operation("tables_sheet_role")
    def get(self, request: Request, sheet: str, place: int) -> Role:
        """The hidden cards of a seat, for the token that took them."""
        return _role(request, get_visible_sheet(request.who, sheet), place)

    @operation("tables_sheet_take_role")
    def post(self, request: Request, sheet: str, place: int) -> Role:
        """Take the hidden cards of a seat: only this token sees them then."""
        row = get_visible_sheet(request.who, sheet)
        turns_and_roles.take_role(request._request, row, _get_seat(row, place).number)
        return _role(request, row, place)

    @operation("tables_sheet_cover_role")
    def delete(self, request: Request, sheet: str, place: int) -> None:
        """Cover them again, until the game is over."""
        row = get_visible_sheet(request.who, sheet)
        turns_and_roles.cover_role(row, request.who, _get_seat(row, place).number)


def _get_seat(sheet: Sheet, place: int) -> SheetSeat:
    return get_object_or_404(sheet.seat_set.all(), number=place - 1)


def _role(request: Request, sheet: Sheet, place: int) -> Role:
    cards = turns_and_roles.get_cards_for(request.who, sheet, _get_seat(sheet, place))
    show_secret(request._request)
    return Role(tuple(cards))


# ── Points without a sheet ───────────────────────────────────────────────────────────────────────────────


def _require_players(counts: tuple[Mapping[str, object], ...]) -> None:
    if not counts:
        raise Refusal("Send the counts of at least one player.", field="counts")


# How many, or two numbers, by the game.
Counted = Mapping[str, Annotated[Any, Shape(int | tuple[int, int])]]


@dataclass(frozen=True)
class CountCards:
    counts: Annotated[tuple[Counted, ...], Count("Players", MAX_PLAYERS), Check(_require_players)]
    roles: Annotated[tuple[Annotated[str, Text("The role", 20)], ...], Count("Roles", 4)] | None = None
    left: Annotated[tuple[Counted, ...], Count("Left", MAX_PLAYERS)] | None = None
    agreed: Annotated[str, Text("The tie rule", 20)] | None = None
    deck: Annotated[str, Text("The deck", 16, empty=True)] = ""


_GAMES = [(game.title, game.companion) for game in SHELF.values() if game.companion]


def _fact(game: str, key: str, kind: type, meaning: str) -> tuple[str, Any, Any]:
    """What the score of a game depends on, as a field of the body."""
    hint: Any = bool if kind is bool else Annotated[str, Text(key.capitalize(), 40)]
    return key, Annotated[hint | None, f"{game}: {meaning}."], field(default=None)


# What each player has, and what else a game's score depends on: each game says it.
CardCount = make_dataclass(
    "CardCount",
    [_fact(title, key, *fact) for title, companion in _GAMES for key, fact in companion.facts.items()],
    bases=(CountCards,),
    frozen=True,
    namespace={
        "__doc__": " ".join(
            ["What each player has.", *(f"{title}: {companion.counts_help}." for title, companion in _GAMES)]
        )
    },
)


class CardScore(TypedDict):
    outcome: str | None
    winners: list[int]
    scores: list[int]
    lines: list[list[ScoreLine]]
    facts: Mapping[str, Any]
    options: Mapping[str, Setting]
    warnings: list[str | SheetWarning]
    sentence: NotRequired[Annotated[str, "how it ended, once that is certain"]]


class ScoreView(APIView):
    scopes = {"POST": READ}  # works out points and stores nothing
    needs_no_log_in = ("POST",)

    @operation("tables_score_create")
    def post(self, request: Request, game: str, sent: SentAgain[CardCount]) -> CardScore:  # type: ignore[valid-type]
        """The points of a game with printed cards, line by line, and the winner."""
        companion = find_companion(game)
        count: CountCards = sent.value
        deck = get_chosen_deck(request.who, game, count.deck)
        if count.roles and not companion.roles(deck):
            raise Refusal(services.NO_ROLES, field="roles")
        given = {one.name: getattr(count, one.name) for one in fields(count)}
        known = {name: value for name, value in given.items() if value is not None}
        return cast(CardScore, companion.score_sent(known, deck).as_json())
