"""The owner's page: backups, clean-up, versions and disk use."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from jobs.display import display_jobs
from jobs.files import file_response
from jobs.models import Due, Job, State
from ops import backup, cleanup, health
from ops.job_kinds import BACKUP, NIGHT, TIDY, request_once
from people.accounts.my_account import require_owner
from people.login_required import password_required


def owner_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """For the owner, logged in with a password. Everybody else gets a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        require_owner(request.who)
        return view(request, *args, **kwargs)

    return password_required(guarded)


@owner_only
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    jobs = Job.objects.filter(kind__in=(BACKUP, TIDY))
    tidied = jobs.filter(kind=TIDY, state=State.DONE).first()
    context = {
        "health": health.check_health(),
        "copies": backup.list_copies(),
        "keep": settings.KEEP_COPIES,
        "night": Due.objects.filter(kind=NIGHT).first(),
        "jobs": display_jobs(jobs[:5], request.who),
        "open": jobs.open().exists(),
        "parts": health.storage_parts(),
        "room_left": health.free_space(),
        "var": settings.VAR,
        "chores": [(chore.words, tidied.result.get(chore.key) if tidied else None) for chore in cleanup.CHORES],
        "tidied": tidied,
        "versions": health.versions(),
        "database_version": health.database_version(),
    }
    return render(request, "ops/page.html", context)


@owner_only
@require_POST
def make_backup(request: HttpRequest) -> HttpResponse:
    return _request_job(request, BACKUP)


@owner_only
@require_POST
def clean_up(request: HttpRequest) -> HttpResponse:
    return _request_job(request, TIDY)


@owner_only
@require_safe
def download_copy(request: HttpRequest, name: str) -> HttpResponseBase:
    path = backup.find_copy(name)
    if path is None:
        raise Http404
    return file_response(path, name)


def _request_job(request: HttpRequest, kind: str) -> HttpResponse:
    request_once(kind, request.who.person)
    return redirect("ops:page")
