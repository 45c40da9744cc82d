"""Light, dark, or as the system wishes: the reader's choice, kept in a cookie."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from pages.context import THEMES
from pages.refusals import way_back

YEAR = 60 * 60 * 24 * 365


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    response = redirect(way_back(request))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie("theme")
    return response
