"""Seasons, standings and chart data as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from campaign.chronicle.battle_records import count_by_scenario, count_head_to_head, list_battles
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import MEASURES, build_series
from campaign.chronicle.seasons.standings import rank_kingdoms
from campaign.chronicle.seasons.story import SeasonPageJson
from campaign.seasons.display import LaterCorrection, build_season_display, build_seasons_display
from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import PAGE_PARAMETERS, paginate_rows


class RecordSerializer(serializers.Serializer):
    fought = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    earned = serializers.IntegerField(help_text="VP earned in battle")
    spent = serializers.IntegerField(help_text="VP spent")
    taken = serializers.IntegerField(help_text="territories taken")
    castles = serializers.IntegerField()


class RankSerializer(serializers.Serializer):
    place = serializers.IntegerField()
    kingdom = serializers.CharField()
    name = serializers.CharField()
    holds = serializers.IntegerField()
    vp = serializers.IntegerField()
    loyalty = serializers.IntegerField()
    sworn = serializers.IntegerField(help_text="houses that still follow their King")
    record = RecordSerializer()


class SeasonRowSerializer(serializers.Serializer):
    season = serializers.IntegerField()
    name = serializers.CharField()
    war = serializers.IntegerField()
    opened_on = serializers.DateField()
    closed_on = serializers.DateField(allow_null=True)
    battles = serializers.IntegerField()
    leaders = serializers.ListField(child=serializers.CharField())


class SeasonPageSerializer(serializers.Serializer):
    is_open = serializers.BooleanField()
    page = TypedJSONField(answer_schema(SeasonPageJson))
    corrected_since = serializers.ListField(child=TypedJSONField(answer_schema(LaterCorrection)))


class MeetingCountSerializer(serializers.Serializer):
    winner = serializers.CharField()
    loser = serializers.CharField()
    battles = serializers.IntegerField()


class CoursesSerializer(serializers.Serializer):
    courses = TypedJSONField(
        answer_schema(Mapping[str, Mapping[str, tuple[tuple[int, int], ...]]]),
        help_text="kingdom → measure → [battle, value] pairs",
    )
    meetings = MeetingCountSerializer(many=True)
    scenarios = TypedJSONField(
        answer_schema(Mapping[str, Mapping[str, int]]),
        help_text="scenario → how often attacker, defender or nobody won",
    )


class Standings(APIView):
    @extend_schema(responses=RankSerializer(many=True), operation_id="campaigns_standings")
    def get(self, request: Request, code: str) -> Response:
        """Today's standings, with each kingdom's record."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        order = effective_entries(campaign_selectors.entries_of(campaign))
        return Response(RankSerializer(rank_kingdoms(campaign_selectors.state_of(campaign), order), many=True).data)


class Seasons(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS), responses=SeasonRowSerializer(many=True), operation_id="campaigns_seasons"
    )
    def get(self, request: Request, code: str) -> Response:
        """All seasons of the campaign."""
        rows = build_seasons_display(campaign_selectors.get_visible_campaign(request.who, code)).rows
        return paginate_rows(
            request, rows, lambda row: row.season, lambda found: SeasonRowSerializer(found, many=True).data
        )


class Season(APIView):
    @extend_schema(responses=SeasonPageSerializer, operation_id="campaigns_season")
    def get(self, request: Request, code: str, season: int) -> Response:
        """The page of one season: final once it is closed."""
        display = build_season_display(campaign_selectors.get_visible_campaign(request.who, code), season)
        if display is None:
            raise Http404
        marks = [asdict(mark) for mark in display.marks]
        return Response({"is_open": display.is_open, "page": display.page, "corrected_since": marks})


class Courses(APIView):
    @extend_schema(responses=CoursesSerializer, operation_id="campaigns_courses")
    def get(self, request: Request, code: str) -> Response:
        """Land, loyalty and VP battle by battle, who beat whom, and how the scenarios went."""
        order = effective_entries(
            campaign_selectors.entries_of(campaign_selectors.get_visible_campaign(request.who, code))
        )
        fought = list_battles(order)
        met = count_head_to_head(fought)
        pairs: list[dict[str, object]] = [
            {"winner": winner, "loser": loser, "battles": count} for (winner, loser), count in met.won.items()
        ]
        return Response(
            {
                "courses": {one.kingdom: {key: one.values_of(key) for key in MEASURES} for one in build_series(order)},
                "meetings": pairs,
                "scenarios": {key or "not told": dict(count) for key, count in count_by_scenario(fought).items()},
            }
        )
