"""Errors as JSON: RFC 9457 problem details, with the sentence that a player reads on a page.

``type`` is a short code that stays, for programs to branch on. ``refusal`` repeats ``detail``: programs written for
earlier releases read it.
"""

from http import HTTPStatus

from django.http import JsonResponse

CONTENT_TYPE = "application/problem+json"

# The code of a status, where no finer one is given.
CODES = {
    400: "bad-request",
    401: "wrong-token",
    403: "not-allowed",
    404: "not-found",
    405: "wrong-method",
    406: "no-such-format",
    409: "conflict",
    410: "gone",
    413: "too-large",
    415: "wrong-format",
    422: "wrong-value",
    429: "too-many-requests",
    500: "server-error",
    503: "unavailable",
}
# What a program can do something about by itself, or ask its user for.
FINER_CODES = {
    "missing-field": "A field that is required was not sent; `field` names it.",
    "log-in-required": "Only for people who have logged in.",
    "missing-scope": "The token lacks a scope; `fresh.scope` names it.",
    "csrf": "A session in a browser must send the header X-CSRFToken.",
    "changed": "Something changed meanwhile; `fresh` says what it is now. Look again, then decide.",
    "key-used": "The key was sent before with something else. Use a new key for each write.",
    "still-running": "The first request with this key is not done. Send it again in a moment.",
    "bad-cursor": "Start the list again without a cursor.",
}


def problem(sentence: str, status: int, *, code: str = "", **more: object) -> dict[str, object]:
    return {
        "type": code or CODES.get(status) or CODES[400 if status < 500 else 500],
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence,
        "refusal": sentence,
        **more,
    }


def problem_response(sentence: str, status: int, *, code: str = "", **more: object) -> JsonResponse:
    return JsonResponse(problem(sentence, status, code=code, **more), status=status, content_type=CONTENT_TYPE)
