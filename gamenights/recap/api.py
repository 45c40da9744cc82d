"""The recap of a night as JSON: what its page tells."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.nights.permissions import require_evening
from gamenights.nights.selectors import get_visible_night
from gamenights.recap.display import build_recap
from people.models import Person


class RecapResultSerializer(serializers.Serializer):
    uuid = serializers.CharField()
    game_name = serializers.CharField()
    variant = serializers.CharField()
    minutes = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()
    notes = serializers.CharField()


class RecapRowSerializer(serializers.Serializer):
    place = serializers.IntegerField()
    person = serializers.CharField(help_text="the person's code")
    name = serializers.CharField()
    wins = serializers.IntegerField()
    contests = serializers.IntegerField()
    plays = serializers.IntegerField()


class RecapSerializer(serializers.Serializer):
    headline = serializers.CharField()
    summary = serializers.CharField()
    results = RecapResultSerializer(many=True)
    table = RecapRowSerializer(many=True)
    stories = serializers.ListField(child=serializers.CharField())


class NightRecapView(APIView):
    @extend_schema(responses=RecapSerializer, operation_id="nights_recap")
    def get(self, request: Request, code: str) -> Response:
        """Results, the table of the night, stories and records."""
        night = get_visible_night(request, code)
        require_evening(night, request.who)
        display = build_recap(night)
        ids = [int(row.person) for row in display.recap.table if row.person]
        codes = {str(pk): found for pk, found in Person.objects.filter(pk__in=ids).values_list("pk", "code")}
        return Response(
            {
                "headline": display.recap.headline,
                "summary": display.recap.summary,
                "results": [asdict(row) for row in display.recap.results],
                "table": [{**asdict(row), "person": codes.get(row.person, "")} for row in display.recap.table],
                "stories": [story.text for story in display.stories],
            }
        )
