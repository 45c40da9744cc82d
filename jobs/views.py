"""Pages of your jobs: fetch (the look-up is the permission check), act, draw."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from jobs import services
from jobs.display import display_job, display_jobs
from jobs.files import file_response
from jobs.models import Job
from jobs.permissions import get_job, get_job_file
from people.login_required import get_next_url, person_required

PER_PAGE = 20


@person_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    mine = Job.objects.asked_by(request.who)
    page = Paginator(mine, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "jobs/index.html",
        {"jobs": display_jobs(page.object_list, request.who), "page": page, "open": mine.open().count()},
    )


@require_safe
def page(request: HttpRequest, ref: str) -> HttpResponse:
    return render(request, "jobs/page.html", {"job": display_job(get_job(request.who, ref), request.who)})


@require_safe
def row(request: HttpRequest, ref: str) -> HttpResponse:
    """One job's row. It reloads every second while the job is open, then tells the page that it ended."""
    job = get_job(request.who, ref)
    response = render(request, "jobs/_job.html", {"job": display_job(job, request.who)})
    if not job.is_open:
        response["HX-Trigger"] = "job-ended"
    return response


@require_POST
def cancel(request: HttpRequest, ref: str) -> HttpResponse:
    return _after(request, services.cancel_job(get_job(request.who, ref)))


@require_POST
def retry(request: HttpRequest, ref: str) -> HttpResponse:
    return _after(request, services.retry_job(get_job(request.who, ref)))


@require_safe
def file(request: HttpRequest, ref: str) -> HttpResponseBase:
    job = get_job_file(request.who, ref)
    assert job.path is not None
    return file_response(job.path, job.saved_as)


def _after(request: HttpRequest, job: Job) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(request, "jobs/_job.html", {"job": display_job(job, request.who)})
    return redirect(get_next_url(request, job.get_absolute_url()))
