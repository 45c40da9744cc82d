"""Card tables as JSON: the same sheets, doors and refusals as the pages. A seat's view needs the seat's pass in the session."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames import door, loading
from cardgames.models import Table
from cardgames.seat_views import held
from cardgames.sheet import table_sheet
from cardgames.views import visible
from pages.numbers import whole
from refusal import Refusal

NOT_YET = (Table.State.LOBBY, Table.State.CLOSED)


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
    """A table as everybody sees it; ``play`` is what the screen on the wall shows, once the game has begun."""

    people = CardSeatSerializer(many=True)
    options = serializers.DictField()
    deck = serializers.CharField()
    play = serializers.DictField(allow_null=True)

    class Meta(CardTableRowSerializer.Meta):
        fields = [*CardTableRowSerializer.Meta.fields, "people", "options", "deck", "play"]


class CardSeatViewSerializer(serializers.Serializer):
    """What one seat may know, what is asked of it, and what happened in its view."""

    view = serializers.DictField()
    ask = serializers.DictField(allow_null=True)
    waiting = serializers.CharField()
    events = serializers.ListField(child=serializers.DictField())
    standing = serializers.ListField(child=serializers.DictField())
    outcome = serializers.CharField()


class CardChoiceSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="of this tap, made by the sender; sent twice it counts once")
    choice = serializers.CharField(max_length=120, help_text='a key of the ask, or "undo"')
    stamp = serializers.IntegerField(min_value=0, help_text="of the ask it answers")


class Tables(APIView):
    @extend_schema(responses=CardTableRowSerializer(many=True), operation_id="tables_list")
    def get(self, request: Request) -> Response:
        """The open tables one hosts or sits at."""
        rows = Table.objects.of(request.who).open().defer("deck", "seed")
        return Response(CardTableRowSerializer(rows, many=True).data)


class TableDetail(APIView):
    @extend_schema(responses=CardTableSerializer, operation_id="tables_show")
    def get(self, request: Request, code: str) -> Response:
        """One table: its seats, and what lies open."""
        table = visible(request, code)
        sheet = table_sheet(table, request.who)
        live = loading.live_of(table)
        rows = CardTableRowSerializer(table).data
        return Response(
            {
                **rows,
                "people": CardSeatSerializer(sheet.seats, many=True).data,
                "options": table.options,
                "deck": table.deck_title,
                "play": live.sheet(None, sheet.names, _since(request)) if live else None,
            }
        )


class SeatView(APIView):
    @extend_schema(responses=CardSeatViewSerializer, operation_id="tables_seat")
    def get(self, request: Request, code: str, number: int) -> Response:
        """The game as this seat sees it; ``?since=`` leaves out earlier events."""
        table, _, _ = held(request, code, number)
        return Response(_seen(table, number, _since(request)))


class Choices(APIView):
    @extend_schema(request=CardChoiceSerializer, responses={201: CardSeatViewSerializer}, operation_id="tables_choose")
    def post(self, request: Request, code: str, number: int) -> Response:
        """Choose one of the keys offered, and see what came of it."""
        table, seat, token = held(request, code, number)
        given = CardChoiceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        door.choose(table, seat, token, **given.validated_data)
        return Response(_seen(visible(request, code), number, _since(request)), status=201)


def _seen(table: Table, number: int, since: int) -> dict[str, Any]:
    if table.state in NOT_YET:
        raise Refusal(door.NOT_BEGUN if table.state == Table.State.LOBBY else door.OVER, status=409)
    return loading.load(table).sheet(number, loading.names_of(loading.seats_of(table)), since)


def _since(request: Request) -> int:
    text = request.query_params.get("since", "")
    return whole(text) or 0
