"""Pages of your jobs: fetch (the look-up is the permission check), act, draw."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from jobs import services
from jobs.display import display_job, display_jobs
from jobs.file_responses import file_response
from jobs.models import Job
from people.login_redirect import get_next_url, person_required

PER_PAGE = 20


@person_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    mine = Job.objects.asked_by(request.who)
    page = Paginator(mine, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "jobs/index.html", {"jobs": display_jobs(page.object_list), "page": page, "open": mine.open().count()}
    )


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "jobs/page.html", {"job": display_job(_visible(request, pk))})


@require_safe
def row(request: HttpRequest, pk: int) -> HttpResponse:
    """One job's row. It reloads every second while the job is open, then tells the page that it ended."""
    job = _visible(request, pk)
    response = render(request, "jobs/_job.html", {"job": display_job(job)})
    if not job.is_open:
        response["HX-Trigger"] = "job-ended"
    return response


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    return _after(request, services.cancel_job(_visible(request, pk)))


@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    return _after(request, services.retry_job(_visible(request, pk)))


@require_safe
def file(request: HttpRequest, pk: int) -> HttpResponseBase:
    job = _visible(request, pk)
    if job.path is None:
        raise Http404("This file has been deleted. Files are kept for 30 days.")
    return file_response(job.path, job.saved_as)


def _visible(request: HttpRequest, pk: int) -> Job:
    return get_object_or_404(Job.objects.visible_to(request.who), pk=pk)


def _after(request: HttpRequest, job: Job) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(request, "jobs/_job.html", {"job": display_job(job)})
    return redirect(get_next_url(request, job.get_absolute_url()))
