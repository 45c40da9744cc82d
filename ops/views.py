"""The owner's page: copies, clean-up, what runs and how big it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from jobs import desk
from jobs.handing import hand_over
from jobs.models import Due, Job, State
from jobs.sheet import job_sheets
from ops import copies, health, house, tidying
from ops.job_kinds import BACKUP, NIGHT, TIDY
from people.wall import password_only


def owner_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Those who look after the site, with their password. For everybody else there is no such page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.who.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return password_only(guarded)


@owner_only
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    jobs = Job.objects.filter(kind__in=(BACKUP, TIDY))
    tidied = jobs.filter(kind=TIDY, state=State.DONE).first()
    context = {
        "health": health.health(),
        "copies": copies.kept(),
        "keep": settings.KEEP_COPIES,
        "night": Due.objects.filter(kind=NIGHT).first(),
        "jobs": job_sheets(jobs[:5]),
        "open": jobs.open().exists(),
        "parts": house.parts(),
        "room_left": house.room_left(),
        "var": settings.VAR,
        "chores": [(chore.words, tidied.result.get(chore.key) if tidied else None) for chore in tidying.CHORES],
        "tidied": tidied,
        "versions": house.versions(),
        "database_version": house.database_version(),
        "embedded": not settings.REDIS_URL,
    }
    return render(request, "ops/page.html", context)


@owner_only
@require_POST
def make_backup(request: HttpRequest) -> HttpResponse:
    return _ask(request, BACKUP)


@owner_only
@require_POST
def clean_up(request: HttpRequest) -> HttpResponse:
    return _ask(request, TIDY)


@owner_only
@require_safe
def copy(request: HttpRequest, name: str) -> HttpResponseBase:
    path = copies.find(name)
    if path is None:
        raise Http404
    return hand_over(path, name)


def _ask(request: HttpRequest, kind: str) -> HttpResponse:
    """Pressed twice it is asked for once."""
    if not Job.objects.open().filter(kind=kind).exists():
        desk.ask(kind, {}, request.who.person)
    return redirect("ops:page")
