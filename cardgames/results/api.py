"""Past card games as JSON: results, tallies, and replays step by step."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.engine import OPEN
from cardgames.engine.finished_game import retell_steps
from cardgames.models import Result
from cardgames.results.bot_move_explanations import bot_of_step, explain_step
from cardgames.results.display import result_row, tally_results
from cardgames.results.selectors import get_finished_game, parse_viewer, visible_results
from cardgames.selectors import get_visible_table
from cardgames.tables.api import CardSeatViewSerializer
from cardgames.tables.display import replay_for_seat
from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.number_parsing import parse_int


class ResultLineSerializer(serializers.Serializer):
    name = serializers.CharField()
    role = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()


class CardResultSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="result.pk")
    game = serializers.CharField(source="result.game")
    title = serializers.CharField()
    table = serializers.CharField(
        source="code", help_text="code of the table; empty if it was played with printed cards"
    )
    at = serializers.DateTimeField(source="result.at")
    ending = serializers.CharField()
    players = ResultLineSerializer(many=True, source="lines")


class CardTallySerializer(serializers.Serializer):
    name = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()
    best = serializers.IntegerField(allow_null=True)


class CardTalliesSerializer(serializers.Serializer):
    title = serializers.CharField(source="heading")
    tallies = CardTallySerializer(many=True)


class BotMoveSerializer(serializers.Serializer):
    seat = serializers.IntegerField()
    choice = serializers.CharField()
    level = serializers.CharField()


class ReplaySerializer(serializers.Serializer):
    step = serializers.IntegerField()
    steps = serializers.IntegerField(help_text="the last step")
    sentences = serializers.ListField(child=serializers.CharField())
    play = CardSeatViewSerializer(allow_null=True, help_text="null if the rules of then are no longer known")
    bot_move = BotMoveSerializer(allow_null=True, help_text="null if a person made this choice")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="why the bot chose it, with why=true")


class ResultList(APIView):
    @extend_schema(
        parameters=[*PAGE_PARAMETERS, OpenApiParameter("game", str)],
        responses=CardResultSerializer(many=True),
        operation_id="tables_results",
    )
    def get(self, request: Request) -> Response:
        """The card games you have played or hosted, newest first."""
        rows = visible_results(request.who)
        if game := request.query_params.get("game", ""):
            rows = rows.filter(game=game)

        def draw(found: list[Result]) -> Any:
            return CardResultSerializer([result_row(one) for one in found], many=True).data

        return paginate(request, rows, ("-at", "-pk"), draw)


class TallyList(APIView):
    @extend_schema(responses=CardTalliesSerializer(many=True), operation_id="tables_tallies")
    def get(self, request: Request) -> Response:
        """Who won how often, for each game and each way of playing it."""
        return Response(CardTalliesSerializer(tally_results(request.who), many=True).data)


class Replay(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(
        parameters=[
            OpenApiParameter("step", int, description="after how many choices"),
            OpenApiParameter("seat", str, description="a seat's number, “open” for all cards, or “wall”"),
            OpenApiParameter("why", bool, description="let the bot look again and say why; takes a moment"),
        ],
        responses=ReplaySerializer,
        operation_id="tables_replay",
    )
    def get(self, request: Request, code: str) -> Response:
        """A finished game after a step, as any seat saw it or with all cards face up."""
        table = get_visible_table(request, code)
        result, names = get_finished_game(table)
        last = len(result.kept["steps"]) - 1
        step = min(parse_int(request.query_params.get("step", "")) or 0, last)
        seat = parse_viewer(request.query_params.get("seat", "open"), table.seats)
        told = retell_steps(result.kept, None if seat == OPEN else seat, names)[step].sentences
        found = replay_for_seat(table, step, seat, names)
        play = found[1].as_json() if found else None
        bot = bot_of_step(table, step)
        why = request.query_params.get("why", "") == "true"
        return Response(
            {
                "step": step,
                "steps": last,
                "sentences": list(told),
                "play": play,
                "bot_move": dict(zip(("seat", "choice", "level"), bot, strict=True)) if bot else None,
                "reasons": explain_step(table, step, names) if why else [],
            }
        )
