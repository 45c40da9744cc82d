"""Error pages in the same look, each with a way back."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader

from pages.refusals import draw, wants_json
from refusal import Refusal


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What Django will not read: far too much at once, or a request that no browser of a visitor makes."""
    too_much = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    if too_much and hasattr(request, "who"):
        return draw(request, Refusal("More was sent at once than this site reads.", status=413))
    return HttpResponse("This request cannot be read.", content_type="text/plain", status=400)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"refusal": "There is nothing at this address."}, status=404)
    return render(request, "errors/404.html", status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"refusal": "This is not yours to do."}, status=403)
    return render(request, "errors/403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The usual cause is an old page or blocked cookies, so the answer says that and not "CSRF"."""
    sentence = "This page is too old, or cookies are blocked. Load the page again and repeat the entry."
    if wants_json(request):
        return JsonResponse({"refusal": sentence}, status=403)
    return render(request, "errors/403.html", {"sentence": sentence}, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Drawn with no database and no context: whatever broke, this page does not."""
    if wants_json(request):
        return JsonResponse({"refusal": "Something broke here. Nothing half-written was kept."}, status=500)
    return HttpResponse(loader.get_template("errors/500.html").render({}), status=500)
