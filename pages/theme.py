"""Choose light, dark or the system's theme, stored in a cookie."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from pages.context_processors import THEMES
from pages.refusal_handling import back_url

YEAR = 60 * 60 * 24 * 365


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    response = redirect(back_url(request))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie("theme")
    return response
