"""Errors as JSON: RFC 9457 problem details, with the sentence that a player reads on a page.

``refusal`` repeats ``detail``: programs written for earlier releases read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

CONTENT_TYPE = "application/problem+json"


def problem(sentence: str, status: int, **more: object) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence,
        "refusal": sentence,
        **more,
    }


def problem_response(sentence: str, status: int, **more: object) -> JsonResponse:
    return JsonResponse(problem(sentence, status, **more), status=status, content_type=CONTENT_TYPE)


# What REST framework says about a field, in our words.
_SENTENCES = {"required": "“{field}” is missing.", "null": "“{field}” is missing.", "blank": "“{field}” is empty."}


def problem_of_errors(errors: Any, status: int) -> dict[str, object]:
    """What REST framework found wrong: its own sentence, or one about the first field."""
    if isinstance(errors, Mapping) and isinstance(errors.get("detail"), str):
        return problem(str(errors["detail"]), status)
    field, found = next(_walk(errors), ("", "Some of these values are not valid."))
    if not field or field.startswith("non_field_errors"):
        return problem(str(found), status, errors=errors)
    said = _SENTENCES.get(getattr(found, "code", ""), "“{field}”: {found}")
    return problem(said.format(field=field, found=found), status, field=field, errors=errors)


def _walk(errors: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each sentence with the path of its field, as ``removed.A.0``."""
    if isinstance(errors, str):
        yield path, errors
    elif isinstance(errors, Mapping):
        for key, inner in errors.items():
            yield from _walk(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(errors, list):
        for number, inner in enumerate(errors):
            yield from _walk(inner, path if isinstance(inner, str) else f"{path}.{number}")
