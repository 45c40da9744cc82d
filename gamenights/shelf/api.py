"""The shelf of a group as JSON."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from gamenights.plays.values import Scoring
from gamenights.shelf import services
from gamenights.shelf.entries import SentGame
from gamenights.shelf.models import Game
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api_pagination import MOST, PAGE_PARAMETERS, paginate

SCORINGS = [one.value for one in Scoring]
SENT_GAME = {"application/json": dataclass_json.schema(SentGame)}


class GameSerializer(serializers.ModelSerializer):
    scoring = serializers.ChoiceField(SCORINGS)

    class Meta:
        model = Game
        fields = ["id", "name", "scoring", "players_min", "players_max", "minutes", "bgg_id", "on_shelf"]


class ShelfList(APIView):
    @extend_schema(parameters=list(PAGE_PARAMETERS), responses=GameSerializer(many=True))
    def get(self, request: Request, code: str) -> Response:
        """The games on a group's shelf, by name."""
        group = get_visible_group(request.who, code)
        rows = Game.objects.filter(group=group)
        return paginate(request, rows, ("name", "pk"), lambda found: GameSerializer(found, many=True).data, most=MOST)

    @extend_schema(request=SENT_GAME, responses={201: GameSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Add a game to the shelf."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        sent = dataclass_json.read(SentGame, request.data)
        game = services.save_game(group, request.who, key=sent.key, game=None, facts=sent)
        return Response(GameSerializer(game).data, status=201)


class ShelfGame(APIView):
    @extend_schema(request=SENT_GAME, responses=GameSerializer, operation_id="games_change")
    def put(self, request: Request, code: str, pk: int) -> Response:
        """Change a game of the shelf."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        game = get_object_or_404(Game, group=group, pk=pk)
        sent = dataclass_json.read(SentGame, request.data)
        game = services.save_game(group, request.who, key=sent.key, game=game, facts=sent)
        return Response(GameSerializer(game).data)
