"""``Link: preload`` for the stylesheets of every page: a proxy can send them early, and a browser asks at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

ON_EVERY_PAGE = ("css/tokens.css", "css/components.css")


@cache
def _links() -> str:
    return ", ".join(f"<{static(name)}>; rel=preload; as=style" for name in ON_EVERY_PAGE)


class PreloadLinksMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming
        if is_page and "Link" not in response.headers and response.content[:9].lower() == b"<!doctype":
            response.headers["Link"] = _links()
        return response
