"""The house decks and shared copies as JSON."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.engine.deck_data import CardJson
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate_rows


class CardDeckRowSerializer(serializers.Serializer):
    """``code`` is empty for the house deck."""

    game = serializers.CharField()
    code = serializers.CharField(allow_blank=True)
    title = serializers.CharField()


class CardDeckSerializer(serializers.Serializer):
    """A deck as in its file: each card with its values and where they come from."""

    game = serializers.CharField()
    id = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField()
    cards = serializers.ListField(child=TypedJSONField(answer_schema(CardJson)))


class DeckList(APIView):
    """The house decks, and the copies you can use."""

    needs_no_log_in = ("GET",)

    @extend_schema(parameters=list(PAGE_PARAMETERS), responses=CardDeckRowSerializer(many=True))
    def get(self, request: Request) -> Response:
        rows = [{"game": key, "code": "", "title": house_deck(key).title} for key in SHELF]
        copies = DeckCopy.objects.visible_to(request.who).only("game", "code", "title").order_by("pk")
        rows += [{"game": copy.game, "code": copy.code, "title": copy.title} for copy in copies]
        return paginate_rows(
            request,
            rows,
            lambda row: row["code"] or row["game"],
            lambda found: CardDeckRowSerializer(found, many=True).data,
            most=MAX_ROWS,
        )


class DeckDetail(APIView):
    """The house deck of a game."""

    needs_no_log_in = ("GET",)

    @extend_schema(responses=CardDeckSerializer)
    def get(self, request: Request, game: str) -> Response:
        return Response(house_deck(find_game(game).key).as_json())
