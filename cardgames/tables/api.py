"""Card tables as JSON, with the data and refusals of the pages. A seat's view needs the seat's pass in the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from cardgames.engine import UNDO
from cardgames.engine.game_definition import SeatScore
from cardgames.engine.seat_reading import EventJson
from cardgames.models import Table
from cardgames.selectors import NO_TABLE, find_by_typed_code, get_held_seat, get_visible_table
from cardgames.tables import act_dispatch, choice_services, load_from_log
from cardgames.tables.core import codec
from cardgames.tables.core.codec import SentChoice, SentTable
from cardgames.tables.display import build_table_display
from cardgames.tables.permissions import can_host, remember_new_host
from cardgames.tables.seat_view_shapes import AskShape, ViewShape
from cardgames.tables.seats import phone_transfer, seating
from pages.api.answer_schema import SETTING, answer_schema
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from pages.number_parsing import parse_int
from people.accounts.log_ins import attach_requester
from people.passes.shown_secrets import link_address
from refusal import Refusal

NOT_PLAYABLE = (Table.State.LOBBY, Table.State.CLOSED)


class CardTableRowSerializer(serializers.ModelSerializer):
    state = serializers.ChoiceField(Table.State.choices)
    asked = serializers.ListField(child=serializers.IntegerField(), help_text="seats that have to choose")

    class Meta:
        model = Table
        fields = ["code", "game", "rules", "seats", "state", "paused", "asked", "opened_at"]


class CardSeatSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    bot = serializers.CharField()
    is_free = serializers.BooleanField()
    is_mine = serializers.BooleanField()
    is_asked = serializers.BooleanField()


class CardClaimSerializer(serializers.Serializer):
    """A phone that asks for a seat; only the host sees it, and answers with the act "decide"."""

    number = serializers.IntegerField()
    claim = serializers.IntegerField()
    claimed_by = serializers.CharField()


class CardSeatViewSerializer(serializers.Serializer):
    """What one seat sees, what it has to choose, and what happened."""

    view = TypedJSONField(answer_schema(ViewShape))
    ask = TypedJSONField(answer_schema(AskShape), allow_null=True)
    waiting = serializers.CharField()
    events = serializers.ListField(child=TypedJSONField(answer_schema(EventJson)))
    standing = serializers.ListField(child=TypedJSONField(answer_schema(SeatScore)))
    outcome = serializers.CharField()


class CardTableSerializer(CardTableRowSerializer):
    """A table as everybody sees it; ``play`` is what the TV shows once the game has started."""

    people = CardSeatSerializer(many=True)
    claims = CardClaimSerializer(many=True)
    options = serializers.DictField(child=TypedJSONField(SETTING))
    deck = serializers.CharField()
    play = CardSeatViewSerializer(allow_null=True)
    live = serializers.CharField(help_text="stream of news: the table has changed")

    class Meta(CardTableRowSerializer.Meta):
        fields = [*CardTableRowSerializer.Meta.fields, "people", "claims", "options", "deck", "play", "live"]


def _json(schema: dict[str, object]) -> dict[str, object]:
    """The request of the API's schema, from the fields of the dataclass that reads it."""
    return {"application/json": schema}


SINCE = OpenApiParameter(
    "since",
    {"type": "integer", "minimum": 0},
    description="number of an event: those before it are left out",
)


