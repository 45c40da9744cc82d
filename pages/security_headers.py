"""What a browser may do with an answer: load our own files and nothing else, no inline script, no inline style; and keep
nothing that is somebody's own."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

LOADING = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

# Pages differ by who asks: no cache that others share keeps one, and a browser asks again before it shows its own. What may
# be kept longer, or must not even be stored, says so itself.
KEEPING = "private, no-cache"


class AnswerPolicy:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", LOADING)
        response.headers.setdefault("Cache-Control", KEEPING)
        return response
