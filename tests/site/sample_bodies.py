"""Bodies that the API's schema allows: one that is as small as can be, and one for each choice anywhere in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.site.answers_and_schema import Schema, api_schema, followed, operation_at

MOST = 60
DEEPEST = 8
FORMATS = {"date": "2026-03-01", "date-time": "2026-03-01T19:00:00Z", "email": "wren@example.org"}


def sample_bodies(method: str, address: str, known: Mapping[str, str]) -> list[Any]:
    """``known``: texts by the name of their field, so that a body names things that are there."""
    content = operation_at(method.lower(), address).get("requestBody", {}).get("content", {})
    return _samples(content["application/json"]["schema"], "", 0, known) if "application/json" in content else []


def _samples(node: Schema | bool, name: str, depth: int, known: Mapping[str, str]) -> list[Any]:
    if not isinstance(node, dict) or depth > DEEPEST:
        return [None]
    node = followed(api_schema(), node)
    if "const" in node:
        return [node["const"]]
    if "enum" in node:
        return list(node["enum"])[:MOST]
    if choices := [*node.get("oneOf", ()), *node.get("anyOf", ())]:
        return [sample for choice in choices for sample in _samples(choice, name, depth + 1, known)][:MOST]
    if parts := node.get("allOf"):
        return _samples(parts[0], name, depth + 1, known)
    kinds = node.get("type", "string")
    return _of_kind(node, kinds if isinstance(kinds, str) else kinds[0], name, depth, known)


def _of_kind(node: Schema, kind: str, name: str, depth: int, known: Mapping[str, str]) -> list[Any]:
    if kind == "object":
        return _objects(node, depth, known)
    if kind == "array":
        return [_samples(node.get("items", {}), name, depth + 1, known)[:1] * max(1, node.get("minItems", 0))]
    if kind == "boolean":
        return [True, False]
    if kind in ("integer", "number"):
        return [max(1, node.get("minimum", 1))]
    if name in known:
        return [known[name]]
    return [FORMATS.get(node.get("format", ""), "Sample" + "x" * max(0, node.get("minLength", 0) - 6))]


def _objects(node: Schema, depth: int, known: Mapping[str, str]) -> list[Any]:
    fields = {key: _samples(one, key, depth + 1, known) for key, one in node.get("properties", {}).items()}
    smallest = {key: fields[key][0] for key in node.get("required", ()) if fields.get(key)}
    rows = [smallest]
    for key, values in fields.items():
        rows += [{**smallest, key: value} for value in values if smallest.get(key) != value]
    return rows[:MOST]
