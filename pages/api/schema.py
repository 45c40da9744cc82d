"""The API's schema: one shape for every error, keys, pages of lists; and what every operation has by itself."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.conf import settings
from drf_spectacular.openapi import AutoSchema as SpectacularAutoSchema

from pages.api.problem_json import CODES, CONTENT_TYPE, FINER_CODES

Schema = Any  # of the generator: open JSON

ERRORS = {
    400: "The body cannot be read.",
    401: "The token does not work.",
    403: "You can see this but not do it, or the token lacks a scope.",
    404: "There is nothing here, or nothing that you can see.",
    405: "This address does not take this method. Allow names those it takes.",
    406: "The answer has none of the types that Accept names.",
    409: "It has changed meanwhile, or it is too late.",
    410: "A link, a code or a slip that no longer works.",
    422: "A value is wrong, of the wrong type or missing. `field` names it.",
    429: "Too many requests. Retry-After says when to try again.",
    500: "Something is broken. Nothing was saved halfway. `request` helps whoever runs the site to find out what.",
    503: "The database cannot be reached, or the disk is full. Retry-After says when to try again.",
}
ERRORS_OF_WRITES = {
    413: "The body is too large, or the log is full.",
    415: "The body has a type that this address does not read.",
}


def _describe_codes() -> str:
    """Every code with its meaning."""
    meanings = {code: (ERRORS | ERRORS_OF_WRITES)[status] for status, code in CODES.items()} | FINER_CODES
    rows = "\n".join(f"- `{code}`: {meaning}" for code, meaning in meanings.items())
    return f"A code that stays, to branch on. Others may be added; then go by the status.\n\n{rows}"


PROBLEM: Schema = {
    "type": "object",
    "description": "RFC 9457. `detail` is the sentence a player reads on a page.",
    "properties": {
        "type": {"type": "string", "description": _describe_codes(), "examples": [*CODES.values(), *FINER_CODES]},
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
_RETRY_AFTER: Schema = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
HEADERS_OF_ERRORS: dict[int, Schema] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "Bearer"}},
    405: {"Allow": {"schema": {"type": "string"}, "description": "the methods, separated by commas"}},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}
# The key of a write, as ``log.services.check_key`` asks for it.
KEY: Schema = {
    "type": "string",
    "minLength": 8,
    "maxLength": 80,
    "pattern": "^[A-Za-z0-9_-]+$",
    "description": "Made up by you; a write whose key is sent twice is done once. Or send the header Idempotency-Key.",
}
IDEMPOTENCY_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "8 to 80 letters, digits, hyphens and underscores. Where the body or the address takes a `key`, the "
    "header may bring it. Elsewhere the same request, sent again within a day, gets the first answer again. Answers "
    "that show a secret or are longer than 256 kB are not kept: those requests run again.",
    "schema": {name: rule for name, rule in KEY.items() if name != "description"},
}
LINK: Schema = {
    "description": 'The next page: its address, and rel="next". Not there on the last page.',
    "schema": {"type": "string"},
}
# What the type of a field says already: labels such as "The number", made for sentences.
SAYS_NOTHING = ("number", "name", "text", "key")
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
    components["headers"] = {"Link": LINK}
    _tidy(result)
    for path, method, operation in _operations(result):
        if path.startswith("/api/v1/"):
            _add_pages(operation)
            errors = (*ERRORS, *(ERRORS_OF_WRITES if method in WRITES else ()))
            operation["responses"] |= {
                str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in errors
            }
            if method in WRITES:
                parameters = operation.setdefault("parameters", [])
                parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
                _say_if_body_is_required(operation, components["schemas"])
    result["paths"] |= _feeds
    return result


def _add_pages(operation: Schema) -> None:
    """A list that takes the place where it goes on says in a header where that is."""
    if {"cursor", "before"} & {parameter.get("name") for parameter in operation.get("parameters", ())}:
        operation["responses"]["200"]["headers"] = {"Link": {"$ref": "#/components/headers/Link"}}


def _say_if_body_is_required(operation: Schema, components: Mapping[str, Schema]) -> None:
    """Whether the body may be left out."""
    body = operation.get("requestBody")
    if body is None:
        return
    kinds = [kind for content in body["content"].values() for kind in _alternatives(content["schema"], components)]
    body["required"] = all(kind.get("required") or "properties" not in kind for kind in kinds)


def _alternatives(kind: Schema, components: Mapping[str, Schema]) -> Iterator[Schema]:
    while "$ref" in kind:
        kind = components[kind["$ref"].rpartition("/")[2]]
    choices = kind.get("oneOf") or kind.get("anyOf")
    for choice in choices or ():
        yield from _alternatives(choice, components)
    if not choices:
        yield kind


def _tidy(node: Any) -> None:
    """Without descriptions that only repeat the name of their field or parameter, and with null beside an enum, not in
    it: most generators then name the enum once.
    """
    if isinstance(node, list):
        for item in node:
            _tidy(item)
    elif isinstance(node, dict):
        properties = node.get("properties")
        for name, field in properties.items() if isinstance(properties, dict) else ():
            if isinstance(field, dict):
                _drop_bare_description(field, name)
        _drop_bare_description(node, str(node.get("name", "")))
        if isinstance(node.get("type"), list) and None in node.get("enum", ()):
            kind = next(kind for kind in node.pop("type") if kind != "null")
            values = [value for value in node.pop("enum") if value is not None]
            node["oneOf"] = [{"type": kind, "enum": values}, {"type": "null"}]
        for inner in node.values():
            _tidy(inner)


def _drop_bare_description(node: Schema, name: str) -> None:
    said = node.get("description")
    if said and isinstance(said, str) and _bare(said) in (_bare(name), *SAYS_NOTHING):
        del node["description"]


def _bare(words: str) -> str:
    return re.sub(r"^(the|an?) |[\W_]", "", words.lower())


def _operations(result: Schema) -> Iterable[tuple[str, str, Schema]]:
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _error(status: int) -> Schema:
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    described = (ERRORS | ERRORS_OF_WRITES)[status]
    headers = HEADERS_OF_ERRORS.get(status)
    return {"description": described, "content": content, **({"headers": headers} if headers else {})}


# ── One operation of the API's schema: what every operation has, so that no view has to say it ───────────


SCOPE_SENTENCE = "A token needs the scope **{scope}**."
_END_OF_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n\n")


class AutoSchema(SpectacularAutoSchema):
    """Reads what ``pages.api.operations`` knows of a method from its types."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if not operation:
            return operation
        scope = self._scope()
        summary, rest = split_summary(operation.get("description", ""))
        operation["summary"] = summary
        operation["description"] = rest
        if scope:
            operation["description"] = f"{rest}\n\n{SCOPE_SENTENCE.format(scope=scope)}".strip()
            operation["x-scope"] = scope
        operation.setdefault("security", [])
        if self.method == "DELETE" and (sent := self.get_request_serializer()) is not None:
            operation["requestBody"] = {"content": {kind: {"schema": body} for kind, body in sent.items()}}
        return operation

    def _operation(self) -> Any:
        """None for what webhooks receive."""
        return getattr(getattr(self.view, self.method.lower(), None), "operation", None)

    def get_operation_id(self) -> str:
        described = self._operation()
        return described.name.format_map(vars(type(self.view))) if described else super().get_operation_id()

    def get_request_serializer(self) -> Any:
        described = self._operation()
        return described.body if described else super().get_request_serializer()

    def get_override_parameters(self) -> Any:
        described = self._operation()
        return described.parameters if described else super().get_override_parameters()

    def get_response_serializers(self) -> Any:
        described = self._operation()
        return described.responses if described else super().get_response_serializers()

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A token or a session. ``needs_no_log_in`` of a view names the methods that work without either."""
        security: list[dict[str, list[str]]] = super().get_auth()
        return [*security, {}] if security and self.method in getattr(self.view, "needs_no_log_in", ()) else security

    def get_tags(self) -> list[str]:
        """The part of the site, so that the documentation has a heading for each: battles, campaigns, groups …"""
        part = self.path.removeprefix("/api/v1/").split("/")[0]
        return [settings.API_TAG_OF_PART.get(part, part)]

    def _scope(self) -> str:
        """What ``ScopePermission`` will ask for; nothing where no log-in is looked at."""
        for permission in self.view.get_permissions():
            if hasattr(permission, "scope_for"):
                scope: str = permission.scope_for(self.view, self.method)
                return scope
        return ""


def split_summary(text: str) -> tuple[str, str]:
    """The first sentence, as a title, and the rest."""
    summary, *rest = _END_OF_SENTENCE.split(text.strip().replace("``", "`"), maxsplit=1)
    return " ".join(summary.removesuffix(".").split()), "".join(rest)
