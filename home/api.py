"""Your move, and what was played, as JSON."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from home.play_history import list_evenings
from home.selectors import list_home_items


class HomeItemSerializer(serializers.Serializer):
    title = serializers.CharField()
    text = serializers.CharField()
    button = serializers.CharField(help_text="what the page's button says")
    url = serializers.CharField(help_text="where it leads on the site")


class YourMoveSerializer(serializers.Serializer):
    me = HomeItemSerializer(many=True, help_text="waiting for you")
    others = HomeItemSerializer(many=True, help_text="waiting for others")
    tonight = HomeItemSerializer(many=True)


class PlayedGameSerializer(serializers.Serializer):
    title = serializers.CharField()
    text = serializers.CharField()
    url = serializers.CharField()


class EveningSerializer(serializers.Serializer):
    day = serializers.DateField()
    games = PlayedGameSerializer(many=True)


class YourMove(APIView):
    @extend_schema(responses=YourMoveSerializer, operation_id="your_move")
    def get(self, request: Request) -> Response:
        """What is waiting for you, what the others are waiting for, and tonight."""
        request.who.require_person()
        return Response(YourMoveSerializer(list_home_items(request._request)).data)


class EveningList(APIView):
    @extend_schema(responses=EveningSerializer(many=True), operation_id="evenings")
    def get(self, request: Request) -> Response:
        """Your newest games, by evening."""
        found = list_evenings(request.who)
        return Response(EveningSerializer([*found.shown, *found.folded], many=True).data)
