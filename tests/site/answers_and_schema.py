"""Walks the API's schema for what it leaves open, and checks real answers against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

Schema = dict[str, Any]
ALTERNATIVES = ("oneOf", "anyOf", "allOf")


@cache
def api_schema() -> Schema:
    schema: Schema = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def operations(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    for path, methods in schema["paths"].items():
        if path.startswith("/api/v1/"):
            for method, operation in methods.items():
                yield path, method, operation


def bodies(operation: Schema) -> Iterator[Schema]:
    """The schemas of what an operation takes and of what it answers when it succeeds."""
    answers = [row for status, row in operation["responses"].items() if status.startswith("2")]
    for row in (operation.get("requestBody", {}), *answers):
        yield from (content["schema"] for content in row.get("content", {}).values())


def followed(schema: Schema, node: Schema) -> Schema:
    """The schema that a reference names."""
    while "$ref" in node:
        node = schema["components"]["schemas"][node["$ref"].rpartition("/")[2]]
    return node


def open_places(schema: Schema, node: Schema | bool, where: str, seen: set[str]) -> Iterator[str]:
    """Every place below a schema where anything could be. ``seen``: components that were looked at."""
    if not node or node is True:
        yield where
    elif "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name not in seen:
            seen.add(name)
            # One of the kinds of a body, as ``TakeStep.begin``, counts as that body.
            yield from open_places(schema, schema["components"]["schemas"][name], name.partition(".")[0], seen)
    else:
        yield from _open_parts(schema, node, where, seen)


def _open_parts(schema: Schema, node: Schema, where: str, seen: set[str]) -> Iterator[str]:
    choices = [one for key in ALTERNATIVES for one in node.get(key, ())]
    for one in (*choices, *node.get("prefixItems", ())):
        yield from open_places(schema, one, where, seen)
    kinds = node.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "object" in kinds:
        for name, one in node.get("properties", {}).items():
            yield from open_places(schema, one, f"{where}.{name}", seen)
        if "properties" not in node or "additionalProperties" in node:
            rest = node.get("additionalProperties", {})
            yield from open_places(schema, rest, where, seen) if rest is not False else ()
    if "array" in kinds and "prefixItems" not in node:
        yield from open_places(schema, node.get("items", {}), where, seen)
    if not kinds and not choices and "enum" not in node:
        yield where


def check_answer(method: str, address: str, answer: Any) -> None:
    """Whatever the API answers is as its schema says."""
    kind = answer.headers.get("Content-Type", "")
    if not address.startswith("/api/v1/") or answer.streaming or not kind.startswith("application/"):
        return
    assert not set("\u2068\u2069") & set(answer.content.decode()), f"{method} {address}: marks around a name"
    row = operation_at(method, address)["responses"].get(str(answer.status_code))
    if row is None:
        raise AssertionError(f"{method} {address}: {answer.status_code} is not documented")
    if "$ref" in row:
        row = api_schema()["components"]["responses"][row["$ref"].rpartition("/")[2]]
    if content := row.get("content", {}).get(kind.partition(";")[0]):
        values = {**content["schema"], "components": api_schema()["components"]}
        wrong = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(values).iter_errors(answer.json()))
        while wrong is not None and wrong.context:  # what is wrong inside a choice of several
            wrong = max(wrong.context, key=lambda one: len(one.absolute_path))
        assert wrong is None, f"{method} {address}: {wrong.json_path}: {wrong.message[:300]}"


def operation_at(method: str, address: str) -> Schema:
    route = "/" + re.sub(r"<(?:\w+:)?\w+>", "{}", resolve(address.partition("?")[0]).route)
    result: Schema = _by_route()[route][method]
    return result


@cache
def _by_route() -> dict[str, Schema]:
    return {re.sub(r"\{\w+\}", "{}", path): methods for path, methods in api_schema()["paths"].items()}
