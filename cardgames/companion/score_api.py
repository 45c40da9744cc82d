"""Scores games with printed cards over the API, with the functions of the digital games."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.decks import selectors as decks_selectors
from cardgames.engine.game_definition import ScoreLine
from cardgames.engine.score_sheet import SheetWarning
from cardgames.games import SHELF, find_companion
from pages.api.answer_schema import SETTING, answer_schema, open_object
from pages.api.typed_fields import TypedJSONField
from people.api_tokens.scopes import READ

# How many, or two numbers, by the game.
COUNT = answer_schema(int | tuple[int, int])


def _counts() -> serializers.DictField:
    return serializers.DictField(child=TypedJSONField(COUNT))


class _CountSerializer(serializers.Serializer):
    counts = serializers.ListField(child=_counts(), min_length=1, max_length=12)
    roles = serializers.ListField(child=serializers.CharField(max_length=20), required=False, max_length=4)
    left = serializers.ListField(child=_counts(), required=False, max_length=12)
    agreed = serializers.CharField(max_length=20, required=False)
    deck = serializers.CharField(max_length=16, required=False, allow_blank=True)


def _fact(kind: type, help_text: str) -> serializers.Field:
    if kind is bool:
        return serializers.BooleanField(required=False, help_text=help_text)
    return serializers.CharField(max_length=40, required=False, help_text=help_text)


_GAMES = [(game.title, game.companion) for game in SHELF.values() if game.companion]
# What each player has, and what else a game's score depends on: each game says it.
CardCountSerializer = type(
    "CardCountSerializer",
    (_CountSerializer,),
    {
        "__doc__": " ".join(
            ["What each player has.", *(f"{title}: {companion.counts_help}." for title, companion in _GAMES)]
        ),
        **{
            key: _fact(kind, f"{title}: {meaning}.")
            for title, companion in _GAMES
            for key, (kind, meaning) in companion.facts.items()
        },
    },
)


class CardScoreSerializer(serializers.Serializer):
    outcome = serializers.CharField(allow_null=True)
    winners = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField(child=TypedJSONField(answer_schema(ScoreLine))))
    facts = TypedJSONField(open_object("each game has its own"))
    options = serializers.DictField(child=TypedJSONField(SETTING))
    warnings = serializers.ListField(child=TypedJSONField(answer_schema(str | SheetWarning)))
    sentence = serializers.CharField(required=False, help_text="how it ended, once that is certain")


class ScoreView(APIView):
    """The points of a game with printed cards, line by line, and the winner."""

    scopes = {"POST": READ}  # works out points and stores nothing
    needs_no_log_in = ("POST",)

    @extend_schema(request=CardCountSerializer, responses=CardScoreSerializer)
    def post(self, request: Request, game: str) -> Response:
        companion = find_companion(game)
        form = CardCountSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        deck = decks_selectors.get_chosen_deck(request.who, game, sent.get("deck", ""))
        return Response(companion.score_sent(sent, deck).as_json())
