"""Every request is checked here before a view reads it: its size, its address, its cookies and its form.

JSON bodies are checked by the parsers of the API (pages.api_parsers), with the same rules (json_input).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse

from json_input import MAX_NAME, check_fields, check_text, is_storable
from pages.refusal_handling import render_refusal
from refusal import Refusal

# In the scope or environment of a request: how many bytes it sent. config.request_limits keeps only what is allowed.
BODY_SIZE = "companion.body_size"
# And how many it may send, where that is less than its view takes: strangers send no files.
BODY_LIMIT = "companion.body_limit"
MAX_BODY = 2 * 1024 * 1024  # a deck of three hundred cards is one form
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
View = TypeVar("View", bound=Callable[..., Any])


def accept_bodies_up_to(size: int) -> Callable[[View], View]:
    """For a view that takes files: how many bytes a request to it may have. A class sets ``max_body`` instead."""

    def mark(view: View) -> View:
        view.max_body = size  # type: ignore[attr-defined]
        return view

    return mark


class RequestCleaningMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        drop_broken_cookies(request)
        return self.get_response(request)

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


def _check_size(request: HttpRequest, view: Callable[..., Any]) -> None:
    most, size = max_body_of(view), _body_size(request)
    limit = getattr(request, "scope", request.META).get(BODY_LIMIT, most)
    if limit < size <= most:
        raise Refusal("Log in first, or open your personal link. Then send it again.", status=403)
    if size > most:
        raise Refusal(f"The request is {_megabytes(size)}. The limit is {_megabytes(most)}.", status=413)


def _body_size(request: HttpRequest) -> int:
    if (sent := getattr(request, "scope", request.META).get(BODY_SIZE)) is not None:
        return sent
    if isinstance(request, ASGIRequest):  # the server has the whole body by now, whatever length was announced
        stream = request._stream
        at = stream.tell()
        size = stream.seek(0, os.SEEK_END)
        stream.seek(at)
        return size
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB"


def _check_encoding(request: HttpRequest) -> None:
    if (request.encoding or "utf-8").lower() not in ("utf-8", "utf8"):
        raise Refusal("Send text in UTF-8.", status=415)
