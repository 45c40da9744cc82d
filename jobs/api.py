"""Jobs as JSON: the same data, services and refusals as the pages."""

from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs import services
from jobs.display import display_job, display_jobs
from jobs.file_responses import file_response
from jobs.models import Job, State
from jobs.permissions import get_job, get_job_file
from pages.api.answer_schema import open_object
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import PAGE_PARAMETERS, paginate

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
    result = TypedJSONField(open_object("each kind of job has its own"))
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
    @extend_schema(
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("kind", str),
            OpenApiParameter("state", str, enum=State.values),
        ],
        responses=JobSerializer(many=True),
        operation_id="jobs_list",
    )
    def get(self, request: Request) -> Response:
        """Your jobs, newest first."""
        who = request._request.who
        mine = Job.objects.asked_by(who)
        for name in ("kind", "state"):
            if wanted := request.query_params.get(name, ""):
                mine = mine.filter(**{name: wanted})
        return paginate(
            request, mine, ("-pk",), lambda found: JobSerializer(display_jobs(found, who), many=True).data, most=NEWEST
        )


class JobDetail(APIView):
    @extend_schema(responses=JobSerializer, operation_id="jobs_show")
    def get(self, request: Request, ref: str) -> Response:
        """One job and its progress."""
        return _answer(request, get_job(request._request.who, ref))


class JobFile(APIView):
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}, operation_id="jobs_file")
    def get(self, request: Request, ref: str) -> HttpResponseBase:
        """The file a job has made."""
        job = get_job_file(request._request.who, ref)
        assert job.path is not None
        return file_response(job.path, job.saved_as)


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
