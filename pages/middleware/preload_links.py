"""``Link: preload`` for the stylesheets of every page: a proxy can send them early, and a browser asks at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

ON_EVERY_PAGE = ("css/tokens.css", "css/components.css")
HEAD = 4_000  # bytes in which a page links them


@cache
def _addresses() -> tuple[str, ...]:
    return tuple(static(name) for name in ON_EVERY_PAGE)


class PreloadLinksMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        # The documentation of the API has stylesheets of its own.
        used = [address for address in _addresses() if f'href="{address}"'.encode() in response.content[:HEAD]]
        if used:
            response.headers["Link"] = ", ".join(f"<{address}>; rel=preload; as=style" for address in used)
        return response
