"""Export and import over the API: upload a file, check the preview, then import."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import json_input
from campaign import selectors
from campaign.chronicle import export_and_import
from campaign.chronicle.export_and_import import RuleDifference
from campaign.display import CampaignRow
from campaign.transfer import import_uploads, services
from dataclass_json import Shape, Whole
from jobs.models import State
from pages.api.operations import Sent, SentAgain, SentFile, operation
from pages.api.parsers_and_renderers import CsvRenderer, PlainNamesRenderer
from pages.fields.columns_and_rows import take
from people.api_tokens.scopes import RUN
from refusal import Refusal

NO_UPLOAD = "There is no uploaded file. Upload one first."
CSV_TABLES = {"standings": services.standings_csv, "entries": services.entries_csv}


class ImportPreviewAnswer(TypedDict):
    """How far the check is; once it is done, what the file has and where today's rules judge otherwise."""

    state: State
    job: int
    error: str
    name: NotRequired[str]
    entries: NotRequired[int]
    is_edited: NotRequired[bool]
    other_rules: NotRequired[bool]
    people: NotRequired[Sequence[services.FilePerson]]
    differences: NotRequired[Sequence[RuleDifference]]
    ignored: NotRequired[Annotated[Sequence[str], "unknown keys, which are not imported"]]
    more: NotRequired[Annotated[int, "differences beyond those listed"]]


class Export(APIView):
    is_file = True

    @operation("campaigns_export")
    def get(self, request: Request, code: str) -> Annotated[Any, Shape({"type": "object", "additionalProperties": {}})]:
        """The whole campaign as one file, for its members."""
        campaign = selectors.get_campaign_as_member(request.who, code)
        return json.loads(services.export_file(request._request, campaign))


class CsvFile(APIView):
    """A file for spreadsheets."""

    renderer_classes = (CsvRenderer, PlainNamesRenderer)

    @operation(
        "campaigns_csv",
        file="text/csv",
        parameters=[OpenApiParameter("table", str, OpenApiParameter.PATH, enum=["standings", "entries"])],
    )
    def get(self, request: Request, code: str, table: str) -> Response:
        """The standings or the chronicle as a CSV file, for members."""
        campaign = selectors.get_campaign_as_member(request.who, code)
        if table not in CSV_TABLES:
            raise Http404
        return Response(CSV_TABLES[table](campaign), content_type="text/csv; charset=utf-8")


@dataclass(frozen=True)
class ArchiveCampaign:
    archived: bool


class Archive(APIView):
    scopes = {"PUT": RUN}

    @operation("campaigns_archive")
    def put(self, request: Request, code: str, sent: SentAgain[ArchiveCampaign]) -> CampaignRow:
        """Archive a campaign, so that nobody adds to it, or take it out again."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        services.set_archived(campaign, sent.value.archived)
        campaign.refresh_from_db(fields=["archived_at"])
        return take(CampaignRow, campaign)


class SentCampaign(SentFile):
    content = {"application/json": OpenApiTypes.OBJECT}

    @property
    def value(self) -> bytes:
        return json.dumps(self._request.data, ensure_ascii=False).encode()


class ImportUploads(APIView):
    max_body = export_and_import.MAX_WITH_FORM
    json_limits = json_input.FILE

    @operation("campaigns_send_file", status=202)
    def post(self, request: Request, sent: SentCampaign) -> ImportPreviewAnswer:
        """Upload a campaign file. A job checks it; nothing is imported yet."""
        person = request.who.require_person()
        import_uploads.store_upload(person, "sent over the API", sent.value)
        return _import_preview(request)

    @operation("campaigns_arrival")
    def get(self, request: Request) -> ImportPreviewAnswer:
        """What the uploaded file contains, and its problems."""
        return _import_preview(request)


@dataclass(frozen=True)
class ImportCampaign:
    me: Annotated[int | None, Whole("The number of the person", 1, 10**6), "your number in the file"] = None


class Import(APIView):
    @operation("campaigns_take_in", status=201)
    def post(self, request: Request, sent: Sent[ImportCampaign]) -> CampaignRow:
        """Import the uploaded file as a new campaign, once per key."""
        person = request.who.require_person()
        me = sent.value.me
        pending = import_uploads.find_pending_import(person)
        if pending is None:
            raise Refusal(NO_UPLOAD, status=404)
        campaign = services.import_campaign(request.who, pending.arrival(), key=sent.key, me=me)
        import_uploads.delete_upload(person)
        return take(CampaignRow, campaign)


def _import_preview(request: Request) -> ImportPreviewAnswer:
    pending = import_uploads.find_pending_import(request.who.require_person())
    if pending is None or pending.job is None:
        raise Refusal(NO_UPLOAD, status=404)
    answer: ImportPreviewAnswer = {"state": State(pending.job.state), "job": pending.job.pk, "error": pending.job.error}
    if not pending.is_looked_through:
        return answer
    preview = pending.arrival()
    return answer | {
        "name": preview.name,
        "entries": len(preview.entries),
        "is_edited": preview.is_edited,
        "other_rules": preview.other_rules,
        "people": preview.people,
        "differences": preview.differences,
        "ignored": preview.ignored,
        "more": pending.more,
    }
