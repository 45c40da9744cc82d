"""Jobs as JSON: the same data, services and refusals as the pages."""

from dataclasses import dataclass
from typing import Annotated

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Text
from jobs import services
from jobs.display import JobDisplay, display_job, display_jobs
from jobs.files import file_response
from jobs.models import Job, State
from jobs.permissions import get_job, get_job_file
from pages.api.operations import Query, operation
from pages.api_pagination import Page, paginate

NEWEST = 50


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
    @operation("jobs_file", file="application/octet-stream")
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
