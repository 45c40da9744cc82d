"""Export and import over the API: upload a file, check the preview, then import."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import json_input
from campaign import selectors as campaign_selectors
from campaign.api import CampaignRowSerializer
from campaign.chronicle import export_and_import
from campaign.transfer import archive_or_delete, import_uploads, services
from jobs.models import State
from pages.api.renderers import CsvRenderer, PlainNamesRenderer
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.models import Person
from refusal import Refusal

CSV_TABLES = {"standings": services.standings_csv, "entries": services.entries_csv}


class FilePersonSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_master = serializers.BooleanField()
    rules = serializers.ListField(child=serializers.CharField())


class DifferenceSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    tale = serializers.CharField(source="entry_sentence")
    sentence = serializers.CharField()


class ImportPreviewSerializer(serializers.Serializer):
    state = serializers.ChoiceField(State.choices)
    job = serializers.IntegerField()
    error = serializers.CharField()
    name = serializers.CharField(required=False)
    entries = serializers.IntegerField(required=False)
    is_edited = serializers.BooleanField(required=False)
    other_rules = serializers.BooleanField(required=False)
    people = FilePersonSerializer(many=True, required=False)
    differences = DifferenceSerializer(many=True, required=False)
    ignored = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="unknown keys, which are not imported"
    )
    more = serializers.IntegerField(required=False, help_text="differences beyond those listed")


class ImportSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    me = serializers.IntegerField(required=False, allow_null=True, help_text="number of the person in the file")


class Export(APIView):
    is_file = True

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="campaigns_export")
    def get(self, request: Request, code: str) -> Response:
        """The whole campaign as one file, for its members."""
        campaign = campaign_selectors.get_campaign_as_member(request.who, code)
        return Response(json.loads(services.export_file(request._request, campaign)))


class CsvFile(APIView):
    """A file for spreadsheets."""

    renderer_classes = (CsvRenderer, PlainNamesRenderer)

    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.STR},
        parameters=[OpenApiParameter("table", str, OpenApiParameter.PATH, enum=["standings", "entries"])],
        operation_id="campaigns_csv",
    )
    def get(self, request: Request, code: str, table: str) -> Response:
        """The standings or the chronicle as a CSV file, for members."""
        campaign = campaign_selectors.get_campaign_as_member(request.who, code)
        if table not in CSV_TABLES:
            raise Http404
        return Response(CSV_TABLES[table](campaign), content_type="text/csv; charset=utf-8")


class ArchiveSerializer(serializers.Serializer):
    archived = serializers.BooleanField()


class Archive(APIView):
    scopes = {"PUT": RUN}

    @extend_schema(request=ArchiveSerializer, responses=CampaignRowSerializer, operation_id="campaigns_archive")
    def put(self, request: Request, code: str) -> Response:
        """Archive a campaign, so that nobody adds to it, or take it out again."""
        campaign = campaign_selectors.get_campaign_as_master(request.who, code)
        archive_or_delete.set_archived(campaign, read_body(ArchiveSerializer, request)["archived"])
        campaign.refresh_from_db(fields=["archived_at"])
        return Response(CampaignRowSerializer(campaign).data)


class ImportUploads(APIView):
    max_body = export_and_import.MAX_WITH_FORM
    json_limits = json_input.FILE

    @extend_schema(
        request=OpenApiTypes.OBJECT, responses={202: ImportPreviewSerializer}, operation_id="campaigns_send_file"
    )
    def post(self, request: Request) -> Response:
        """Upload a campaign file. A job checks it; nothing is imported yet."""
        person = _person(request)
        raw = json.dumps(request.data, ensure_ascii=False).encode()
        import_uploads.store_upload(person, "sent over the API", raw)
        return Response(_import_preview(request), status=202)

    @extend_schema(responses=ImportPreviewSerializer, operation_id="campaigns_arrival")
    def get(self, request: Request) -> Response:
        """What the uploaded file contains, and its problems."""
        return Response(_import_preview(request))


class Import(APIView):
    @extend_schema(request=ImportSerializer, responses={201: CampaignRowSerializer}, operation_id="campaigns_take_in")
    def post(self, request: Request) -> Response:
        """Import the uploaded file as a new campaign, once per key."""
        person = _person(request)
        given = ImportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        found = import_uploads.find_pending_import(person)
        if found is None:
            raise Refusal("There is no uploaded file. Upload one first.", status=404)
        me = given.validated_data.get("me")
        campaign = services.import_campaign(request.who, found.arrival(), key=given.validated_data["key"], me=me)
        import_uploads.delete_upload(person)
        return Response(CampaignRowSerializer(campaign).data, status=201)


def _person(request: Request) -> Person:
    return request.who.require_person()


def _import_preview(request: Request) -> Mapping[str, object]:
    found = import_uploads.find_pending_import(_person(request))
    if found is None or found.job is None:
        raise Refusal("There is no uploaded file. Upload one first.", status=404)
    answer = {"state": found.job.state, "job": found.job.pk, "error": found.job.error}
    if not found.is_looked_through:
        return answer
    preview = found.arrival()
    return answer | {
        "name": preview.name,
        "entries": len(preview.entries),
        "is_edited": preview.is_edited,
        "other_rules": preview.other_rules,
        "people": FilePersonSerializer(preview.people, many=True).data,
        "differences": DifferenceSerializer(preview.differences, many=True).data,
        "ignored": list(preview.ignored),
        "more": found.more,
    }
