"""What happens to every request before a view reads it: checks, an id, a measure, the zone, the session.

Checked are its size, its address, its cookies and its form. JSON bodies are checked by the parsers of the API
(pages.api.parsers_and_renderers), with the same rules (json_input).
"""

import contextlib
import ipaddress
import time
import zoneinfo
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.urls import ResolverMatch
from django.utils import timezone

from config import prometheus_counters
from config.log_lines import HEADER, begin_request
from json_input import MAX_NAME, check_fields, check_text, is_storable
from pages.answer_middleware import Middleware
from pages.refusal_handling import render_refusal
from refusal import Refusal

# Strangers send forms, no files.
SMALL_BODY = 64 * 1024
MAX_BODY = 2 * 1024 * 1024  # a deck of three hundred cards is one form
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
View = TypeVar("View", bound=Callable[..., Any])


def accept_bodies_up_to(size: int) -> Callable[[View], View]:
    """For a view that takes files: how many bytes a request to it may have. A class sets ``max_body`` instead."""

    def mark(view: View) -> View:
        view.max_body = size  # type: ignore[attr-defined]
        return view

    return mark


class RequestCleaningMiddleware(Middleware):
    def process_request(self, request: HttpRequest) -> None:
        drop_broken_cookies(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code >= 400 and body_size(request) > SMALL_BODY:
            _discard_body(request)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, object]
    ) -> HttpResponse | None:
        try:
            _check_size(request, view)
            _check_encoding(request)
            if not is_storable(request.path):
                raise Refusal("There is nothing at this address.", status=404)
            check_fields(request.GET.lists())
            if request.method == "POST" and request.content_type in FORM_TYPES:
                check_fields(request.POST.lists())
                for field, file in request.FILES.items():
                    check_text(field, most=MAX_NAME)
                    check_text(file.name or "", field=field, most=MAX_NAME + 55)
        except Refusal as refusal:
            response = render_refusal(request, refusal)
            response["Cache-Control"] = "no-store"
            return response
        return None


def drop_broken_cookies(request: HttpRequest) -> None:
    """A browser would send one with every request, so it is ignored and not refused."""
    for name in [name for name, value in request.COOKIES.items() if not is_storable(name + value)]:
        del request.COOKIES[name]


def max_body_of(view: Callable[..., Any]) -> int:
    most: int = getattr(view, "max_body", 0) or getattr(getattr(view, "cls", None), "max_body", MAX_BODY)
    return most


def sends_large_bodies(request: HttpRequest) -> bool:
    return request.who.is_known or bool(request.who.passes)


def body_size(request: HttpRequest) -> int:
    """As announced. Django reads no more than that."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdecimal() and len(length) < 16 else 0


def _check_size(request: HttpRequest, view: Callable[..., Any]) -> None:
    if "Transfer-Encoding" in request.headers:  # uvicorn's have a length by now, and those from most proxies
        raise Refusal("Send the request with its length, in Content-Length.", status=411)
    most, size = max_body_of(view), body_size(request)
    if size > most:
        raise Refusal(f"The request is {_megabytes(size)}. The limit is {_megabytes(most)}.", status=413)
    with contextlib.suppress(DatabaseError, InterfaceError):  # the view will say that the database is away
        if size > SMALL_BODY and not sends_large_bodies(request):
            raise Refusal("Log in first, or open your personal link. Then send it again.", status=403)


def _discard_body(request: HttpRequest) -> None:
    """A connection that is closed before it was read to its end is broken for the proxy, which then shows no answer."""
    with contextlib.suppress(OSError):  # they have left
        while request.read(64 * 1024):
            pass


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB"


def _check_encoding(request: HttpRequest) -> None:
    if (request.encoding or "utf-8").lower() not in ("utf-8", "utf8"):
        raise Refusal("Send text in UTF-8.", status=415)


# ── Each request has an id, which a player can quote and an owner can find in the log ────────────────────


class RequestIdMiddleware(Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get(HEADER, "") if _from_our_proxy(request) else "")
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response


def _from_our_proxy(request: HttpRequest) -> bool:
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return any(address in network for network in settings.TRUSTED_PROXIES)


# ── Count and time requests by app, method and status ────────────────────────────────────────────────────


# Anybody can invent a method; each would be a series of its own for ever.
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class RequestMetricsMiddleware(Middleware):
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


# ── Shows times in the viewer's time zone, which the browser sends in a cookie ───────────────────────────


COOKIE = "zone"


class TimeZoneMiddleware(Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(zone_of(request)):
            return self.get_response(request)


def zone_of(request: HttpRequest) -> zoneinfo.ZoneInfo | None:
    name = request.COOKIES.get(COOKIE, "")
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


# ── Django's sessions, without logging a browser out by an answer that comes late ────────────────────────


class LateAnswerSessionMiddleware(SessionMiddleware):
    """Leave the cookie alone when the session of a request had ended before the request was read.

    Logging in ends the session of before. A live page may have asked for something with that session a moment earlier.
    Django would answer with "delete the session cookie", and the browser would delete the new one: logged out again.
    A cookie without a session opens nothing, so it can stay. Logging out still deletes it: that empties a session here.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        session = getattr(request, "session", None)
        if session is not None and not session.modified and session.is_empty():
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        return response


# ── An address without its slash at the end ──────────────────────────────────────────────────────────────


class MissingSlashMiddleware(CommonMiddleware):
    """In the API 308, with which a program sends a write again as it was. Elsewhere as Django does it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        in_api = response.status_code == 404 and request.path.startswith("/api/")
        if in_api and self.should_redirect_with_slash(request):
            address = request.get_full_path(force_append_slash=True)
            return HttpResponsePermanentRedirect(address, preserve_request=True)
        return super().process_response(request, response)
