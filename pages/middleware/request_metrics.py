"""Count and time requests by app, method and status."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from config import prometheus_counters

# Anybody can invent a method; each would be a series of its own for ever.
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class RequestMetricsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begin = time.perf_counter()
        response = self.get_response(request)
        app = _app_of(request.resolver_match)
        method = request.method if request.method in METHODS else "other"
        prometheus_counters.REQUESTS.labels(app, method, str(response.status_code)).inc()
        prometheus_counters.SECONDS.labels(app).observe(time.perf_counter() - begin)
        return response


def _app_of(match: ResolverMatch | None) -> str:
    """The part of the site that answered. Addresses of the API have no namespace, so there the view's module tells."""
    if match is None:
        return "other"
    view = getattr(match.func, "cls", None) or getattr(match.func, "view_class", match.func)
    app: str = match.app_name.split(":")[0] or view.__module__.split(".")[0]
    return app
