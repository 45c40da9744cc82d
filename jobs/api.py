"""Jobs as JSON: the same data, services and refusals as the pages."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs import services
from jobs.display import display_job, display_jobs
from jobs.models import Job, State
from jobs.permissions import get_job

NEWEST = 50


class JobSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    token = serializers.CharField(help_text="Names the job in addresses.")
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
        return Response(JobSerializer(display_jobs(mine, request._request.who), many=True).data)


class JobDetail(APIView):
    @extend_schema(responses=JobSerializer, operation_id="jobs_show")
    def get(self, request: Request, ref: str) -> Response:
        """One job and its progress."""
        return _answer(request, get_job(request._request.who, ref))


class CancelJob(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_cancel")
    def post(self, request: Request, ref: str) -> Response:
        """Cancel the job. A running one stops within a second."""
        return _answer(request, services.cancel_job(get_job(request._request.who, ref)))


class RetryJob(APIView):
    @extend_schema(request=None, responses=JobSerializer, operation_id="jobs_retry")
    def post(self, request: Request, ref: str) -> Response:
        """Retry a failed or cancelled job."""
        return _answer(request, services.retry_job(get_job(request._request.who, ref)))


def _answer(request: Request, job: Job) -> Response:
    return Response(JobSerializer(display_job(job, request._request.who)).data)
