"""Prints as JSON: what there is, asking for one, and how far it is. The same orders, jobs and refusals as the pages."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api import JobSerializer
from jobs.models import Job
from jobs.sheet import job_sheet
from printing import content, order
from printing.models import Edition
from printing.setting import INKS, PAPERS, Setting
from printing.sheet import SHEETS, sheet_of


class SheetSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField()
    papers = serializers.ListField(child=serializers.CharField())


class OrderSerializer(serializers.Serializer):
    sheet = serializers.CharField(max_length=40)
    subject = serializers.CharField(max_length=700, required=False, default="", allow_blank=True)
    paper = serializers.ChoiceField(list(PAPERS), required=False)
    ink = serializers.ChoiceField(list(INKS), required=False)


class PrintSerializer(serializers.Serializer):
    title = serializers.CharField()
    fingerprint = serializers.CharField(help_text="Two prints say the same exactly if these agree.")
    job = JobSerializer()
    page_url = serializers.CharField(help_text="The page where it is looked at and made again.")
    file_url = serializers.CharField(help_text="The PDF, once it is made.")
    previews = serializers.ListField(child=serializers.CharField(), help_text="One PNG for each page.")


class EditionSerializer(serializers.Serializer):
    fingerprint = serializers.CharField()
    sheet = serializers.CharField()
    is_current = serializers.BooleanField()
    printed_at = serializers.DateTimeField()


class Prints(APIView):
    @extend_schema(responses=SheetSerializer(many=True), operation_id="print_sheets")
    def get(self, request: Request) -> Response:
        """What can be printed."""
        return Response(SheetSerializer(SHEETS.values(), many=True).data)

    @extend_schema(request=OrderSerializer, responses=PrintSerializer, operation_id="print_ask")
    def post(self, request: Request) -> Response:
        """Ask for a sheet. What has been made with the same content is there at once."""
        form = OrderSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        who = request._request.who
        setting = Setting.read(wanted, sheet_of(wanted["sheet"]).papers)
        asked = order.place(who, wanted["sheet"], wanted["subject"], setting)
        return _answer(asked, order.ask(asked, who))


class PrintDetail(APIView):
    @extend_schema(responses=PrintSerializer, operation_id="print_show")
    def get(self, request: Request, pk: int) -> Response:
        """One print and how far it is, for whoever may see what it is about."""
        job = get_object_or_404(Job, pk=pk, kind=order.KIND)
        return _answer(order.of_job(job, request._request.who), job)


class Current(APIView):
    @extend_schema(responses=EditionSerializer, operation_id="print_is_current")
    def get(self, request: Request, fingerprint: str) -> Response:
        """Whether a print with this fingerprint still says what the companion says."""
        edition = get_object_or_404(Edition, fingerprint=fingerprint)
        setting = Setting(sheet_of(edition.sheet).papers[0])
        asked = order.place(request._request.who, edition.sheet, edition.subject, setting)
        return Response(
            {
                "fingerprint": content.shown(edition.fingerprint),
                "sheet": edition.sheet,
                "is_current": asked.fingerprint[:12] == edition.fingerprint,
                "printed_at": edition.printed_at,
            }
        )


def _answer(asked: order.Order, job: Job) -> Response:
    there = job.path is not None
    pages = job.result.get("pages", 0) if there else 0
    return Response(
        {
            "title": asked.title,
            "fingerprint": content.shown(job.result.get("fingerprint", asked.fingerprint)),
            "job": JobSerializer(job_sheet(job)).data,
            "page_url": reverse("printing:outcome", args=[job.pk]),
            "file_url": reverse("printing:file", args=[job.pk]) if there else "",
            "previews": [reverse("printing:preview", args=[job.pk, page]) for page in range(1, pages + 1)],
        }
    )
