"""Several past games of a campaign at once, by API."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.api import BattleEffectSerializer
from battles.enter_past_games import services
from campaign import selectors as campaign_selectors
from pages.api_parsers import read_body
from rulebook.data.scenarios import SCENARIO


class PastGameSerializer(serializers.Serializer):
    played_on = serializers.DateField()
    attacker = serializers.CharField(max_length=30, help_text="id of the kingdom")
    target = serializers.CharField(max_length=60)
    outcome = serializers.ChoiceField(["attacker", "defender", "draw"])
    scenario = serializers.ChoiceField(choices=list(SCENARIO), required=False, allow_null=True)
    vp_attacker = serializers.IntegerField(min_value=0, max_value=99, default=0)
    vp_defender = serializers.IntegerField(min_value=0, max_value=99, default=0)
    as_agreed = serializers.BooleanField(default=False)


class PastGamesSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    games = PastGameSerializer(many=True, min_length=1, max_length=services.MAX_ROWS)
    preview = serializers.BooleanField(default=False, help_text="only check them; nothing is written")


class CheckedGameSerializer(serializers.Serializer):
    error = serializers.CharField()
    effects = BattleEffectSerializer(many=True)


class PastGamesAnswerSerializer(serializers.Serializer):
    games = CheckedGameSerializer(many=True)
    written = serializers.IntegerField()
    pending = serializers.IntegerField(help_text="how many await confirmation")


class PastGames(APIView):
    @extend_schema(
        request=PastGamesSerializer, responses=PastGamesAnswerSerializer, operation_id="campaigns_past_games"
    )
    def post(self, request: Request, campaign: str) -> Response:
        """Enter games that were played before. All are checked before any is written."""
        found = campaign_selectors.get_visible_campaign(request.who, campaign)
        state = campaign_selectors.state_of(found)
        services.require_enter_past_games(state, request.who)
        sent = read_body(PastGamesSerializer, request)
        games = [
            services.PastGame(
                row,
                game["played_on"],
                game["attacker"],
                game["target"],
                game["outcome"],
                game.get("scenario"),
                (game["vp_attacker"], game["vp_defender"]),
                game["as_agreed"],
            )
            for row, game in enumerate(sent["games"], 1)
        ]
        services.check_places(games, state)
        checked = services.check_games(found, games)
        written, pending = (
            (0, 0) if sent["preview"] else services.write_games(found, request.who, games, key=sent["key"])
        )
        return Response(
            {"games": CheckedGameSerializer(checked, many=True).data, "written": written, "pending": pending}
        )
