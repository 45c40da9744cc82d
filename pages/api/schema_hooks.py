"""What the whole schema has: one shape for every error, the Idempotency-Key, and feeds that are not in the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pages.api.problem_json import CONTENT_TYPE

Schema = Any  # of the generator: open JSON

PROBLEM: Schema = {
    "type": "object",
    "description": "RFC 9457. `detail` is the sentence a player reads on a page.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong, then what to do"},
        "refusal": {"type": "string", "description": "the same as detail"},
        "field": {"type": "string", "description": "the field it is about, as `body.throws.0`"},
        "errors": {"description": "every field that is wrong"},
        "fresh": {"type": "object", "description": "what has changed meanwhile, or the scope that is missing"},
        "request": {"type": "string", "description": "the id of the request in the server's log, for 500"},
    },
    "required": ["type", "title", "status", "detail", "refusal"],
}
ERRORS = {
    400: "The body cannot be read, or a field is missing or of the wrong type.",
    401: "The token does not work.",
    403: "You can see this but not do it, or the token lacks a scope.",
    404: "There is nothing here, or nothing that you can see.",
    405: "This address does not take this method. Allow names those it takes.",
    406: "The answer has none of the types that Accept names.",
    409: "It has changed meanwhile, or it is too late.",
    410: "A link, a code or a slip that no longer works.",
    422: "A value is wrong. `field` names it.",
    429: "Too many requests. Retry-After says when to try again.",
    500: "Something is broken. Nothing was saved halfway. `request` helps whoever runs the site to find out what.",
    503: "The database cannot be reached, or the disk is full. Retry-After says when to try again.",
}
ERRORS_OF_WRITES = {
    413: "The body is too large, or the log is full.",
    415: "The body has a type that this address does not read.",
}
_RETRY_AFTER: Schema = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
HEADERS_OF_ERRORS: dict[int, Schema] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "Bearer"}},
    405: {"Allow": {"schema": {"type": "string"}, "description": "the methods, separated by commas"}},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}
IDEMPOTENCY_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "8 to 80 letters, digits, hyphens and underscores. Sent again within a day with the same request, "
    "it gets the first answer again. Answers that show a secret or are longer than 256 kB are not kept: those requests "
    "run again.",
    "schema": {"type": "string", "minLength": 8, "maxLength": 80},
}
WRITES = ("post", "put", "patch", "delete")

# Apps above add shapes that several operations have. Asked for late: by then every act is registered.
_shapes: list[Callable[[], Mapping[str, Schema]]] = []


def register_shapes(shapes: Callable[[], Mapping[str, Schema]]) -> None:
    _shapes.append(shapes)


# Apps above add addresses outside the API that programs subscribe to.
_feeds: dict[str, Schema] = {}


def register_feed(path: str, operation: Schema) -> None:
    _feeds[path] = {"get": operation}


def add_what_every_operation_has(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """A postprocessing hook of drf-spectacular."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    for shapes in _shapes:
        components["schemas"] |= shapes()
    components["responses"] = {f"Problem{status}": _error(status) for status in (*ERRORS, *ERRORS_OF_WRITES)}
    components["parameters"] = {"IdempotencyKey": IDEMPOTENCY_KEY}
    for path, method, operation in _operations(result):
        if path.startswith("/api/v1/"):
            errors = (*ERRORS, *(ERRORS_OF_WRITES if method in WRITES else ()))
            operation["responses"] |= {
                str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in errors
            }
            if method in WRITES:
                parameters = operation.setdefault("parameters", [])
                parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    result["paths"] |= _feeds
    return result


def _operations(result: Schema) -> Iterable[tuple[str, str, Schema]]:
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _error(status: int) -> Schema:
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    described = (ERRORS | ERRORS_OF_WRITES)[status]
    headers = HEADERS_OF_ERRORS.get(status)
    return {"description": described, "content": content, **({"headers": headers} if headers else {})}
