"""Jobs as JSON: the same data, services and refusals as the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Text
from jobs import services
from jobs.display import JobDisplay, display_job, display_jobs
from jobs.files import file_response
from jobs.models import Job, State
from jobs.permissions import get_job, get_job_file
from pages.api.answer_schema import open_object
from pages.api.operations import Query, operation
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import Page, paginate

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


@dataclass(frozen=True)
class FindJobs:
    kind: Annotated[str, Text("The kind", 40, empty=True)] = ""
    state: State | None = None


class JobList(APIView):
    @operation("jobs_list")
    def get(self, request: Request, query: Query[FindJobs]) -> Page[JobDisplay]:
        """Your jobs, newest first."""
        who = request._request.who
        wanted = query.value
        mine = Job.objects.asked_by(who)
        if wanted.kind:
            mine = mine.filter(kind=wanted.kind)
        if wanted.state:
            mine = mine.filter(state=wanted.state)
        return paginate(request, mine, ("-pk",), lambda jobs: display_jobs(jobs, who), most=NEWEST)


class JobDetail(APIView):
    @operation("jobs_show")
    def get(self, request: Request, ref: str) -> JobDisplay:
        """One job and its progress."""
        return _display(request, get_job(request._request.who, ref))


class JobFile(APIView):
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}, operation_id="jobs_file")
    def get(self, request: Request, ref: str) -> HttpResponseBase:
        """The file a job has made."""
        job = get_job_file(request._request.who, ref)
        assert job.path is not None
        return file_response(job.path, job.saved_as)


class CancelJob(APIView):
    @operation("jobs_cancel")
    def post(self, request: Request, ref: str) -> JobDisplay:
        """Cancel the job. A running one stops within a second."""
        return _display(request, services.cancel_job(get_job(request._request.who, ref)))


class RetryJob(APIView):
    @operation("jobs_retry")
    def post(self, request: Request, ref: str) -> JobDisplay:
        """Retry a failed or cancelled job."""
        return _display(request, services.retry_job(get_job(request._request.who, ref)))


def _display(request: Request, job: Job) -> JobDisplay:
    return display_job(job, request._request.who)
