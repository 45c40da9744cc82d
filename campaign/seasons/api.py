"""Seasons, standings and chart data as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign import selectors
from campaign.chronicle.battles_from_entries import count_by_scenario, count_head_to_head, list_battles
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import MEASURES, build_series
from campaign.chronicle.seasons.standings import StandingsRow, rank_kingdoms
from campaign.seasons.display import SeasonDisplay, SeasonRow, build_season_display, build_seasons_display
from pages.api.operations import operation
from pages.api_pagination import Page, paginate_rows


class Standings(APIView):
    @operation("campaigns_standings")
    def get(self, request: Request, code: str) -> tuple[StandingsRow, ...]:
        """Today's standings, with each kingdom's record."""
        campaign = selectors.get_visible_campaign(request.who, code)
        order = effective_entries(selectors.entries_of(campaign))
        return rank_kingdoms(selectors.state_of(campaign), order)


class Seasons(APIView):
    @operation("campaigns_seasons")
    def get(self, request: Request, code: str) -> Page[SeasonRow]:
        """All seasons of the campaign."""
        rows = build_seasons_display(selectors.get_visible_campaign(request.who, code)).rows
        return paginate_rows(request, rows, lambda row: row.season, list)


class Season(APIView):
    @operation("campaigns_season")
    def get(self, request: Request, code: str, season: int) -> SeasonDisplay:
        """The page of one season: final once it is closed."""
        display = build_season_display(selectors.get_visible_campaign(request.who, code), season)
        if display is None:
            raise Http404
        return display


@dataclass(frozen=True)
class MeetingCount:
    winner: str
    loser: str
    battles: int


# Of battle and value.
Points = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CoursesAnswer:
    api_name = "Courses"

    courses: Annotated[Mapping[str, Mapping[str, Points]], "kingdom → measure → [battle, value] pairs"]
    meetings: tuple[MeetingCount, ...]
    scenarios: Annotated[Mapping[str, Mapping[str, int]], "scenario → how often attacker, defender or nobody won"]


class Courses(APIView):
    @operation("campaigns_courses")
    def get(self, request: Request, code: str) -> CoursesAnswer:
        """Land, loyalty and VP battle by battle, who beat whom, and how the scenarios went."""
        campaign = selectors.get_visible_campaign(request.who, code)
        order = effective_entries(selectors.entries_of(campaign))
        fought = list_battles(order)
        won = count_head_to_head(fought).won
        return CoursesAnswer(
            courses={row.kingdom: {key: row.values_of(key) for key in MEASURES} for row in build_series(order)},
            meetings=tuple(MeetingCount(winner, loser, count) for (winner, loser), count in won.items()),
            scenarios={key or "not told": dict(count) for key, count in count_by_scenario(fought).items()},
        )
