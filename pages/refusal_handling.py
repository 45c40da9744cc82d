"""Shows refusals: on pages and in the API, with the same sentence."""

from __future__ import annotations

from collections.abc import Callable

from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from pages.api import problem_json
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
        response.data = problem_json.problem_of_errors(response.data, response.status_code)
        response.content_type = problem_json.CONTENT_TYPE
    return response


def _problem(data: dict[str, object], status: int) -> Response:
    response = Response(data, status=status, content_type=problem_json.CONTENT_TYPE)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response
