"""Every request is checked here before a view reads it: its size, its address, its cookies and its form.

JSON bodies are checked by the parsers of the API (pages.api_parsers), with the same rules (json_input).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse

from json_input import MAX_NAME, check_fields, check_text, is_storable
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


class RequestCleaningMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        drop_broken_cookies(request)
        response = self.get_response(request)
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
