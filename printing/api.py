"""Prints as JSON: list the sheets, request one, follow its progress."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api import JobSerializer
from jobs.display import display_job
from jobs.file_responses import file_response
from jobs.models import Job
from jobs.permissions import get_job_with_result
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate_rows
from people.requester import Who
from printing import orders, sheet_json_and_fingerprint
from printing.models import Edition
from printing.paper_and_ink import INKS, PAPERS, PaperSetting
from printing.sheet_registry import SHEETS, sheet_of


class SheetSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField(source="description")
    papers = serializers.ListField(child=serializers.CharField())


class OrderSerializer(serializers.Serializer):
    sheet = serializers.CharField(max_length=40)
    subject = serializers.CharField(max_length=700, required=False, default="", allow_blank=True)
    paper = serializers.ChoiceField(list(PAPERS), required=False)
    ink = serializers.ChoiceField(list(INKS), required=False)


class PrintSerializer(serializers.Serializer):
    title = serializers.CharField()
    fingerprint = serializers.CharField(help_text="Equal fingerprints mean equal content.")
    job = JobSerializer()
    page_url = serializers.CharField(help_text="Page with previews and settings.")
    file_url = serializers.CharField(help_text="The PDF, or a ZIP of pictures, once it is ready.")
    previews = serializers.ListField(child=serializers.CharField(), help_text="One PNG per page.")
    file = serializers.CharField(help_text="The same file in the API.")
    pages = serializers.IntegerField(help_text="How many previews the API has.")


class EditionSerializer(serializers.Serializer):
    fingerprint = serializers.CharField()
    sheet = serializers.CharField()
    is_current = serializers.BooleanField()
    printed_at = serializers.DateTimeField()


class PrintsView(APIView):
    needs_no_log_in = ("GET", "POST")

    @extend_schema(responses=SheetSerializer(many=True), operation_id="print_sheets")
    def get(self, request: Request) -> Response:
        """List the printable sheets."""
        return Response(SheetSerializer(SHEETS.values(), many=True).data)

    @extend_schema(request=OrderSerializer, responses=PrintSerializer, operation_id="print_ask")
    def post(self, request: Request) -> Response:
        """Request a sheet. An existing file with the same content is reused."""
        form = OrderSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        who = request._request.who
        setting = PaperSetting.read(wanted, sheet_of(wanted["sheet"]).papers)
        order = orders.build_order(who, wanted["sheet"], wanted["subject"], setting)
        return _answer(order, orders.request_print_by(order, request._request), who)


class PrintView(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses=PrintSerializer, operation_id="print_show")
    def get(self, request: Request, ref: str) -> Response:
        """A print and its progress."""
        who = request._request.who
        job = get_job_with_result(who, ref, orders.KIND)
        return _answer(orders.order_of_job(job, who), job, who)


class PrintFile(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY}, operation_id="print_file")
    def get(self, request: Request, ref: str) -> HttpResponseBase:
        """The finished print: a PDF, or a ZIP of pictures."""
        job = orders.get_finished_job(request._request.who, ref)
        assert job.path is not None
        return file_response(job.path, job.saved_as)


class PrintPreview(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses={(200, "image/png"): OpenApiTypes.BINARY}, operation_id="print_preview")
    def get(self, request: Request, ref: str, page: int) -> HttpResponseBase:
        """One page of a print as a picture."""
        return orders.preview_response(request._request.who, ref, page)


class SubjectSerializer(serializers.Serializer):
    subject = serializers.CharField(source="key")
    title = serializers.CharField(source="name")


class SheetSubjects(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(
        parameters=list(PAGE_PARAMETERS), responses=SubjectSerializer(many=True), operation_id="print_subjects"
    )
    def get(self, request: Request, sheet: str) -> Response:
        """What this sheet can be printed of, for you."""
        found = sheet_of(sheet)
        rows = found.subjects(request._request.who) if found.subjects is not None else ()
        return paginate_rows(
            request,
            list(rows),
            lambda row: row.key,
            lambda shown: SubjectSerializer(shown, many=True).data,
            most=MAX_ROWS,
        )


class IsCurrentView(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses=EditionSerializer, operation_id="print_is_current")
    def get(self, request: Request, fingerprint: str) -> Response:
        """Whether a print with this fingerprint is still current."""
        edition = get_object_or_404(Edition, fingerprint=fingerprint)
        setting = PaperSetting(sheet_of(edition.sheet).papers[0])
        order = orders.build_order(request._request.who, edition.sheet, edition.subject, setting)
        return Response(
            {
                "fingerprint": sheet_json_and_fingerprint.format_fingerprint(edition.fingerprint),
                "sheet": edition.sheet,
                "is_current": order.fingerprint[:12] == edition.fingerprint,
                "printed_at": edition.printed_at,
            }
        )


def _answer(order: orders.Order, job: Job, who: Who) -> Response:
    there = job.path is not None
    pages = job.result.get("pages", 0) if there else 0
    return Response(
        {
            "title": order.title,
            "fingerprint": sheet_json_and_fingerprint.format_fingerprint(
                job.result.get("fingerprint", order.fingerprint)
            ),
            "job": JobSerializer(display_job(job, who)).data,
            "page_url": reverse("printing:job_result", args=[job.token]),
            "file_url": reverse("printing:file", args=[job.token]) if there else "",
            "file": f"/api/v1/print/{job.token}/file/" if there else "",
            "pages": pages,
            "previews": [reverse("printing:preview", args=[job.token, page]) for page in range(1, pages + 1)],
        }
    )
