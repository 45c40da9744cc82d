"""Standings and seasons as JSON: the data of the pages. People are named by their codes."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Check, Says, Text, Whole, stored_as
from gamenights.standings import services
from gamenights.standings.core.ratings import FEWEST_PLAYS
from gamenights.standings.core.summary import PersonSummary, Summary
from gamenights.standings.counts import get_span_if_visible
from gamenights.standings.selectors import Choice, read_choice, read_person_summary, read_summary
from gamenights.standings.services import StartSeason
from groups.models import Group
from groups.selectors import get_group_as_host, get_visible_group, list_members
from pages.api.operations import Query, Sent, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import as_rows
from pages.number_parsing import parse_int
from people.api_tokens.scopes import RUN
from people.models import Person
from refusal import Refusal

Day = Annotated[dt.date, Says("Enter a valid date.")]


def _check_season(season: str) -> None:
    if season != "all" and parse_int(season) is None:
        raise Refusal("A season is its number, or “all”.", field="season")


@dataclass(frozen=True)
class AskForTime:
    season: Annotated[
        str,
        Text("The season", 20, empty=True),
        Check(_check_season),
        "its number, or all; without it the running season",
    ] = ""
    start: Day | None = field(default=None, metadata=stored_as("from"))
    end: Day | None = field(default=None, metadata=stored_as("to"))


@dataclass(frozen=True)
class AskForGame(AskForTime):
    game: Annotated[int, Whole("The game", 1, 10**9 - 1), "the id of a game"] | None = None
    variant: Annotated[str, Text("The variant", 200, empty=True)] = ""


def _read_choice(request: Request, group: Group, wanted: AskForTime) -> Choice:
    """As the page reads it; here what is wrong is refused."""
    choice = read_choice(group, request.query_params, list(group.seasons.all()))
    if wanted.season not in ("", "all") and not (wanted.start or wanted.end) and choice.season is None:
        raise Refusal(f"There is no season {wanted.season}.", field="season")
    return choice


class Standings(APIView):
    @operation("standings")
    def get(self, request: Request, code: str, query: Query[AskForGame]) -> Summary:
        """Wins, ratings with their uncertainty, head to head and titles; of one game and variant, or of all."""
        span, _ = get_span_if_visible(request.who, code)
        choice = _read_choice(request, span.group, query.value)
        return _with_codes(read_summary(span, choice.period, choice.slot))


class PersonStandings(APIView):
    @operation("standings_of_person")
    def get(self, request: Request, code: str, person: str, query: Query[AskForTime]) -> PersonSummary:
        """One person: wins, streaks, favourite game, nemesis, h-index, nights, and how they did against others."""
        group = get_visible_group(request.who, code)
        root = next((row.person.root for row in list_members(group) if row.person.root.code == person), None)
        if root is None:
            raise Http404
        choice = _read_choice(request, group, query.value)
        summary = read_person_summary(group, str(root.pk), choice.period)
        codes = _codes({row.other for row in summary.meetings})
        return replace(
            summary,
            person=person,
            nemesis=codes.get(summary.nemesis, ""),
            meetings=tuple(replace(row, one=person, other=codes.get(row.other, "")) for row in summary.meetings),
        )


@dataclass(frozen=True)
class SeasonRow:
    api_name = "Season"

    id: int
    name: str
    first_day: dt.date
    last_day: dt.date | None


class SeasonList(APIView):
    scopes = {"POST": RUN}

    @operation("seasons_list")
    def get(self, request: Request, code: str) -> Page[SeasonRow]:
        """The seasons of a group, the last first."""
        rows = get_visible_group(request.who, code).seasons.all()
        return paginate(request, rows, ("-first_day", "-pk"), as_rows(SeasonRow))

    @operation("seasons_start", status=201)
    def post(self, request: Request, code: str, sent: Sent[StartSeason]) -> tuple[SeasonRow, ...]:
        """Start a season. The one before ends the day before."""
        group = get_group_as_host(request.who, code)
        services.start_season(group, request.who, sent.key, sent.value)
        return tuple(as_rows(SeasonRow)(group.seasons.all()))


def _codes(ids: Iterable[str]) -> Mapping[str, str]:
    rows = Person.objects.filter(pk__in={int(pk) for pk in ids}).values_list("pk", "code")
    return {str(pk): code for pk, code in rows}


def _with_codes(summary: Summary) -> Summary:
    codes = _codes({row.person for row in summary.board} | {row.person for row in summary.ratings})

    def code(person: str) -> str:
        return codes.get(person, "")

    return replace(
        summary,
        board=tuple(replace(row, person=code(row.person)) for row in summary.board),
        # Below ten plays a rating is not shown, here as on the page.
        ratings=tuple(replace(row, person=code(row.person)) for row in summary.ratings if row.plays >= FEWEST_PLAYS),
        meetings=tuple(replace(row, one=code(row.one), other=code(row.other)) for row in summary.meetings),
        titles=tuple(replace(row, people=tuple(map(code, row.people))) for row in summary.titles),
    )
