"""Scores games with printed cards over the API, with the functions of the digital games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardgames.decks import selectors as decks_selectors
from cardgames.engine import Deck
from cardgames.engine.game_definition import ScoreLine
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games import find_companion_game
from cardgames.games.majesty import companion as majesty
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.moods import companion as moods
from pages.api.answer_schema import SETTING, answer_schema, open_object
from pages.api.typed_fields import TypedJSONField
from people.api_tokens.scopes import READ
from refusal import Refusal

# How many; in Of Mice and Monarchs cards and crowns.
COUNT = answer_schema(int | tuple[int, int])


def _counts() -> serializers.DictField:
    return serializers.DictField(child=TypedJSONField(COUNT))


class CardCountSerializer(serializers.Serializer):
    """What each player has. Royal Menagerie: animals by type. Of Mice and Monarchs: [cards, crowns] by colour.

    Moods of the Mad King: play cards by genre, with the Muses as roles. Your Majesty: figures of each court.
    """

    counts = serializers.ListField(child=_counts(), min_length=1, max_length=12)
    roles = serializers.ListField(child=serializers.CharField(max_length=20), required=False, max_length=4)
    left = serializers.ListField(child=_counts(), required=False, max_length=12)
    agreed = serializers.CharField(max_length=20, required=False)
    king = serializers.CharField(max_length=40, required=False, help_text="Moods of the Mad King: the King's Mood.")
    abolished = serializers.BooleanField(required=False, help_text="Your Majesty: slavery has been abolished.")
    deck = serializers.CharField(max_length=16, required=False, allow_blank=True)


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
        found = find_companion_game(game)
        form = CardCountSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        deck = decks_selectors.get_chosen_deck(request.who, found.key, sent.get("deck", ""))
        return Response(_SCORERS[found.key](sent, deck).as_json())


def _score_menagerie(sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
    agreed = _parse_tie_rule(sent, "conspirators", "nobody")
    return menagerie.score_sheet(sent["counts"], deck, sent.get("roles"), agreed)


def _score_monarchs(sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
    counts = [{colour: _parse_pair(colour, pair) for colour, pair in each.items()} for each in sent["counts"]]
    return monarchs.score_sheet(counts, deck, _parse_tie_rule(sent, "share", "crowns", "cards"), sent.get("left"))


def _score_moods(sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
    return moods.score_sheet(sent["counts"], deck, sent.get("king", ""), sent.get("roles", ()))


def _score_majesty(sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
    paycheck = _parse_tie_rule(sent, "none", "reform", "wealth")
    return majesty.score_sheet(sent["counts"], deck, abolished=sent.get("abolished", False), paycheck=paycheck)


_SCORERS = {
    "menagerie": _score_menagerie,
    "monarchs": _score_monarchs,
    "moods": _score_moods,
    "majesty": _score_majesty,
}


def _parse_pair(colour: str, pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise Refusal(f"{colour.capitalize()} needs two whole numbers: cards and crowns.", field="counts")
    return pair[0], pair[1]


def _parse_tie_rule(sent: Mapping[str, Any], *choices: str) -> str:
    agreed = str(sent.get("agreed", choices[0]))
    if agreed not in choices:
        raise Refusal(f"The tie rule is one of: {', '.join(choices)}.", field="agreed")
    return agreed
