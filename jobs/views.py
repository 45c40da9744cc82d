"""Pages of one's jobs: fetch (the look-up is the permission check), ask the desk, draw."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from jobs import desk
from jobs.handing import hand_over
from jobs.models import Job
from jobs.sheet import job_sheet, job_sheets
from people.wall import known_only, next_page

PER_PAGE = 20


@known_only
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    mine = Job.objects.asked_by(request.who)
    page = Paginator(mine, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "jobs/index.html", {"jobs": job_sheets(page.object_list), "page": page, "open": mine.open().count()}
    )


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "jobs/page.html", {"job": job_sheet(_visible(request, pk))})


@require_safe
def row(request: HttpRequest, pk: int) -> HttpResponse:
    """One job alone: it fetches itself again every second as long as it is open, and then tells the page that it ended."""
    job = _visible(request, pk)
    response = render(request, "jobs/_job.html", {"job": job_sheet(job)})
    if not job.is_open:
        response["HX-Trigger"] = "job-ended"
    return response


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    return _after(request, desk.cancel(_visible(request, pk)))


@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    return _after(request, desk.retry(_visible(request, pk)))


@require_safe
def file(request: HttpRequest, pk: int) -> HttpResponseBase:
    job = _visible(request, pk)
    if job.path is None:
        raise Http404("The file is no longer kept.")
    return hand_over(job.path, job.saved_as)


def _visible(request: HttpRequest, pk: int) -> Job:
    return get_object_or_404(Job.objects.visible_to(request.who), pk=pk)


def _after(request: HttpRequest, job: Job) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(request, "jobs/_job.html", {"job": job_sheet(job)})
    return redirect(next_page(request, job.get_absolute_url()))
