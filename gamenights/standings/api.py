"""Standings and seasons as JSON: the data of the pages. People are named by their codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.standings import services
from gamenights.standings.core.ratings import FEWEST_PLAYS
from gamenights.standings.core.summary import PersonSummary, Summary
from gamenights.standings.forms import read_choice
from gamenights.standings.models import Season
from gamenights.standings.selectors import get_group_and_span, read_person_summary, read_summary
from groups.permissions import require_host
from groups.selectors import get_visible_group, list_members
from pages.api.answer_schema import answer_schema
from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.models import Person

TIME = [
    OpenApiParameter("season", str, description="its number, or all; without it the running season"),
    OpenApiParameter("from", OpenApiTypes.DATE),
    OpenApiParameter("to", OpenApiTypes.DATE),
]


class Standings(APIView):
    @extend_schema(
        parameters=[*TIME, OpenApiParameter("game", int), OpenApiParameter("variant", str)],
        responses={200: answer_schema(Summary)},
        operation_id="standings",
    )
    def get(self, request: Request, code: str) -> Response:
        """Wins, ratings with their uncertainty, head to head and titles; of one game and variant, or of all."""
        group, span, _ = get_group_and_span(request.who, code)
        choice = read_choice(group, request.query_params, list(group.seasons.all()))
        return Response(asdict(_with_codes(read_summary(group, span, choice.period, choice.slot))))


class PersonStandings(APIView):
    @extend_schema(parameters=TIME, responses={200: answer_schema(PersonSummary)}, operation_id="standings_of_person")
    def get(self, request: Request, code: str, person: str) -> Response:
        """One person: wins, streaks, favourite game, nemesis, h-index, nights, and how they did against others."""
        group = get_visible_group(request.who, code)
        found = next((row.person.root for row in list_members(group) if row.person.root.code == person), None)
        if found is None:
            raise Http404
        choice = read_choice(group, request.query_params, list(group.seasons.all()))
        summary = read_person_summary(group, str(found.pk), choice.period)
        codes = _codes({row.other for row in summary.meetings})
        body = asdict(
            replace(
                summary,
                person=person,
                nemesis=codes.get(summary.nemesis, ""),
                meetings=tuple(replace(row, one=person, other=codes.get(row.other, "")) for row in summary.meetings),
            )
        )
        return Response(body)


class SeasonSerializer(serializers.ModelSerializer):
    class Meta:
        model = Season
        fields = ["id", "name", "first_day", "last_day"]


class SeasonInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    name = serializers.CharField(max_length=200)
    first_day = serializers.DateField()


class SeasonList(APIView):
    scopes = {"POST": RUN}

    @extend_schema(parameters=list(PAGE_PARAMETERS), responses=SeasonSerializer(many=True), operation_id="seasons_list")
    def get(self, request: Request, code: str) -> Response:
        """The seasons of a group, the last first."""
        rows = get_visible_group(request.who, code).seasons.all()
        order = ("-first_day", "-pk")
        return paginate(request, rows, order, lambda found: SeasonSerializer(found, many=True).data)

    @extend_schema(
        request=SeasonInSerializer, responses={201: SeasonSerializer(many=True)}, operation_id="seasons_start"
    )
    def post(self, request: Request, code: str) -> Response:
        """Start a season. The one before ends the day before."""
        group = get_visible_group(request.who, code)
        require_host(group, request.who)
        services.start_season(group, request.who, **read_body(SeasonInSerializer, request))
        return Response(SeasonSerializer(group.seasons.all(), many=True).data, status=201)


def _codes(ids: Iterable[str]) -> Mapping[str, str]:
    rows = Person.objects.filter(pk__in={int(pk) for pk in ids}).values_list("pk", "code")
    return {str(pk): code for pk, code in rows}


def _with_codes(summary: Summary) -> Summary:
    ids = {row.person for row in summary.board} | {row.person for row in summary.ratings}
    codes = _codes(ids)
    return replace(
        summary,
        board=tuple(replace(row, person=codes.get(row.person, "")) for row in summary.board),
        # Below ten plays a rating is not shown, here as on the page.
        ratings=tuple(
            replace(row, person=codes.get(row.person, "")) for row in summary.ratings if row.plays >= FEWEST_PLAYS
        ),
        meetings=tuple(
            replace(row, one=codes.get(row.one, ""), other=codes.get(row.other, "")) for row in summary.meetings
        ),
        titles=tuple(replace(row, people=tuple(codes.get(pk, "") for pk in row.people)) for row in summary.titles),
    )
