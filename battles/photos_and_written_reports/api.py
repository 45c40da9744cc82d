"""After a battle, by API: photos, and reports in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.db.models import Model
from rest_framework.request import Request
from rest_framework.views import APIView

from battles.photos_and_written_reports.written_reports import WrittenReport, add_written_report, written_reports_of
from battles.selectors import get_visible_battle
from dataclass_json import Text
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate_rows
from photos.api import PhotosOf


@dataclass(frozen=True)
class WriteAbout:
    api_name = "WrittenReportIn"

    text: Annotated[str, Text("The report", 10000)]


class BattlePhotos(PhotosOf):
    part = "battles"

    def find_subject(self, request: Request, **names: str) -> Model:
        battle: Model = get_visible_battle(request.who, names["code"])[0]
        return battle


class WrittenReports(APIView):
    @operation("battles_written")
    def get(self, request: Request, code: str) -> Page[WrittenReport]:
        """What its players wrote about a battle."""
        battle, _ = get_visible_battle(request.who, code)
        return paginate_rows(request, written_reports_of(battle), lambda row: row.entry, list, most=MAX_ROWS)

    @operation("battles_write", status=201)
    def post(self, request: Request, code: str, sent: Sent[WriteAbout]) -> tuple[WrittenReport, ...]:
        """Write about a battle of a campaign: it becomes a note of the chronicle."""
        battle, _ = get_visible_battle(request.who, code)
        add_written_report(battle, request.who, key=sent.key, text=sent.value.text)
        return written_reports_of(battle)
