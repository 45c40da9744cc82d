"""A random game as JSON: the same data as the page."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chance import Dice, new_seed
from musters.random_game.generator import (
    MAX_LAYOUTS,
    MAX_ROUNDS,
    NO_EVENTS,
    RandomGame,
    draw_game_word,
    generate_game,
    read_request,
)
from musters.terrain import FAIRNESS_NOTE
from pages.api.answer_schema import answer_schema
from pages.api.operations import PublicAPIView
from people.api import REFUSED
from rulebook.data.battlefield import EVENTS
from rulebook.data.scenarios import SCENARIOS, Scenario
from rulebook.odds_and_situations_json import to_json


class RollOffResultSerializer(serializers.Serializer):
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
    table_die = serializers.IntegerField(allow_null=True, help_text="Only if the first die is 8 or more.")
    event = EventSerializer(allow_null=True)


class TerrainPieceSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="Number of its pair.")
    terrain = serializers.CharField()
    x = serializers.FloatField(help_text="Centre, in inches from the south-west corner.")
    y = serializers.FloatField()


class TerrainPairSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    terrain = serializers.CharField()
    right = serializers.FloatField(
        help_text="Inches from the left-hand corner of your own edge; the same for both sides."
    )
    up = serializers.FloatField()


class LayoutSerializer(serializers.Serializer):
    fair = serializers.SerializerMethodField()
    placed_by = serializers.ListField(child=serializers.CharField())
    pairs = TerrainPairSerializer(many=True)
    pieces = TerrainPieceSerializer(many=True)

    def get_fair(self, layout: Any) -> str:
        return FAIRNESS_NOTE


class PlacedUnitSerializer(serializers.Serializer):
    unit = serializers.CharField(source="token.label", help_text="Side and number, such as A1.")
    x = serializers.FloatField(source="token.x")
    y = serializers.FloatField(source="token.y")
    right = serializers.IntegerField(source="spot.right", help_text="As rolled; x and y are the final position.")
    up = serializers.IntegerField(source="spot.up")
    text = serializers.CharField(source="spot.text")


class RandomGameSerializer(serializers.Serializer):
    word = serializers.CharField(source="request.word")
    page = serializers.SerializerMethodField(help_text="URL of the page that shows this game.")
    drawing = serializers.SerializerMethodField(help_text="URL of the table as SVG.")
    scenario = serializers.SerializerMethodField()
    die = serializers.IntegerField(allow_null=True, help_text="Null if the scenario was chosen.")
    roll_offs = RollOffResultSerializer(many=True)
    initiative = RollOffResultSerializer(allow_null=True, help_text="Null if the scenario says who goes first.")
    begins = serializers.CharField()
    rounds = RoundSerializer(many=True)
    last_round = serializers.IntegerField()
    event = EventSerializer(allow_null=True, help_text="The chosen event.")
    ground = serializers.IntegerField(source="request.ground")
    layout = LayoutSerializer(allow_null=True)
    spots = PlacedUnitSerializer(many=True, help_text="Positions of units in Aftermath; otherwise empty.")
    armies = serializers.ListField(
        child=serializers.CharField(), help_text="Codes of two armies from the word; in a siege the first attacks."
    )

    def get_page(self, game: RandomGame) -> str:
        return f"{reverse('musters:random_game')}?{game.request.address()}"

    def get_drawing(self, game: RandomGame) -> str:
        return f"{reverse('musters:random_game_table')}?{game.request.address()}"

    @extend_schema_field(answer_schema(Scenario))
    def get_scenario(self, game: RandomGame) -> dict[str, Any]:
        return to_json(game.scenario)


class RandomGameView(PublicAPIView):
    """Public; nothing is stored."""

    @extend_schema(
        parameters=[
            OpenApiParameter("word", str, description="Any word; drawn at random if missing."),
            OpenApiParameter("scenario", str, enum=[row.key for row in SCENARIOS]),
            OpenApiParameter("event", str, enum=[NO_EVENTS, *(row.key for row in EVENTS)]),
            OpenApiParameter("round", {"type": "integer", "minimum": 0, "maximum": MAX_ROUNDS}),
            OpenApiParameter("ground", {"type": "integer", "minimum": 0, "maximum": MAX_LAYOUTS}),
            OpenApiParameter("one", str),
            OpenApiParameter("two", str),
        ],
        responses={200: RandomGameSerializer, 422: REFUSED},
        operation_id="musters_evening",
    )
    def get(self, request: Request) -> Response:
        """Scenario, roll-offs, events and terrain from a word: same word, same game."""
        given = request.query_params.dict()
        if not given.get("word", "").strip():
            given["word"] = draw_game_word(Dice(new_seed()))
        return Response(RandomGameSerializer(generate_game(read_request(given))).data)
