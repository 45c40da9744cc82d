"""The error pages."""

from __future__ import annotations

import sys

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader

from config.outages import is_disk_full, is_outage, is_plan_outdated
from config.request_ids import current_request_id
from pages.api.problem_json import problem_response
from pages.refusal_handling import render_refusal, wants_json
from refusal import Refusal

NO_DATABASE = "The site cannot reach its database right now. Try again in a few seconds."
NO_SPACE = "The server's disk is full. Tell whoever runs this site, and try again later."
# Seconds: a database that restarts is back soon.
RETRY_AFTER = 5


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A request that is too large, or that no browser sends."""
    too_much = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    if too_much and hasattr(request, "who"):
        return render_refusal(request, Refusal("The request is too large.", status=413))
    if wants_json(request):
        return problem_response("This request cannot be read.", 400)
    return HttpResponse("This request cannot be read.", content_type="text/plain", status=400)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if wants_json(request):
        return problem_response("There is nothing at this address.", 404)
    return render(request, "errors/404.html", status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if wants_json(request):
        return problem_response("You are not allowed to do this.", 403)
    return render(request, "errors/403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The usual cause is an old page or blocked cookies, so the page says that and not "CSRF"."""
    sentence = "This page is out of date, or cookies are blocked. Reload it and try again."
    if wants_json(request):
        return problem_response(sentence, 403, code="csrf")
    return render(request, "errors/403.html", {"sentence": sentence}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Works without a database and context, whatever else is broken."""
    error = sys.exc_info()[1]
    if is_plan_outdated(error):
        connection.close()
    if is_outage(error):
        return service_unavailable(request, NO_SPACE if is_disk_full(error) else NO_DATABASE)
    request_id = current_request_id()
    if wants_json(request):
        sentence = "Something went wrong. Nothing was saved halfway."
        return problem_response(sentence, 500, request=request_id)
    return _draw_without_request("errors/500.html", 500, request_id=request_id)


def service_unavailable(request: HttpRequest, sentence: str) -> HttpResponse:
    """An outage, which passes: outboxes and programs try again by themselves."""
    if wants_json(request):
        response: HttpResponse = problem_response(sentence, 503)
    else:
        response = _draw_without_request("errors/503.html", 503, sentence=sentence)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _draw_without_request(template_name: str, status: int, **values: object) -> HttpResponse:
    """A page that needs neither viewer nor database."""
    return HttpResponse(loader.get_template(template_name).render({"request": None, **values}), status=status)
