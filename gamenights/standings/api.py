"""Standings as JSON: the data of the page. People are named by their codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.standings.core.ratings import FEWEST_PLAYS
from gamenights.standings.core.summary import Summary
from gamenights.standings.forms import read_choice
from gamenights.standings.selectors import get_summary
from groups.selectors import get_visible_group
from people.models import Person


class Standings(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("season", str, description="its number, or all; without it the running season"),
            OpenApiParameter("from", OpenApiTypes.DATE),
            OpenApiParameter("to", OpenApiTypes.DATE),
            OpenApiParameter("game", int),
            OpenApiParameter("variant", str),
        ],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, code: str) -> Response:
        """Wins, ratings with their uncertainty, head to head and titles; of one game and variant, or of all."""
        group = get_visible_group(request.who, code)
        choice = read_choice(group, request.query_params, list(group.seasons.all()))
        return Response(asdict(_with_codes(get_summary(group, choice.period, choice.slot))))


def _with_codes(summary: Summary) -> Summary:
    ids = {row.person for row in summary.board} | {row.person for row in summary.ratings}
    rows = Person.objects.filter(pk__in={int(pk) for pk in ids}).values_list("pk", "code")
    codes: Mapping[str, str] = {str(pk): code for pk, code in rows}
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
