"""After a battle, by API: photos, and reports in plain words."""

from __future__ import annotations

from django.db.models import Model
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.photos_and_written_reports.written_reports import add_written_report, written_reports_of
from battles.selectors import get_visible_battle
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate_rows
from pages.api_parsers import read_body
from photos.api import PhotosOf


class WrittenReportSerializer(serializers.Serializer):
    entry = serializers.IntegerField(help_text="of the chronicle")
    text = serializers.CharField()
    by = serializers.CharField()
    on = serializers.DateField()


class WrittenReportInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=10000)


@extend_schema_view(
    get=extend_schema(operation_id="battles_photos"), post=extend_schema(operation_id="battles_photo_add")
)
class BattlePhotos(PhotosOf):
    def find_subject(self, request: Request, **names: str) -> Model:
        battle: Model = get_visible_battle(request.who, names["code"])[0]
        return battle


class WrittenReports(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=WrittenReportSerializer(many=True),
        operation_id="battles_written",
    )
    def get(self, request: Request, code: str) -> Response:
        """What its players wrote about a battle."""
        battle, _ = get_visible_battle(request.who, code)
        rows = written_reports_of(battle)
        return paginate_rows(
            request,
            rows,
            lambda row: row.entry,
            lambda found: WrittenReportSerializer(found, many=True).data,
            most=MAX_ROWS,
        )

    @extend_schema(
        request=WrittenReportInSerializer,
        responses={201: WrittenReportSerializer(many=True)},
        operation_id="battles_write",
    )
    def post(self, request: Request, code: str) -> Response:
        """Write about a battle of a campaign: it becomes a note of the chronicle."""
        battle, _ = get_visible_battle(request.who, code)
        add_written_report(battle, request.who, **read_body(WrittenReportInSerializer, request))
        return Response(WrittenReportSerializer(written_reports_of(battle), many=True).data, status=201)
