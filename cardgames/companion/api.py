"""Score sheets beside printed cards by API: the same services as the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from cardgames.companion import hidden_roles, services, turns
from cardgames.companion.display import score_of, seat_rows, turn_of
from cardgames.companion.save_result import save_sheet_result
from cardgames.companion.sheet_acts import (
    MAX_SEATS,
    MAX_STEP,
    ChangeTurn,
    EnterFigures,
    SetOptions,
    is_turn_word,
)
from cardgames.decks import selectors as decks_selectors
from cardgames.games import find_companion, find_game
from cardgames.models import Sheet
from cardgames.selectors import get_visible_sheet
from dataclass_json import AtMost, Count, Schema, Text, Whole
from pages.api.answer_schema import SETTING
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.number_parsing import parse_int
from people.accounts.log_ins import browser_of
from people.passes import services as passes_services
from people.passes.shown_secrets import link_address

Key = Annotated[str, Text("The key", 80)]
Label = Annotated[str, Text("A name", 1000, empty=True), AtMost(services.MAX_NAME)]
Step = Annotated[int, Whole("The step", -1, MAX_STEP)]


@dataclass(frozen=True, slots=True)
class SentSheet:
    """A new sheet. A key sent twice makes one."""

    key: Key
    game: Annotated[str, Text("The game", 40)]
    seats: Annotated[int, Whole("The seats", 1, MAX_SEATS)]
    names: Annotated[tuple[Label, ...], Count("Names", MAX_SEATS)] = ()
    deck: Annotated[str, Text("The deck", 40, empty=True)] = ""
    brisk: bool = False


@dataclass(frozen=True, slots=True)
class SentTurn:
    key: Key
    turn: ChangeTurn


@dataclass(frozen=True, slots=True)
class SentFigures:
    key: Key
    figures: EnterFigures


@dataclass(frozen=True, slots=True)
class SentNames:
    names: Annotated[tuple[Label, ...], Count("Names", MAX_SEATS)]
    shuffle: bool = False


@dataclass(frozen=True, slots=True)
class SentKey:
    key: Key


@dataclass(frozen=True, slots=True)
class SentDeal:
    key: Key
    seen: Step


@dataclass(frozen=True, slots=True)
class SentSheetResult:
    """Who sat where, by name: somebody you know, or a new guest; empty for nobody."""

    key: Key
    people: Annotated[tuple[Label, ...], Count("People", MAX_SEATS)] = field(default=())


def _json(kind: type) -> dict[str, Schema]:
    return {"application/json": dataclass_json.schema(kind)}


class ScoreSheetRowSerializer(serializers.Serializer):
    code = serializers.CharField()
    game = serializers.CharField()
    opened_at = serializers.DateTimeField()


class SheetSeatSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="only if everybody may see it")
    is_mine = serializers.BooleanField()
    is_active = serializers.BooleanField()
    is_taken = serializers.BooleanField()


class SheetTurnSerializer(serializers.Serializer):
    sentence = serializers.CharField()
    steps = serializers.ListField(child=serializers.CharField())
    more = serializers.CharField()


class SheetCountSerializer(serializers.Serializer):
    seat = serializers.IntegerField(source="seat.number")
    total = serializers.IntegerField()
    won = serializers.BooleanField()


class SheetScoreSerializer(serializers.Serializer):
    counts = SheetCountSerializer(many=True)
    sentence = serializers.CharField()
    outcome = serializers.CharField(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField())
    refusal = serializers.CharField()
    why_no_winner = serializers.CharField()


class ScoreSheetSerializer(ScoreSheetRowSerializer):
    version = serializers.IntegerField(source="log.version")
    step = serializers.IntegerField()
    over = serializers.BooleanField()
    seats = SheetSeatSerializer(many=True)
    turn = SheetTurnSerializer()
    score = SheetScoreSerializer()
    options = serializers.DictField(child=TypedJSONField(SETTING))
    is_keeper = serializers.BooleanField()
    link = serializers.CharField(
        allow_null=True, help_text="address for the other phones; a token needs the scope play to see it"
    )
    has_result = serializers.BooleanField()


class RoleSerializer(serializers.Serializer):
    cards = serializers.ListField(child=serializers.CharField())


class CompanionSetUpSerializer(serializers.Serializer):
    steps = serializers.ListField(child=serializers.CharField())
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="fewest and most players")
    warnings = serializers.ListField(child=serializers.CharField())


def _sheet(request: Request, row: Sheet, status: int = 200) -> Response:
    row = get_visible_sheet(request.who, row.code)
    seats = seat_rows(row, request.who)
    is_keeper = services.is_keeper(request.who, row)
    link = link_address(request._request, row.link) if row.link else None
    found = {
        **ScoreSheetRowSerializer(row).data,
        "version": row.log.version,
        "step": row.state.get("step", 0),
        "over": bool(row.state["over"]),
        "seats": SheetSeatSerializer(seats, many=True).data,
        "turn": SheetTurnSerializer(turn_of(row, seats)).data,
        "score": SheetScoreSerializer(score_of(row, seats)).data,
        "options": row.options,
        "is_keeper": is_keeper,
        "link": link,
        "has_result": row.result_id is not None,
    }
    return Response(found, status=status)


class CompanionSetUp(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(
        parameters=[OpenApiParameter("seats", int), OpenApiParameter("deck", str), OpenApiParameter("brisk", bool)],
        responses=CompanionSetUpSerializer,
        operation_id="tables_companion",
    )
    def get(self, request: Request, game: str) -> Response:
        """How to set up a game with printed cards."""
        companion, found = find_companion(game), find_game(game)
        query = request.query_params
        deck = decks_selectors.get_chosen_deck(request.who, game, query.get("deck", ""))
        low, high = found.seat_limits(deck)
        asked = parse_int(query.get("seats", ""))
        seats = asked if asked is not None and low <= asked <= high else low
        options = services.set_up_options(companion, query.get("brisk") == "true")
        warnings = found.warnings(deck, seats, options)
        return Response(
            {
                "steps": companion.set_up(deck, seats, options),
                "seats": [low, high],
                "warnings": [str(one) for one in warnings],
            }
        )


class SheetList(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(
        parameters=[*PAGE_PARAMETERS, OpenApiParameter("game", str)],
        responses=ScoreSheetRowSerializer(many=True),
        operation_id="tables_sheets",
    )
    def get(self, request: Request) -> Response:
        """Your score sheets, newest first."""
        rows = Sheet.objects.visible_to(request.who)
        if game := request.query_params.get("game", ""):
            rows = rows.filter(game=game)
        return paginate(request, rows, ("-pk",), lambda found: ScoreSheetRowSerializer(found, many=True).data)

    @extend_schema(request=_json(SentSheet), responses={201: ScoreSheetSerializer}, operation_id="tables_sheet_create")
    def post(self, request: Request) -> Response:
        """Start a score sheet for a game with printed cards."""
        sent = dataclass_json.read(SentSheet, request.data)
        companion = find_companion(sent.game)
        deck = decks_selectors.get_chosen_deck(request.who, sent.game, sent.deck)
        services.SHEET_LIMIT.count_use(request._request)
        row = services.create_sheet(
            request.who,
            ref=_ref(request),
            key=sent.key,
            deck=deck,
            seats=sent.seats,
            names=sent.names,
            options=services.set_up_options(companion, sent.brisk),
        )
        if row.owner is not None:
            passes_services.hold_pass(request._request, row.owner)
        return _sheet(request, row, 201)


def _ref(request: Request) -> str:
    return "" if request.who.is_known else f"browser:{browser_of(request._request).id}"


class SheetDetail(APIView):
    @extend_schema(responses=ScoreSheetSerializer, operation_id="tables_sheet")
    def get(self, request: Request, sheet: str) -> Response:
        """A score sheet: whose turn it is, and the points so far."""
        return _sheet(request, get_visible_sheet(request.who, sheet))


class SheetTurn(APIView):
    @extend_schema(request=_json(SentTurn), responses=ScoreSheetSerializer, operation_id="tables_sheet_turn")
    def post(self, request: Request, sheet: str) -> Response:
        """The next turn, the end, an action: whatever the turn tracker knows."""
        row = get_visible_sheet(request.who, sheet)
        sent = dataclass_json.read(SentTurn, request.data)
        turn = sent.turn
        assert is_turn_word(turn.turn)
        turns.change_turn(
            row,
            request.who,
            turn.turn,
            seen=turn.seen,
            seat=turn.seat,
            dice=turn.dice,
            what=turn.what,
            key=sent.key,
        )
        return _sheet(request, row)


class SheetScores(APIView):
    @extend_schema(request=_json(SentFigures), responses=ScoreSheetSerializer, operation_id="tables_sheet_scores")
    def post(self, request: Request, sheet: str) -> Response:
        """Enter everything one seat has."""
        row = get_visible_sheet(request.who, sheet)
        sent = dataclass_json.read(SentFigures, request.data)
        services.enter_figures(row, request.who, sent.figures.seat, sent.figures.figures, key=sent.key)
        return _sheet(request, row)


class SheetOptions(APIView):
    @extend_schema(request=_json(SetOptions), responses=ScoreSheetSerializer, operation_id="tables_sheet_options")
    def put(self, request: Request, sheet: str) -> Response:
        """What the players agreed about ties and family scoring."""
        row = get_visible_sheet(request.who, sheet)
        services.set_options(row, request.who, dict(dataclass_json.read(SetOptions, request.data).options))
        return _sheet(request, row)


class SheetNames(APIView):
    @extend_schema(request=_json(SentNames), responses=ScoreSheetSerializer, operation_id="tables_sheet_names")
    def put(self, request: Request, sheet: str) -> Response:
        """Name the seats, or shuffle who sits where before the first turn."""
        row = get_visible_sheet(request.who, sheet)
        sent = dataclass_json.read(SentNames, request.data)
        names = services.shuffle_names(row, sent.names) if sent.shuffle else sent.names
        services.rename_seats(row, request.who, names)
        return _sheet(request, row)


class SheetResult(APIView):
    @extend_schema(request=_json(SentSheetResult), responses=ScoreSheetSerializer, operation_id="tables_sheet_result")
    def post(self, request: Request, sheet: str) -> Response:
        """Save the result with its players."""
        row = get_visible_sheet(request.who, sheet)
        request.who.require_person()
        sent = dataclass_json.read(SentSheetResult, request.data)
        seats = seat_rows(row, request.who)
        people = [*sent.people, *[""] * len(seats)][: len(seats)]
        seconds = int((timezone.now() - row.opened_at).total_seconds())
        save_sheet_result(row, request.who, seats, score_of(row, seats), people, key=sent.key, seconds=seconds)
        return _sheet(request, row)


class SheetAgain(APIView):
    @extend_schema(request=_json(SentKey), responses={201: ScoreSheetSerializer}, operation_id="tables_sheet_again")
    def post(self, request: Request, sheet: str) -> Response:
        """A new sheet with the same players."""
        row = get_visible_sheet(request.who, sheet)
        sent = dataclass_json.read(SentKey, request.data)
        services.SHEET_LIMIT.count_use(request._request)
        following, held = services.create_next_sheet(row, request.who, key=sent.key, ref=_ref(request))
        if held is not None:
            passes_services.hold_pass(request._request, held)
        return _sheet(request, following, 201)


class SheetRoles(APIView):
    @extend_schema(request=_json(SentDeal), responses=ScoreSheetSerializer, operation_id="tables_sheet_deal")
    def post(self, request: Request, sheet: str) -> Response:
        """Deal the hidden roles."""
        row = get_visible_sheet(request.who, sheet)
        sent = dataclass_json.read(SentDeal, request.data)
        hidden_roles.deal_roles(row, request.who, key=sent.key, seen=sent.seen)
        return _sheet(request, row)

    @extend_schema(responses={200: ScoreSheetSerializer}, operation_id="tables_sheet_reveal")
    def delete(self, request: Request, sheet: str) -> Response:
        """Turn all roles face up."""
        row = get_visible_sheet(request.who, sheet)
        hidden_roles.reveal_roles(row, request.who)
        return _sheet(request, row)


class SheetRole(APIView):
    @extend_schema(responses=RoleSerializer, operation_id="tables_sheet_role")
    def get(self, request: Request, sheet: str, place: int) -> Response:
        """The hidden cards of a seat, for the token that took them."""
        row = get_visible_sheet(request.who, sheet)
        return _role(request, row, place)

    @extend_schema(request=None, responses=RoleSerializer, operation_id="tables_sheet_take_role")
    def post(self, request: Request, sheet: str, place: int) -> Response:
        """Take the hidden cards of a seat: only this token sees them then."""
        row = get_visible_sheet(request.who, sheet)
        hidden_roles.take_role(request._request, row, get_object_or_404(row.seat_set.all(), number=place - 1).number)
        return _role(request, row, place)

    @extend_schema(responses={204: None}, operation_id="tables_sheet_cover_role")
    def delete(self, request: Request, sheet: str, place: int) -> Response:
        """Cover them again, until the game is over."""
        row = get_visible_sheet(request.who, sheet)
        hidden_roles.cover_role(row, request.who, get_object_or_404(row.seat_set.all(), number=place - 1).number)
        return Response(status=204)


def _role(request: Request, row: Sheet, place: int) -> Response:
    seat = get_object_or_404(row.seat_set.all(), number=place - 1)
    faces = hidden_roles.get_cards_for(request.who, row, seat)
    return Response({"cards": list(faces)}, headers={"Cache-Control": "no-store"})
