"""Card tables as JSON, with the data and refusals of the pages. A seat's view needs the seat's pass in the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.models import Table
from cardgames.selectors import get_held_seat, get_visible_table
from cardgames.tables import load_from_log, services
from cardgames.tables.display import build_table_display
from pages.number_parsing import parse_int
from refusal import Refusal

NOT_PLAYABLE = (Table.State.LOBBY, Table.State.CLOSED)


class CardTableRowSerializer(serializers.ModelSerializer):
    state = serializers.CharField(help_text="lobby, play, over or closed")

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


class CardTableSerializer(CardTableRowSerializer):
    """A table as everybody sees it; ``play`` is what the TV shows once the game has started."""

    people = CardSeatSerializer(many=True)
    options = serializers.DictField()
    deck = serializers.CharField()
    play = serializers.DictField(allow_null=True)

    class Meta(CardTableRowSerializer.Meta):
        fields = [*CardTableRowSerializer.Meta.fields, "people", "options", "deck", "play"]


class CardSeatViewSerializer(serializers.Serializer):
    """What one seat sees, what it has to choose, and what happened."""

    view = serializers.DictField()
    ask = serializers.DictField(allow_null=True)
    waiting = serializers.CharField()
    events = serializers.ListField(child=serializers.DictField())
    standing = serializers.ListField(child=serializers.DictField())
    outcome = serializers.CharField()


class CardChoiceSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    choice = serializers.CharField(max_length=120, help_text='a key from ``ask``, or "undo"')
    stamp = serializers.IntegerField(min_value=0, help_text="the stamp of the ask it answers")


class TableList(APIView):
    @extend_schema(responses=CardTableRowSerializer(many=True), operation_id="tables_list")
    def get(self, request: Request) -> Response:
        """The open tables you host or sit at."""
        rows = Table.objects.played_or_hosted_by(request.who).open().defer("deck", "seed")
        return Response(CardTableRowSerializer(rows, many=True).data)


class TableDetail(APIView):
    @extend_schema(responses=CardTableSerializer, operation_id="tables_show")
    def get(self, request: Request, code: str) -> Response:
        """One table: its seats and what everybody can see."""
        table = get_visible_table(request, code)
        display = build_table_display(table, request.who)
        running = load_from_log.load_if_begun(table)
        rows = CardTableRowSerializer(table).data
        return Response(
            {
                **rows,
                "people": CardSeatSerializer(display.seats, many=True).data,
                "options": table.options,
                "deck": table.deck_title,
                "play": running.seat_display(None, display.names, _parse_since(request)).as_json() if running else None,
            }
        )


class SeatView(APIView):
    @extend_schema(responses=CardSeatViewSerializer, operation_id="tables_seat")
    def get(self, request: Request, code: str, number: int) -> Response:
        """The game as this seat sees it; ``?since=`` leaves out earlier events."""
        table, _, _ = get_held_seat(request, code, number)
        return Response(_seat_view(table, number, _parse_since(request)))


class ChooseView(APIView):
    @extend_schema(request=CardChoiceSerializer, responses={201: CardSeatViewSerializer}, operation_id="tables_choose")
    def post(self, request: Request, code: str, number: int) -> Response:
        """Choose one of the offered keys. Returns the new view."""
        table, seat, token = get_held_seat(request, code, number)
        given = CardChoiceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        services.submit_choice(table, seat, token, **given.validated_data)
        return Response(_seat_view(get_visible_table(request, code), number, _parse_since(request)), status=201)


def _seat_view(table: Table, number: int, since: int) -> Mapping[str, Any]:
    if table.state in NOT_PLAYABLE:
        raise Refusal(services.NOT_BEGUN if table.state == Table.State.LOBBY else services.OVER, status=409)
    names = load_from_log.get_seat_names(load_from_log.seats_of(table))
    return load_from_log.load_running_table(table).seat_display(number, names, since).as_json()


def _parse_since(request: Request) -> int:
    text = request.query_params.get("since", "")
    return parse_int(text) or 0
