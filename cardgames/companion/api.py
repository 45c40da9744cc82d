"""Decks and score sheets as JSON: the same decks the pages show, and points by the functions that score the digital game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames import deck_copies
from cardgames.engine import Deck
from cardgames.games import SHELF, find_game, house_deck
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.monarchs import companion as monarchs
from cardgames.models import DeckCopy
from refusal import Refusal


class CardDeckRowSerializer(serializers.Serializer):
    """``code`` is empty for the house deck."""

    game = serializers.CharField()
    code = serializers.CharField(allow_blank=True)
    title = serializers.CharField()


class CardDeckSerializer(serializers.Serializer):
    """A deck as its file has it: each card with its values, and for each source the values that come from it."""

    game = serializers.CharField()
    id = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField()
    cards = serializers.ListField(child=serializers.DictField())


class CardCountSerializer(serializers.Serializer):
    """What lies before each player. Royal Menagerie: how many of each animal. Of Mice and Monarchs: by colour, cards and crowns."""

    counts = serializers.ListField(child=serializers.DictField(), min_length=1, max_length=12)
    roles = serializers.ListField(child=serializers.CharField(max_length=20), required=False, max_length=4)
    left = serializers.ListField(child=serializers.DictField(), required=False, max_length=12)
    agreed = serializers.CharField(max_length=20, required=False)
    deck = serializers.CharField(max_length=16, required=False, allow_blank=True)


class CardScoreSerializer(serializers.Serializer):
    outcome = serializers.CharField(allow_null=True)
    winners = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField(child=serializers.DictField()))
    facts = serializers.DictField()
    options = serializers.DictField()
    warnings = serializers.ListField(child=serializers.JSONField())


class Decks(APIView):
    """The house decks, and the copies you may play with."""

    @extend_schema(responses=CardDeckRowSerializer(many=True))
    def get(self, request: Request) -> Response:
        rows = [{"game": key, "code": "", "title": house_deck(key).title} for key in SHELF]
        copies = DeckCopy.objects.visible_to(request.who).only("game", "code", "title")
        rows += [{"game": copy.game, "code": copy.code, "title": copy.title} for copy in copies]
        return Response(CardDeckRowSerializer(rows, many=True).data)


class DeckDetail(APIView):
    """The house deck of a game."""

    @extend_schema(responses=CardDeckSerializer)
    def get(self, request: Request, game: str) -> Response:
        return Response(house_deck(find_game(game).key).as_json())


class Score(APIView):
    """Points of a game with printed cards, line by line, and who has won."""

    @extend_schema(request=CardCountSerializer, responses=CardScoreSerializer)
    def post(self, request: Request, game: str) -> Response:
        found = find_game(game)
        form = CardCountSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        deck = deck_copies.chosen(request.who, found.key, sent.get("deck", ""))
        return Response((_menagerie if found.key == "menagerie" else _monarchs)(sent, deck))


def _menagerie(sent: Mapping[str, Any], deck: Deck) -> dict[str, Any]:
    agreed = _agreed(sent, "conspirators", "nobody")
    return menagerie.score_sheet(sent["counts"], deck, sent.get("roles"), agreed)


def _monarchs(sent: Mapping[str, Any], deck: Deck) -> dict[str, Any]:
    counts = [{colour: _pair(colour, pair) for colour, pair in each.items()} for each in sent["counts"]]
    return monarchs.score_sheet(counts, deck, _agreed(sent, "share", "crowns", "cards"), sent.get("left"))


def _pair(colour: str, pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise Refusal(f"{colour.capitalize()} needs two whole numbers, cards and crowns.", field="counts")
    return pair[0], pair[1]


def _agreed(sent: Mapping[str, Any], *choices: str) -> str:
    agreed = str(sent.get("agreed", choices[0]))
    if agreed not in choices:
        raise Refusal(f"About ties one agrees on one of {', '.join(choices)}.", field="agreed")
    return agreed
