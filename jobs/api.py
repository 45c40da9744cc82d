"""Jobs as JSON: the same sheets, desk and refusals as the pages."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs import desk
from jobs.models import Job, State
from jobs.sheet import job_sheet, job_sheets

NEWEST = 50


class JobSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(State.choices)
    stage = serializers.CharField(help_text="What the work is at, in words.")
    done = serializers.IntegerField(help_text="So many of total are done in this stage.")
    total = serializers.IntegerField(help_text="0 where nobody can know.")
    before_it = serializers.IntegerField(help_text="Jobs that stand before a waiting one.")
    error = serializers.CharField(help_text="Why it failed, for a person.")
    result = serializers.DictField()
    asked_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    saved_as = serializers.CharField()
    file_size = serializers.IntegerField(allow_null=True)
    file_url = serializers.CharField(help_text="Where its file is, as long as it is kept.")
    page_url = serializers.CharField(help_text="Where its result is looked at, if it has a page.")
    may_cancel = serializers.BooleanField()
    may_retry = serializers.BooleanField()


class Jobs(APIView):
    @extend_schema(responses=JobSerializer(many=True), operation_id="jobs_list")
    def get(self, request: Request) -> Response:
        """One's newest fifty jobs."""
        mine = Job.objects.asked_by(request._request.who)[:NEWEST]
        return Response(JobSerializer(job_sheets(mine), many=True).data)


class JobDetail(APIView):
    @extend_schema(responses=JobSerializer, operation_id="jobs_show")
    def get(self, request: Request, pk: int) -> Response:
        """One job and how far it is."""
        return _answer(_visible(request, pk))


class Cancel(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_cancel")
    def post(self, request: Request, pk: int) -> Response:
        """Call it off. Work under way is ended within a second."""
        return _answer(desk.cancel(_visible(request, pk)))


class Retry(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_retry")
    def post(self, request: Request, pk: int) -> Response:
        """Do a failed or called-off job again."""
        return _answer(desk.retry(_visible(request, pk)))


def _visible(request: Request, pk: int) -> Job:
    return get_object_or_404(Job.objects.visible_to(request._request.who), pk=pk)


def _answer(job: Job) -> Response:
    return Response(JobSerializer(job_sheet(job)).data)