class TableList(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(
        parameters=[*PAGE_PARAMETERS, OpenApiParameter("game", str)],
        responses=CardTableRowSerializer(many=True),
        operation_id="tables_list",
    )
    def get(self, request: Request) -> Response:
        """The open tables you host or sit at, newest first."""
        rows = Table.objects.played_or_hosted_by(request.who).open().defer("deck", "seed")
        if game := request.query_params.get("game", ""):
            rows = rows.filter(game=game)
        order = ("-opened_at", "-pk")
        return paginate(
            request, rows, order, lambda found: CardTableRowSerializer(found, many=True).data, most=MAX_ROWS
        )

    @extend_schema(
        request=_json(dataclass_json.schema(SentTable)),
        responses={201: CardTableRowSerializer},
        operation_id="tables_open",
    )
    def post(self, request: Request) -> Response:
        """Open a table and be its host. The same key opens it once. Newcomers give a name."""
        sent = dataclass_json.read(SentTable, request.data)
        if sent.name and can_host(request.who):
            remember_new_host(request._request, sent.name, key=sent.key)
        table = act_dispatch.host_table(request.who, sent.table, key=sent.key)
        return Response(CardTableRowSerializer(table).data, status=201)


class TableDetail(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(parameters=[SINCE], responses=CardTableSerializer, operation_id="tables_show")
    def get(self, request: Request, code: str) -> Response:
        """One table: its seats and what everybody can see."""
        return Response(_table_view(get_visible_table(request, code), request))


class TableActs(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(
        request=_json(codec.envelope_schema()), responses={201: CardTableSerializer}, operation_id="tables_act"
    )
    def post(self, request: Request, code: str) -> Response:
        """Any act at a table but the choices of the game: sit down, fill with bots, start, pause, call off …"""
        table = get_visible_table(request, code)
        key, act = codec.read_envelope(request.data)
        after = act_dispatch.perform_act(request._request, table, act, key=key)
        attach_requester(request._request)  # seats came or went with the act
        return Response(_table_view(get_visible_table(request, after.code), request), status=201)


class JoinSerializer(serializers.Serializer):
    code = serializers.CharField(max_length=40, help_text="as typed: “jh pp” and “JH-PP” are the same")
    key = serializers.CharField(max_length=80, default="", allow_blank=True)
    name = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="sit down at once under this name"
    )


class JoinedSerializer(serializers.Serializer):
    table = serializers.CharField(help_text="code of the card table; empty for something else")
    page = serializers.CharField()


class JoinView(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(request=JoinSerializer, responses=JoinedSerializer, operation_id="tables_join")
    def post(self, request: Request) -> Response:
        """Find what has this code. Without a log-in, a name is enough to sit down before the game begins."""
        sent = read_body(JoinSerializer, request)
        found = find_by_typed_code(request._request, sent["code"])
        if not found:
            raise Refusal(NO_TABLE, status=404, field="code")
        if isinstance(found, str):
            return Response({"table": "", "page": found})
        if sent["name"]:
            seating.sit_down_at_once(request._request, found, key=sent["key"], name=sent["name"])
        return Response({"table": found.code, "page": found.get_absolute_url()})


class SeatLinkSerializer(serializers.Serializer):
    address = serializers.CharField(help_text="moves the seat to whoever accepts it")


class SeatLinkView(APIView):
    @extend_schema(request=None, responses={201: SeatLinkSerializer}, operation_id="tables_seat_link")
    def post(self, request: Request, code: str, number: int) -> Response:
        """A link that moves a seat to another phone or token, which accepts it at links/accept/."""
        table = get_visible_table(request, code)
        row = phone_transfer.create_transfer_link(table, request.who, number)
        return Response({"address": link_address(request._request, row)}, status=201)


class SeatView(APIView):
    @extend_schema(parameters=[SINCE], responses=CardSeatViewSerializer, operation_id="tables_seat")
    def get(self, request: Request, code: str, number: int) -> Response:
        """The game as this seat sees it."""
        table, _, _ = get_held_seat(request, code, number)
        return Response(_seat_view(request, table, number))


class ChooseView(APIView):
    @extend_schema(
        request=_json(dataclass_json.schema(SentChoice)),
        responses={201: CardSeatViewSerializer},
        operation_id="tables_choose",
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """Choose one of the offered keys. Returns the new view."""
        table, seat, token = get_held_seat(request, code, number)
        sent = dataclass_json.read(SentChoice, request.data)
        replay = None if sent.choice == UNDO else load_from_log.SeatReplay(number)
        choice_services.submit_choice(
            table, seat, token, key=sent.key, choice=sent.choice, stamp=sent.stamp, replay=replay
        )
        table = get_visible_table(request, code)
        return Response(_seat_view(request, table, number, replay), status=201)


def _table_view(table: Table, request: Request) -> Mapping[str, object]:
    display = build_table_display(table, request.who)
    running = load_from_log.load_if_begun(table)
    return {
        **CardTableRowSerializer(table).data,
        "people": CardSeatSerializer(display.seats, many=True).data,
        "claims": CardClaimSerializer(display.claims, many=True).data,
        "options": table.options,
        "deck": table.deck_title,
        "live": f"/live/{table.log_id}/",
        "play": running.seat_display(None, display.names, _parse_since(request)).as_json() if running else None,
    }


def _seat_view(
    request: Request, table: Table, number: int, replay: load_from_log.SeatReplay | None = None
) -> Mapping[str, Any]:
    if table.state in NOT_PLAYABLE:
        raise Refusal(
            choice_services.NOT_BEGUN if table.state == Table.State.LOBBY else choice_services.OVER, status=409
        )
    names = load_from_log.get_seat_names(load_from_log.seats_seen_by(request.who, table))
    shown = replay is not None and replay.version == table.log.version
    running = replay.running if replay and shown else load_from_log.load_running_table(table)
    seen = running.seat_display(number, names, _parse_since(request)).as_json()
    load_from_log.keep_game(table, running)
    return seen


def _parse_since(request: Request) -> int:
    text = request.query_params.get("since", "")
    return parse_int(text) or 0
