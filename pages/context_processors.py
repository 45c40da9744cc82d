"""For every page: the chosen theme, and the section of the site."""

from __future__ import annotations

from django.http import HttpRequest

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
