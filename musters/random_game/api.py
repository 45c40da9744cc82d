"""An evening as JSON: the same sheet as the page."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chance import Dice, fresh_seed
from musters.evening import GROUNDS, NO_EVENTS, ROUNDS, Evening, asked_for, evening, fresh_word
from musters.ground import FAIR
from people.api import REFUSED
from rulebook.events import EVENTS
from rulebook.plain import plain
from rulebook.scenarios import SCENARIOS


class RolledOffSerializer(serializers.Serializer):
    what = serializers.CharField()
    steps = serializers.ListField(child=serializers.CharField())
    winner = serializers.CharField()


class EventSerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()


class RoundSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    die = serializers.IntegerField()
    table_die = serializers.IntegerField(allow_null=True, help_text="Thrown only when the first die is 8 or more.")
    event = EventSerializer(allow_null=True)


class LaidSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="Of its pair: twins bear the same.")
    terrain = serializers.CharField()
    x = serializers.FloatField(help_text="Of the centre, in inches from the south-west corner.")
    y = serializers.FloatField()


class PairSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    terrain = serializers.CharField()
    right = serializers.FloatField(help_text="Inches from the left-hand corner of one's own edge; the same for both.")
    up = serializers.FloatField()


class LayoutSerializer(serializers.Serializer):
    fair = serializers.SerializerMethodField()
    placed_by = serializers.ListField(child=serializers.CharField())
    pairs = PairSerializer(many=True)
    pieces = LaidSerializer(many=True)

    def get_fair(self, layout: Any) -> str:
        return FAIR


class PlacedSerializer(serializers.Serializer):
    unit = serializers.CharField(source="token.label", help_text="Side and number, such as A1.")
    x = serializers.FloatField(source="token.x")
    y = serializers.FloatField(source="token.y")
    right = serializers.IntegerField(source="spot.right", help_text="As the dice fell; x and y are where it stands.")
    up = serializers.IntegerField(source="spot.up")
    text = serializers.CharField(source="spot.text")


class EveningSerializer(serializers.Serializer):
    word = serializers.CharField(source="asked.word")
    page = serializers.SerializerMethodField(help_text="The address of the page that shows this evening.")
    drawing = serializers.SerializerMethodField(help_text="The address of the table as SVG.")
    scenario = serializers.SerializerMethodField()
    die = serializers.IntegerField(allow_null=True, help_text="Null where the scenario was chosen.")
    roll_offs = RolledOffSerializer(many=True)
    initiative = RolledOffSerializer(allow_null=True, help_text="Null where the scenario says who begins.")
    begins = serializers.CharField()
    rounds = RoundSerializer(many=True)
    last_round = serializers.IntegerField()
    event = EventSerializer(allow_null=True, help_text="Chosen for the evening.")
    ground = serializers.IntegerField(source="asked.ground")
    layout = LayoutSerializer(allow_null=True)
    spots = PlacedSerializer(many=True, help_text="Where the dice put units in Aftermath; empty elsewhere.")
    armies = serializers.ListField(
        child=serializers.CharField(), help_text="Codes of two armies from the word; in a siege the first one attacks."
    )

    def get_page(self, sheet: Evening) -> str:
        return f"{reverse('musters:evening')}?{sheet.asked.address()}"

    def get_drawing(self, sheet: Evening) -> str:
        return f"{reverse('musters:evening_ground')}?{sheet.asked.address()}"

    def get_scenario(self, sheet: Evening) -> dict[str, Any]:
        return plain(sheet.scenario)


class EveningView(APIView):
    """Nothing is stored and nobody is asked who they are."""

    authentication_classes: tuple[type, ...] = ()
    permission_classes: tuple[type, ...] = ()

    @extend_schema(
        parameters=[
            OpenApiParameter("word", str, description="Any word; without one a fresh word is drawn."),
            OpenApiParameter("scenario", str, enum=[row.key for row in SCENARIOS]),
            OpenApiParameter("event", str, enum=[NO_EVENTS, *(row.key for row in EVENTS)]),
            OpenApiParameter("round", {"type": "integer", "minimum": 0, "maximum": ROUNDS}),
            OpenApiParameter("ground", {"type": "integer", "minimum": 0, "maximum": GROUNDS}),
            OpenApiParameter("one", str),
            OpenApiParameter("two", str),
        ],
        responses={200: EveningSerializer, 422: REFUSED},
        operation_id="musters_evening",
        tags=["musters"],
    )
    def get(self, request: Request) -> Response:
        """Scenario, roll-offs, events and terrain from a word: the same word, the same evening."""
        given = request.query_params.dict()
        if not given.get("word", "").strip():
            given["word"] = fresh_word(Dice(fresh_seed()))
        return Response(EveningSerializer(evening(asked_for(given))).data)
