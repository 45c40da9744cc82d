"""The JSON Schema of an answer, from the type that makes it, so that schema and answer cannot drift apart.

A dataclass or a NamedTuple answers with all its fields, a TypedDict with those that it requires. ``dataclass_json``
has the schema of what is sent, where fields may be left out.
"""

from __future__ import annotations

import datetime as dt
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from dataclass_json import Schema, Shape
from pages.api.operations import open_object as open_object  # where it is imported from today

# What rules and games are set to.
SETTING: Schema = {"type": ["string", "integer", "number", "boolean", "null"]}

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    dt.date: {"type": "string", "format": "date"},
    dt.datetime: {"type": "string", "format": "date-time"},
}


def answer_schema(hint: Any, instead: Mapping[type, Schema] | None = None) -> Schema:
    """``instead``: types that the answer writes in a way of its own."""
    known = {**_PLAIN, **(instead or {})}

    def of(one: Any) -> Schema:
        return answer_schema(one, instead)

    if isinstance(hint, type) and hint in known:
        return dict(known[hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return of(next((one.kind for one in hint.__metadata__ if isinstance(one, Shape)), args[0]))
    if origin is NotRequired:
        return of(args[0])
    if hint in (Any, object):
        return {}
    if origin in (Union, types.UnionType):
        return _union([of(one) for one in args])
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple and args[-1] is not Ellipsis:
        count = {"minItems": len(args), "maxItems": len(args)}
        return {"type": "array", "prefixItems": [of(one) for one in args], **count}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of(args[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": of(args[0])}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [one.value for one in hint]}
    found = _fields(hint)
    # Not from ``__required_keys__``, which does not see annotations that are still text.
    required = [name for name, one in found.items() if get_origin(one) is not NotRequired]
    properties = {name: of(one) for name, one in found.items()}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _fields(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    if is_dataclass(kind):
        return {one.name: hints[one.name] for one in fields(kind)}
    if hasattr(kind, "_fields") or hasattr(kind, "__required_keys__"):
        return hints
    raise TypeError(f"{kind} has no schema")


def _union(found: Sequence[Schema]) -> Schema:
    if all(set(one) == {"type"} for one in found):
        return {"type": [one["type"] for one in found]}
    return {"anyOf": list(found)}
