"""Serializer fields for JSON that other code reads or made, with the schema of what is in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from dataclass_json import Schema


class _WithSchema:
    """``json_schema`` may be a function: apps above register what it depends on."""

    def __init__(self, json_schema: Schema | Callable[[], Schema], **kwargs: Any) -> None:
        self.json_schema = json_schema
        super().__init__(**kwargs)


class TypedJSONField(_WithSchema, serializers.JSONField):
    """Any JSON, answered as it is."""


class TypedDictField(_WithSchema, serializers.DictField):
    """An object; anything else that is sent is refused."""


class _SchemaOfField(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = _WithSchema
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> Schema:
        found = self.target.json_schema
        return dict(found() if callable(found) else found)
