"""The rulebook's tables and search hits; rows by their own classes, so that schema and rows cannot drift apart."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rest_framework import serializers

from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField


@cache
def row_serializer(row_class: type) -> type[serializers.Serializer]:
    """A serializer with a field for each field of a dataclass."""
    hints = get_type_hints(row_class)
    made = {field.name: _field(hints[field.name]) for field in fields(row_class)}
    return type(f"{row_class.__name__}Row", (serializers.Serializer,), made)


def _field(hint: Any, **extra: Any) -> serializers.Field:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        if len(kinds) > 1:
            return TypedJSONField(answer_schema(hint))
        return _field(kinds[0], allow_null=True)
    if origin is Literal:
        return serializers.CharField(**extra)
    if origin is tuple:
        inner = get_args(hint)[0]
        if is_dataclass(inner):
            return row_serializer(inner)(many=True, **extra)  # type: ignore[arg-type]
        return serializers.ListField(child=_field(inner), **extra)
    if is_dataclass(hint):
        return row_serializer(hint)(**extra)  # type: ignore[arg-type]
    plain = {
        str: serializers.CharField,
        int: serializers.IntegerField,
        float: serializers.FloatField,
        bool: serializers.BooleanField,
    }
    return plain[hint](**extra)


class TableSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    rows = serializers.IntegerField(help_text="Number of rows.")
    url = serializers.CharField()
