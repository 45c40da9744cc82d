"""The shelf of a group, and votes for a game of the night, as JSON."""

from __future__ import annotations

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.nights.models import Night
from gamenights.nights.selectors import get_visible_night
from gamenights.plays.values import Scoring
from gamenights.shelf import services
from gamenights.shelf.models import Game, GameVote
from groups.selectors import get_visible_group

SCORINGS = [one.value for one in Scoring]


class GameSerializer(serializers.ModelSerializer):
    scoring = serializers.ChoiceField(SCORINGS)

    class Meta:
        model = Game
        fields = ["id", "name", "scoring", "players_min", "players_max", "minutes", "bgg_id", "on_shelf"]


class GameInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    name = serializers.CharField(max_length=80)
    scoring = serializers.ChoiceField(SCORINGS, required=False)
    players_min = serializers.IntegerField(min_value=1, max_value=100, required=False, allow_null=True)
    players_max = serializers.IntegerField(min_value=1, max_value=100, required=False, allow_null=True)
    minutes = serializers.IntegerField(min_value=1, max_value=10_000, required=False, allow_null=True)
    bgg_id = serializers.IntegerField(min_value=1, max_value=2_000_000_000, required=False, allow_null=True)
    on_shelf = serializers.BooleanField(required=False)


class ShelfList(APIView):
    @extend_schema(responses=GameSerializer(many=True))
    def get(self, request: Request, code: str) -> Response:
        group = get_visible_group(request.who, code)
        return Response(GameSerializer(Game.objects.filter(group=group).order_by("name", "pk"), many=True).data)

    @extend_schema(request=GameInSerializer, responses={201: GameSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Add a game to the shelf."""
        group = get_visible_group(request.who, code)
        sent = GameInSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        values = dict(sent.validated_data)
        game = services.save_game(group, request.who, key=values.pop("key"), game=None, values=values)
        return Response(GameSerializer(game).data, status=201)


class VoteInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    game = serializers.CharField(max_length=40, help_text="the game's id")


class VoteRowSerializer(serializers.Serializer):
    game = serializers.IntegerField()
    name = serializers.CharField()
    votes = serializers.IntegerField()


class NightVotes(APIView):
    @extend_schema(responses=VoteRowSerializer(many=True))
    def get(self, request: Request, code: str) -> Response:
        return Response(_count_votes(get_visible_night(request, code)))

    @extend_schema(request=VoteInSerializer, responses=VoteRowSerializer(many=True))
    def post(self, request: Request, code: str) -> Response:
        """Vote for a game; a second vote takes the first back."""
        night = get_visible_night(request, code)
        sent = VoteInSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        services.vote_for_game(night, request.who, key=sent.validated_data["key"], game=sent.validated_data["game"])
        return Response(_count_votes(night))


def _count_votes(night: Night) -> list[dict[str, object]]:
    rows = GameVote.objects.filter(night=night).values("game", "game__name").annotate(votes=Count("pk"))
    return [
        {"game": row["game"], "name": row["game__name"], "votes": row["votes"]}
        for row in rows.order_by("-votes", "game__name")
    ]
