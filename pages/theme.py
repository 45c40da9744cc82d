"""Light, dark or the system's theme, stored in a cookie; and for every page the theme and its section of the site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

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


# ── For every page: the chosen theme, and the section of the site ────────────────────────────────────────


THEMES = ("light", "dark")
SECTIONS = {
    "": "home",
    "campaigns": "campaign",
    "musters": "muster",
    "battles": "battle",
    "tables": "tables",
    "nights": "nights",
    "groups": "nights",
    "n": "nights",
    "me": "me",
    "log-in": "me",
}


def theme_and_section(request: HttpRequest) -> dict[str, object]:
    theme = request.COOKIES.get("theme", "")
    first = request.path.strip("/").split("/", 1)[0]
    return {"theme": theme if theme in THEMES else "", "section": SECTIONS.get(first, "")}
