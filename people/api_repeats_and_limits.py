"""Requests to the API: which are answered again, and how many are allowed.

A write with a key in its body has a receipt, and the header Idempotency-Key may bring that key
(``pages.api.operations.Sent``). Of every other write with the header the answer is kept here for a day.
"""

import datetime as dt
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, RawPostDataException
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.throttling import BaseThrottle

from log.services import KEY
from pages.answer_middleware import Middleware
from pages.api.problem_json import problem_response
from people.models import ApiAnswer

if TYPE_CHECKING:
    from rest_framework.request import Request

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MAX_KEPT = 256 * 1024
# A process that died left its request without an answer.
LOST_AFTER = dt.timedelta(minutes=2)
BAD_KEY = "The Idempotency-Key must be 8 to 80 letters, digits, hyphens and underscores."
OTHER_REQUEST = "This Idempotency-Key was sent with another request. Use a new key for each."
STILL_RUNNING = "The first request with this Idempotency-Key is still running. Try again in a moment."


class IdempotencyMiddleware(Middleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if getattr(request, "shows_secret", False):
            response["Cache-Control"] = "no-store"
        if (row := getattr(request, "_answer_to_keep", None)) is not None:
            _keep(row, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, object]
    ) -> HttpResponse | None:
        sent = request.headers.get(HEADER, "")
        if not sent or request.method in SAFE_METHODS or not request.path.startswith("/api/v1/"):
            return None
        if not (sender := _sender(request)):
            return None
        if not KEY.fullmatch(sent):
            return problem_response(BAD_KEY, 422)
        if _takes_key(request, view):
            return None
        key = hashlib.sha256(f"{sender}/{sent}".encode()).hexdigest()
        fingerprint = _fingerprint(request)
        ApiAnswer.objects.filter(key=key, status=None, made_at__lt=timezone.now() - LOST_AFTER).delete()
        try:
            with transaction.atomic():
                request._answer_to_keep = ApiAnswer.objects.create(
                    key=key, fingerprint=fingerprint, person=request.who.person
                )
        except IntegrityError:
            return _answer_again(ApiAnswer.objects.filter(key=key).first(), fingerprint)
        return None


def _takes_key(request: HttpRequest, view: Any) -> bool:
    """The operation reads the header as its key, and its receipt answers what is sent again."""
    method = getattr(getattr(view, "cls", None), str(request.method).lower(), None)
    operation = getattr(method, "operation", None)
    return operation is not None and operation.takes_key


def _sender(request: HttpRequest) -> str:
    """Who can get the answer again: this token, or this person's or browser's session. Nobody without one of them."""
    token = getattr(request, "api_token", None)
    if token is not None:
        return f"token {token.pk}" if token.pk is not None else ""
    return f"session {request.who.ref}" if request.who.is_known or request.who.passes else ""


def _fingerprint(request: HttpRequest) -> str:
    text = f"{request.method} {request.get_full_path()} {request.content_type}\n".encode()
    try:
        body = request.body
    except RawPostDataException:  # a form with files: it was read when its names were checked
        body = request.POST.urlencode().encode()
    return hashlib.sha256(text + body).hexdigest()


def _answer_again(row: ApiAnswer | None, fingerprint: str) -> HttpResponse:
    if row is None or (row.status is None and row.fingerprint == fingerprint):
        return problem_response(STILL_RUNNING, 409, code="still-running")
    if row.fingerprint != fingerprint:
        return problem_response(OTHER_REQUEST, 422, code="key-used")
    response = HttpResponse(row.body, status=row.status, content_type=row.content_type)
    if not row.content_type:  # the first was empty; Django adds its own type
        del response["Content-Type"]
    response[REPLAYED] = "true"
    return response


def _keep(row: ApiAnswer, response: HttpResponse) -> None:
    """Answers that could differ next time, hold a secret, are too long or are files are not kept: they run again."""
    passing = response.status_code >= 500 or response.status_code in (401, 429)
    secret = "no-store" in response.headers.get("Cache-Control", "")
    text = None if passing or secret else _text(response)
    if text is None:
        ApiAnswer.objects.filter(pk=row.pk).delete()
        return
    ApiAnswer.objects.filter(pk=row.pk).update(
        status=response.status_code, body=text, content_type=response.headers.get("Content-Type", "")
    )


def _text(response: HttpResponse) -> str | None:
    """The body, if it can be stored as it is. A file would come back damaged."""
    if response.streaming or len(response.content) > MAX_KEPT:
        return None
    try:
        text: str = response.content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text  # PostgreSQL stores no NUL


# ── How many are allowed ───────────────────────────────────────────────────────────────────────────────
# In a minute: per token, else per browser and network; strangers share.


# Of the requests in a minute, this part may change something.
PART_THAT_WRITES = 4
# Guests and passes can be got in numbers, so their browsers and tokens share a limit too: a cellar full of them.
BROWSERS_IN_A_NETWORK = 20


class RequestThrottle(BaseThrottle):
    def allow_request(self, request: "Request", view: Any) -> bool:
        if settings.API_RATE:
            from people import rate_limits  # it imports REST framework, which imports this module first

            writes = request.method not in SAFE_METHODS
            most = max(1, settings.API_RATE // PART_THAT_WRITES) if writes else settings.API_RATE
            kind = "write" if writes else "read"
            for subject, room in _subjects(request).items():
                rate_limits.count_request(request._request, f"{kind} {subject}", rate_limits.Rate(most * room, 1))
        return True


def _subjects(request: "Request") -> dict[str, int]:
    """Who is counted, and how many times the rate they have. Anybody can make up a cookie or get a token that has not
    logged in: it counts for itself only if somebody is known by it. Who brings neither costs no query.
    """
    from people import rate_limits

    asked = request._request
    token = getattr(asked, "api_token", None)
    if token is not None and token.log_in_id is not None:
        return {f"token {token.pk}": 1}
    network = f"address {rate_limits.address_of(asked)}"
    own = f"token {token.pk}" if token is not None else f"session {request.COOKIES.get(settings.SESSION_COOKIE_NAME)}"
    is_sent = token.pk is not None if token is not None else settings.SESSION_COOKIE_NAME in request.COOKIES
    if is_sent and (asked.who.is_known or asked.who.passes):
        return {own: 1, f"{network} with browsers": BROWSERS_IN_A_NETWORK}
    return {network: 1}
