"""The hero of a noble house as JSON."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.heroes.display import build_hero_display
from campaign import selectors as campaign_selectors


class HeroBattleSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    on = serializers.DateField()
    place = serializers.CharField()
    against = serializers.CharField()
    result = serializers.ChoiceField(["won", "lost", "drawn"])
    unit = serializers.CharField()
    hero = serializers.CharField()
    fell = serializers.BooleanField()
    slew = serializers.ListField(child=serializers.CharField())
    slain_by = serializers.CharField()


class HeroSerializer(serializers.Serializer):
    name = serializers.CharField()
    house = serializers.CharField()
    kingdom = serializers.CharField(source="kingdom_id")
    battles = HeroBattleSerializer(many=True)
    won = serializers.IntegerField()
    kills = serializers.IntegerField()
    falls = serializers.IntegerField()
    luck = serializers.CharField()
    titles = serializers.ListField(child=serializers.CharField())


class Hero(APIView):
    @extend_schema(responses=HeroSerializer, operation_id="battles_hero")
    def get(self, request: Request, campaign: str, kingdom: str, house: int) -> Response:
        """The hero of a house over all wars: battles, kills, falls, luck."""
        found = campaign_selectors.get_visible_campaign(request.who, campaign)
        display = build_hero_display(found, kingdom, house)
        if display is None:
            raise Http404
        return Response(HeroSerializer(display).data)
