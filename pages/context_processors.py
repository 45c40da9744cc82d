"""What every page knows: the theme chosen, the part of the site it belongs to."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

THEMES = ("light", "dark")
SECTIONS = {
    "": "home",
    "campaigns": "campaign",
    "musters": "muster",
    "battles": "battle",
    "tables": "tables",
    "nights": "nights",
    "me": "me",
    "log-in": "me",
}


def everywhere(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme", "")
    first = request.path.strip("/").split("/", 1)[0]
    return {"theme": theme if theme in THEMES else "", "section": SECTIONS.get(first, "")}
