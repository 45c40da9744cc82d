"""Where a refusal is caught and shown: once for pages, once for the API, the same sentence in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from refusal import Refusal


def as_json(refusal: Refusal) -> dict[str, Any]:
    answer: dict[str, Any] = {"refusal": refusal.sentence}
    if refusal.field:
        answer["field"] = refusal.field
    if refusal.fresh is not None:
        answer["fresh"] = dict(refusal.fresh)
    return answer


def wants_json(request: HttpRequest) -> bool:
    return request.path.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")


# Where nobody knows better: a worker is busy, or others are in the way.
SOON = 10


def again_in(request: HttpRequest, seconds: int) -> None:
    """How long the one who asked too often has to wait, for the answer's head, whoever draws its body."""
    request.again_in = seconds  # type: ignore[attr-defined]


class RefusalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 429 and not response.has_header("Retry-After"):
            response["Retry-After"] = str(getattr(request, "again_in", SOON))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return draw(request, error) if isinstance(error, Refusal) else None


def draw(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(as_json(refusal), status=refusal.status)
    if request.headers.get("HX-Request"):
        response = render(request, "_refusal.html", {"refusal": refusal}, status=refusal.status)
        # Whatever the form meant to replace stays; the sentence goes where base.html keeps a place for it.
        response["HX-Retarget"] = "#refusal"
        response["HX-Reswap"] = "innerHTML show:top"
        return response
    return render(
        request, "errors/refusal.html", {"refusal": refusal, "back": way_back(request)}, status=refusal.status
    )


def say(form: Form, refusal: Refusal) -> None:
    """A refusal where the form shows it: at its field, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.sentence)


def way_back(request: HttpRequest) -> str:
    """The page the sender came from, if it is one of ours; else home."""
    referer = request.headers.get("Referer", "")
    start = f"{request.scheme}://{request.get_host()}"
    back = referer.removeprefix(start) if referer.startswith(f"{start}/") else "/"
    # An address of ours may begin with two slashes, and a browser would take what follows them for another host.
    return back if url_has_allowed_host_and_scheme(back, None) else "/"


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's errors and our refusals in one shape."""
    if isinstance(error, Refusal):
        return Response(as_json(error), status=error.status)
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        detail = response.data
        sentence = detail.get("detail") if isinstance(detail, dict) and "detail" in detail else None
        response.data = {"refusal": str(sentence or "Some of these values cannot be taken."), "detail": detail}
    return response
