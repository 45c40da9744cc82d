"""Jobs as JSON: the same data, services and refusals as the pages."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs import services
from jobs.display import display_job, display_jobs
from jobs.models import Job, State

NEWEST = 50


class JobSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(State.choices)
    stage = serializers.CharField(help_text="The current stage, in words.")
    done = serializers.IntegerField(help_text="How many of `total` are done in this stage.")
    total = serializers.IntegerField(help_text="0 if unknown.")
    before_it = serializers.IntegerField(help_text="Number of jobs ahead in the queue.")
    error = serializers.CharField(help_text="Why it failed, as a sentence for people.")
    result = serializers.DictField()
    asked_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    saved_as = serializers.CharField()
    file_size = serializers.IntegerField(allow_null=True)
    file_url = serializers.CharField(help_text="URL of the file, while it is kept.")
    page_url = serializers.CharField(help_text="URL of the page that shows the result, if there is one.")
    may_cancel = serializers.BooleanField()
    may_retry = serializers.BooleanField()


class JobList(APIView):
    @extend_schema(responses=JobSerializer(many=True), operation_id="jobs_list")
    def get(self, request: Request) -> Response:
        """Your fifty newest jobs."""
        mine = Job.objects.asked_by(request._request.who)[:NEWEST]
        return Response(JobSerializer(display_jobs(mine), many=True).data)


class JobDetail(APIView):
    @extend_schema(responses=JobSerializer, operation_id="jobs_show")
    def get(self, request: Request, pk: int) -> Response:
        """One job and its progress."""
        return _answer(_visible(request, pk))


class CancelJob(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_cancel")
    def post(self, request: Request, pk: int) -> Response:
        """Cancel the job. A running one stops within a second."""
        return _answer(services.cancel_job(_visible(request, pk)))


class RetryJob(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_retry")
    def post(self, request: Request, pk: int) -> Response:
        """Retry a failed or cancelled job."""
        return _answer(services.retry_job(_visible(request, pk)))


def _visible(request: Request, pk: int) -> Job:
    return get_object_or_404(Job.objects.visible_to(request._request.who), pk=pk)


def _answer(job: Job) -> Response:
    return Response(JobSerializer(display_job(job)).data)
