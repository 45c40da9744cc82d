"""The past musters of a kingdom as JSON."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from musters import permissions
from musters.kingdom_history.selectors import history_display


class PastUnitSerializer(serializers.Serializer):
    battle = serializers.IntegerField()
    on = serializers.DateField()
    unit = serializers.CharField()
    name = serializers.CharField()
    hero = serializers.CharField()
    roll = serializers.IntegerField(allow_null=True)
    loyalty = serializers.IntegerField()


class MusterLuckSerializer(serializers.Serializer):
    what = serializers.CharField()
    sentence = serializers.CharField()


class HouseHistorySerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    lost = serializers.BooleanField()
    sent = PastUnitSerializer(many=True)
    luck = MusterLuckSerializer(many=True)


class MusterHistorySerializer(serializers.Serializer):
    kingdom = serializers.CharField()
    name = serializers.CharField()
    musters = serializers.IntegerField()
    houses = HouseHistorySerializer(many=True)
    luck = MusterLuckSerializer(many=True)


class MusterHistory(APIView):
    @extend_schema(responses=MusterHistorySerializer, operation_id="musters_history")
    def get(self, request: Request, campaign: str, kingdom: str) -> Response:
        """What each house of a kingdom sent, battle by battle, and how lucky its dice were."""
        found = campaign_selectors.get_visible_campaign(request.who, campaign)
        state = permissions.state_of(found)
        realm = state.kingdoms.get(kingdom)
        if realm is None:
            raise Http404
        display = history_display(found.pk, found.log_id, state, realm, request.who)
        return Response(MusterHistorySerializer(display).data)
