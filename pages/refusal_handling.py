"""Shows refusals, on pages and in the API with the same sentence; and the error pages."""

import sys
from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import connection
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from config.log_lines import current_request_id
from config.outages import is_disk_full, is_outage, is_plan_outdated
from pages.api import problem_json
from pages.api.problem_json import problem_response
from refusal import Refusal


def refusal_json(refusal: Refusal) -> dict[str, object]:
    code = refusal.code or ("changed" if refusal.status == 409 and refusal.fresh is not None else "")
    answer = problem_json.problem(refusal.sentence, refusal.status, code=code)
    if refusal.field:
        answer["field"] = refusal.field
    if refusal.fresh is not None:
        answer["fresh"] = dict(refusal.fresh)
    return answer


def wants_json(request: HttpRequest) -> bool:
    return request.path.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")


# In seconds, if nobody knows better.
DEFAULT_RETRY_AFTER = 10


def set_retry_after(request: HttpRequest, seconds: int) -> None:
    """Set the Retry-After header of the response."""
    request.retry_after = seconds


class RefusalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code in (429, 503) and not response.has_header("Retry-After"):
            response["Retry-After"] = str(getattr(request, "retry_after", DEFAULT_RETRY_AFTER))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return render_refusal(request, error) if isinstance(error, Refusal) else None


def render_refusal(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(refusal_json(refusal), status=refusal.status, content_type=problem_json.CONTENT_TYPE)
    if request.headers.get("HX-Request"):
        response = render(request, "_refusal.html", {"refusal": refusal}, status=refusal.status)
        # Show it in the #refusal box of base.html instead of the form's target.
        response["HX-Retarget"] = "#refusal"
        response["HX-Reswap"] = "innerHTML show:top"
        return response
    return render(
        request, "errors/refusal.html", {"refusal": refusal, "back": back_url(request)}, status=refusal.status
    )


def add_refusal_to_form(form: Form, refusal: Refusal) -> None:
    """Show a refusal at its field, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.sentence)


def back_url(request: HttpRequest) -> str:
    """The page they came from, if it is on this site; else home."""
    referer = request.headers.get("Referer", "")
    start = f"{request.scheme}://{request.get_host()}"
    back = referer.removeprefix(start) if referer.startswith(f"{start}/") else "/"
    # After two leading slashes a browser expects another host.
    return back if url_has_allowed_host_and_scheme(back, None) else "/"


def api_exception_handler(error: Exception, context: dict[str, object]) -> Response | None:
    """REST framework's errors and our refusals in one format."""
    if isinstance(error, Refusal):
        return _problem(refusal_json(error), error.status)
    if isinstance(error, Http404):
        # Django's own sentence names the model, which is nobody's business.
        sentence = str(error)
        ours = sentence and not sentence.endswith("matches the given query.")
        return _problem(problem_json.problem(sentence if ours else "There is nothing at this address.", 404), 404)
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = problem_json.problem(str(response.data["detail"]), response.status_code)
        response.content_type = problem_json.CONTENT_TYPE
    return response


def _problem(data: dict[str, object], status: int) -> Response:
    response = Response(data, status=status, content_type=problem_json.CONTENT_TYPE)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


# ── The error pages ──────────────────────────────────────────────────────────────────────────────────────


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
