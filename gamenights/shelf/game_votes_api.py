"""Votes for a game of the night as JSON."""

from __future__ import annotations

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from gamenights.nights.models import Night
from gamenights.nights.permissions import require_evening, require_part
from gamenights.nights.selectors import get_visible_night
from gamenights.shelf import game_votes
from gamenights.shelf.entries import SentVote
from gamenights.shelf.models import GameVote
from pages.api_pagination import MOST, PAGE_PARAMETERS, paginate_rows

SENT_VOTE = {"application/json": dataclass_json.schema(SentVote)}


class VoteRowSerializer(serializers.Serializer):
    game = serializers.IntegerField()
    name = serializers.CharField()
    votes = serializers.IntegerField()


class NightVotes(APIView):
    @extend_schema(parameters=list(PAGE_PARAMETERS), responses=VoteRowSerializer(many=True))
    def get(self, request: Request, code: str) -> Response:
        """The games that were voted for, the favourite first."""
        night = get_visible_night(request, code)
        require_evening(night, request.who)
        return paginate_rows(request, _count_votes(night), lambda row: str(row["game"]), list, most=MOST)

    @extend_schema(request=SENT_VOTE, responses=VoteRowSerializer(many=True))
    def post(self, request: Request, code: str) -> Response:
        """Vote for a game; a second vote takes the first back."""
        night = get_visible_night(request, code)
        require_part(night, request.who)
        sent = dataclass_json.read(SentVote, request.data)
        game_votes.vote_for_game(night, request.who, key=sent.key, game=sent.game)
        return Response(_count_votes(night))


def _count_votes(night: Night) -> list[dict[str, object]]:
    rows = GameVote.objects.filter(night=night).values("game", "game__name").annotate(votes=Count("pk"))
    return [
        {"game": row["game"], "name": row["game__name"], "votes": row["votes"]}
        for row in rows.order_by("-votes", "game__name")
    ]
