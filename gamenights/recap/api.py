"""The recap of a night as JSON: what its page tells."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rest_framework.request import Request
from rest_framework.views import APIView

from gamenights.nights.permissions import require_evening
from gamenights.nights.selectors import get_visible_night
from gamenights.recap.display import build_recap
from gamenights.recap.facts import ResultLine, TableRow
from pages.api.operations import operation
from people.models import Person


@dataclass(frozen=True)
class RecapAnswer:
    api_name = "Recap"

    headline: str
    summary: str
    results: tuple[ResultLine, ...]
    table: tuple[TableRow, ...]
    stories: tuple[str, ...]


class NightRecapView(APIView):
    @operation("nights_recap")
    def get(self, request: Request, code: str) -> RecapAnswer:
        """Results, the table of the night, stories and records."""
        night = get_visible_night(request, code)
        require_evening(night, request.who)
        display = build_recap(night)
        recap = display.recap
        ids = [int(row.person) for row in recap.table if row.person]
        codes = {str(pk): found for pk, found in Person.objects.filter(pk__in=ids).values_list("pk", "code")}
        table = tuple(replace(row, person=codes.get(row.person, "")) for row in recap.table)
        stories = tuple(story.text for story in display.stories)
        return RecapAnswer(recap.headline, recap.summary, recap.results, table, stories)
